// Scenes that come with the program to show and to test contact. They are run by name like the experiments;
// they have no claims of their own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

nlohmann::json sphere_scene();  // a cloth falls over a ball that stands on the ground
nlohmann::json fall_scene();    // a cloth falls on edge and folds up on the ground
nlohmann::json wring_scene();   // a sheet is wrung through four full turns
// The twisted cylinder of Li, Kaufman and Jiang (Codimensional Incremental Potential Contact, SIGGRAPH 2021).
nlohmann::json wring_cylinder_scene();
nlohmann::json sleeve_scene();  // a sleeve on an arm is pushed together along it, held or not, and let go

struct ContactScene {
    std::string name, summary;  // one line
    nlohmann::json (*scene)();
};
const std::vector<ContactScene>& contact_scenes();

}  // namespace rumple
