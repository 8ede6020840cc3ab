// A scene as the simulator sees it: everything resolved, checked and in SI units.
#pragma once

#include <map>
#include <memory>
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
    std::vector<Vec3d> reference;  // without the imperfection: what wrinkle measures compare with
    RestShape rest;
    Material material;
    std::map<std::string, std::vector<int>> sets;  // its vertices by region: "seat", "waistband"
    Numbering numbering;  // the numbers of its file: result files and messages use those
};

struct SceneHandle {
    std::string name = {};
    std::vector<int> vertices = {};  // in the model's numbering: all cloths one after the other
    double stiffness = 0;            // N/m a vertex; 0: exact
    bool from_start = true;          // grabbed from the beginning
    int attach = -1;                 // obstacle that it moves with; -1: none
};

struct Phase {
    std::string name;
    int steps = 0;
    double h = 0.01;            // s of dynamics a step
    double material_dt = 0.01;  // s of material time a step
    bool hold = false;
    std::vector<HandleMotion> motions;      // one a handle
    std::vector<int> grab, release;         // handles, at the beginning of the phase
    std::vector<ObstacleCommand> commands;  // one an obstacle
    std::vector<int> activate, deactivate;  // obstacles, at the beginning of the phase
    double duration() const { return steps * h; }
};

struct Scene {
    std::string name, variant;  // variant: empty when the scene has none
    Vec3d gravity{0, 0, -9.81};
    double mass_damping = 0, stiffness_damping = 0;
    StepperOptions stepper;
    double output_rate = 30;                  // frames a second of dynamic time
    bool output_memory = false;               // what the cloths remember, at every frame
    std::vector<std::string> output_formats;  // of the animation, besides the caches; not part of the hash
    std::vector<SceneCloth> cloths;
    std::vector<SceneHandle> handles;
    ContactSettings contact{.cloth_on_cloth = false};
    std::vector<SceneObstacle> obstacles;
    std::vector<Phase> phases;
    std::vector<SceneCamera> cameras;  // for pictures; not part of the hash
    int recovery_phase = -1;  // recovery is measured against the end of this phase; -1: there is none
    std::vector<std::string> warnings;

    bool has_contact() const { return contact.cloth_on_cloth || !obstacles.empty(); }
};

}  // namespace rumple
