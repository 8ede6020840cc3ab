// Scenes that come with the program to show and to test contact. They are run by name like the experiments;
// they have no claims of their own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

// A square sheet lies over a round pot, is pushed into it by its middle, let go, pressed by a weight that
// slides in the pot, held or not, and lifted out by two of its corners.
//
//     push          drop        weight       hold         lift
//   ---.v.---                    =====                    |   |
//   |  | |  |     | |   | |     | === |     | === |     | |\_/| |
//   |  \_/  |     |/\_/\_/|     |~~~~~|     |~~~~~|     |/     \|
struct CrumpleScene {
    int across = 71;    // vertices along each side: 5K; 141: 20K
    double side = 0.4;  // m, of the sheet
    double mass = 5;    // kg, of the weight
    double hold = 500;  // s of material time
    std::string material = "cotton";
};
nlohmann::json crumple_scene(const CrumpleScene& options = {});

nlohmann::json sphere_scene();  // a cloth falls over a ball that stands on the ground
nlohmann::json fall_scene();    // a cloth falls on edge and folds up on the ground
nlohmann::json wring_scene();   // a sheet is wrung through four full turns
nlohmann::json sleeve_scene();  // a sleeve on an arm is pushed together along it, held or not, and let go

struct ContactScene {
    std::string name, summary;  // one line
    nlohmann::json (*scene)();
};
const std::vector<ContactScene>& contact_scenes();

}  // namespace rumple
