// The twisted tube that several experiments share: the reference twist of docs/experiments.md, as a scene.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace rumple {

struct TubeScene {
    std::string name = "twist";
    int around = 64, up = 28;  // 2K vertices; 128 x 55 is 7K, 256 x 107 is 27K
    std::string material = "cotton";
    int seed = 1;          // of the imperfection
    double degrees = -90;  // of the top, about Z: negative is clockwise seen from above
    double turn_seconds = 1;
    double lowered = 0.02;      // m, while it turns
    double h = 0.01;            // s
    std::string gate = "load";  // when friction ages: under load, or always ("none": the paper)
    // s of material time that pass before the twist, in 50 steps; 0: these steps without material time
    std::optional<double> wait = {};
    // m. 4 mm belongs to the reference twist, by name, at every size: its numbers are compared with those of
    // others. Specimens at paper size have kSpecimenHeight.
    double h_ref = 0.004;
    bool contact = false;  // cloth touches cloth
};

// The reference height of the specimen table: the hinge height of the paper's meshes [m].
inline constexpr double kSpecimenHeight = 0.0025;

// Phases: [wait,] twist, rest, hold (500 s in 50 steps), back, settle. Gravity off, exact handles.
nlohmann::json tube_scene(const TubeScene& options);

// With the variants control, the steps of the hold without material time, and held. Seed 1 writes the fields
// that pictures are coloured by.
nlohmann::json judged_tube_scene(const TubeScene& options);

}  // namespace rumple
