// A scene as the simulator sees it: everything resolved, checked and in SI units.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/material/material.hpp>
#include <rumple/mesh/numbering.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/scene/obstacle.hpp>
#include <rumple/scene/scene_camera.hpp>
#include <string>
#include <vector>

namespace rumple {

struct SceneCloth {
    std::string name;
    TriMesh mesh;                  // in the world, imperfection included
    std::vector<Vec3d> reference;  // the same without the imperfection: what wrinkle measures compare with
    RestShape rest;
    Material material;
    std::map<std::string, std::vector<int>> sets;  // its vertices by region: "seat", "waistband"
    Numbering numbering;  // leads to that of its file, or as it was cut: files and messages keep to it
};

struct SceneHandle {
    std::string name;
    std::vector<int> vertices;  // in the model's numbering: all cloths one after the other
    double stiffness = 0;       // N/m a vertex; 0: exact
    bool from_start = true;     // grabbed from the beginning
    int attach = -1;            // obstacle that it goes along with; -1: none
};

struct Phase {
    std::string name;
    int steps = 0;
    double h = 0.01;            // s of dynamics a step
    double material_dt = 0.01;  // s of material time a step
    bool hold = false;
    std::vector<HandleMotion> motions;  // one a handle
    std::vector<int> grab, release;     // handles, at the beginning of the phase
    std::vector<ObstacleCommand> acts;  // one an obstacle
    std::vector<int> appear, vanish;    // obstacles, at the beginning of the phase
    double duration() const { return steps * h; }
};

struct Scene {
    std::string name, variant;  // variant: empty when the scene has none
    Vec3d gravity{0, 0, -9.81};
    double mass_damping = 0, stiffness_damping = 0;
    StepperOptions stepper;
    double output_rate = 30;     // frames a second of dynamic time
    bool output_memory = false;  // what the cloths remember, at every frame
    std::vector<SceneCloth> cloths;
    std::vector<SceneHandle> handles;
    ContactSettings contact{.cloth_on_cloth = false};
    std::vector<SceneObstacle> obstacles;
    std::vector<Phase> phases;
    std::vector<SceneCamera> cameras;  // for pictures; no part of the hashes
    int recovery_phase = -1;  // recovery is measured against the end of this phase; -1: there is none
    std::vector<std::string> warnings;
    nlohmann::json document;  // resolved: defaults not filled in, variants applied
    std::vector<std::string>
        phase_hash;    // for each phase k: of everything that determines the run up to its end
    std::string hash;  // 16 hex digits: of everything that determines the run, mesh files included

    bool has_contact() const { return contact.cloth_on_cloth || !obstacles.empty(); }
};

// A scene file as read: JSON with a name for errors and the folder its relative paths start from.
class AssetCache;
struct SceneFile {
    nlohmann::json document;
    std::string name;
    std::filesystem::path folder;
    std::shared_ptr<AssetCache> asset_cache =
        nullptr;  // bodies and garments made for it so far; null: not kept
};

SceneFile load_scene_file(const std::filesystem::path& path);

// Sets document[path] = value. A path is "step.h" or "phases.hold.steps" or "cloths.0.material": keys, array
// indices, or the "name" of an array's element. The value is JSON, or a plain string where it is not. Throws
// InputError, suggesting the nearest key, when the path leads nowhere valid.
void set_value(nlohmann::json& document, const std::string& path, const std::string& value);
// The same with a value that is JSON already.
void set_json(nlohmann::json& document, const std::string& path, const nlohmann::json& value);

// The scene's variants (one with an empty name where it has none), each a document without "variants".
struct Variant {
    std::string name;
    nlohmann::json document;
};
std::vector<Variant> expand_variants(const SceneFile& file);

// Reads meshes and materials, checks everything, resolves names. Throws InputError naming file and place.
Scene build_scene(const SceneFile& file, const Variant& variant);

}  // namespace rumple
