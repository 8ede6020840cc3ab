// A scene as the simulator sees it: everything resolved, checked and in SI units.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/material/material.hpp>
#include <rumple/mesh/numbering.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/mesh/seam_line.hpp>
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
    std::vector<SeamLine> seams;                   // of the reference, for pictures
    Numbering numbering;  // the numbers of its file: result files and messages use those
};

struct SceneHandle {
    std::string name = {};
    std::vector<int> vertices = {};  // in the model's numbering: all cloths one after the other
    double stiffness = 0;            // N/m a vertex; 0: exact
    bool from_start = true;          // grabbed from the beginning
    int attach = -1;                 // obstacle that it moves with; -1: none
};

// Material time passes in steps that grow geometrically; in each the cloth comes to rest
// (docs/theory/time.md).
struct PhaseRecovery {
    double material_time = 0;  // s, of all steps together
    double h = 0.01;           // s of dynamics in each of the small steps in which cloth comes to rest

    double material_dt(int step, int steps) const;  // s, of step number `step` of `steps`, counted from 0
};

// What remains of the memory of some vertices as a phase begins; 1: all, 0: nothing.
struct Forget {
    std::vector<int> vertices;  // in the model's numbering
    double friction = 1, plasticity = 1, relaxation = 1;
};

struct Phase {
    std::string name;
    int steps = 0;
    double h = 0.01;            // s of dynamics a step; a step of recovery counts as one frame
    double material_dt = 0.01;  // s of material time a step; of recovery: the mean
    bool hold = false;
    std::optional<PhaseRecovery> recovery = {};
    std::vector<HandleMotion> motions;      // one a handle
    std::vector<int> grab, release;         // handles, at the beginning of the phase
    std::vector<ObstacleCommand> commands;  // one an obstacle
    std::vector<int> activate, deactivate;  // obstacles, at the beginning of the phase
    std::vector<Forget> forget;             // at the beginning of the phase, in this order
    double duration() const { return steps * h; }
    double material_dt_of(int step) const {  // s, counted from 0
        return recovery ? recovery->material_dt(step, steps) : material_dt;
    }
};

struct RunStart;

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
    std::vector<SceneCamera> cameras;       // for pictures; not part of the hash
    std::shared_ptr<const RunStart> start;  // the end of another run; null: none
    int recovery_phase = -1;  // recovery is measured against the end of this phase; -1: there is none
    std::vector<std::string> warnings;

    bool has_contact() const { return contact.cloth_on_cloth || !obstacles.empty(); }
};

}  // namespace rumple
