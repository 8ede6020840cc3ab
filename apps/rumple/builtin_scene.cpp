// The scenes that come with the program are those of the experiments.
#include <rumple/experiments/experiment.hpp>

#include "find_scene.hpp"

namespace rumple {

std::vector<std::string> builtin_scene_names() {
    std::vector<std::string> names;
    for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
    return names;
}

std::optional<nlohmann::json> builtin_scene(const std::string& name) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr) return std::nullopt;
    return experiment->scene();
}

}  // namespace rumple
