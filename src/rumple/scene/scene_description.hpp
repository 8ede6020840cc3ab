// A scene as its author describes it: names instead of indices, selectors instead of vertices, sources
// instead of meshes. Two producers fill it, the reader of scene files and SceneBuilder; resolve_scene() turns
// it into a Scene. The rules stand there, once.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/scene/cloth_source.hpp>
#include <rumple/scene/obstacle_shape.hpp>
#include <rumple/scene/scene.hpp>
#include <rumple/scene/selector.hpp>
#include <string>
#include <variant>
#include <vector>

namespace rumple {

class AssetCache;

struct HandleOptions {
    std::string cloth = {};  // empty: the scene's only cloth
    double stiffness = 0;    // N/m a vertex; 0: exact
    bool from_start = true;
    std::string attach = {};  // obstacle that it moves with; empty: none
};

struct ObstacleOptions {
    Placement place = {};
    double friction = 0.4;             // cloth on it
    double thickness = 1e-3;           // m: distance that cloth keeps from it
    bool present = true;               // there from the beginning
    double mass = 0;                   // kg; > 0: a rigid body that falls, rests and presses by itself
    std::optional<Vec3d> slider = {};  // a rigid body that moves along this direction alone and does not turn
};
using ObstacleSource = std::variant<ObstacleShape, TriMesh, MeshFile, ObstacleSurface>;

struct HandleMove {
    std::string handle;
    HandleMotion motion;
};
struct ObstacleMove {
    std::string obstacle;
    ObstacleCommand command;
};
// What remains of a cloth's memory as a phase begins: factors, 1 all, 0 nothing.
struct ForgetOptions {
    std::string cloth = {};               // empty: the scene's only cloth
    std::optional<Selector> select = {};  // none: the whole cloth
    double friction = 1, plasticity = 1, relaxation = 1;
};
// A phase has a duration, or it is a hold, or it is a recovery.
struct PhaseOptions {
    std::optional<double> duration = {};  // s, a whole number of steps
    std::optional<double> hold = {};      // s of material time
    std::optional<double> recover = {};   // s of material time, in steps that grow; nothing moves by itself
    std::optional<int> steps = {};        // of a hold (50) or a recovery (20); 0: the phase is skipped
    std::optional<double> h = {};         // s; default: the scene's
    std::vector<HandleMove> motions = {};
    std::vector<std::string> grab = {}, release = {};  // handles, at the beginning of the phase
    std::vector<ObstacleMove> obstacles = {};
    std::vector<std::string> activate = {}, deactivate = {};  // obstacles, at the beginning of the phase
    std::vector<ForgetOptions> forget = {};
};

// Each part with the place that errors name.
struct ClothDescription {
    Place place;
    std::string name;
    ClothSource source;
    MaterialChoice material;
    ClothOptions options;
};
struct HandleDescription {
    Place place;
    std::string name;
    Selector select;
    HandleOptions options;
};
struct ObstacleDescription {
    Place place;
    std::string name;
    ObstacleSource source;
    ObstacleOptions options;
};
struct PhaseDescription {
    Place place;
    std::string name;
    PhaseOptions options;
};

// The run at whose end a scene begins.
struct StartDescription {
    Place place;
    std::filesystem::path run;  // its folder
    bool positions = true;      // false: its history alone, and cloths where the scene places them
};

struct SceneDescription {
    Place place;
    std::string name, variant;
    Vec3d gravity{0, 0, -9.81};    // m/s2
    double mass_damping = 0;       // 1/s
    double stiffness_damping = 0;  // s
    double h = 0.01;               // s, of the phases that have no step of their own
    StepperOptions stepper;
    double output_rate = 30;  // frames/s
    bool output_memory = false;
    std::vector<std::string> output_formats;  // of kAnimationFormats
    std::optional<ContactSettings> contact;   // none: on where there are obstacles
    std::vector<ObstacleDescription> obstacles;
    std::vector<ClothDescription> cloths;
    std::vector<HandleDescription> handles;
    std::vector<PhaseDescription> phases;
    std::optional<StartDescription> start;
    std::string recovery_from;  // a phase; empty: the last hold
    std::vector<SceneCamera> cameras;
    std::vector<std::string> warnings;
};

// Reads meshes, makes garments, resolves names, checks everything. InputError names the place.
Scene resolve_scene(const SceneDescription& description, AssetCache& asset_cache);

}  // namespace rumple
