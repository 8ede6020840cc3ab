// The scenes that come with the program: those of the experiments, and those that show contact.
#include <experiments/contact_scenes.hpp>
#include <experiments/experiment.hpp>

#include "find_scene.hpp"

namespace rumple {

std::vector<std::string> builtin_scene_names() {
    std::vector<std::string> names;
    for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
    for (const ContactScene& scene : contact_scenes()) names.push_back(scene.name);
    return names;
}

std::optional<nlohmann::json> builtin_scene(const std::string& name) {
    if (const Experiment* experiment = find_experiment(name)) return experiment->scene();
    for (const ContactScene& scene : contact_scenes())
        if (scene.name == name) return scene.scene();
    return std::nullopt;
}

}  // namespace rumple
