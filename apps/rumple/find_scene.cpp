#include "find_scene.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/sim/run.hpp>

namespace rumple {

SceneFile find_scene(const std::string& name) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(name, ignored)) return load_scene_file(name);
    if (auto document = builtin_scene(name)) return {std::move(*document), name, ""};
    const std::vector<std::string> names = builtin_scene_names();
    // A name that looks like a file gets the error of a file.
    const bool like_a_file = name.find('/') != std::string::npos || name.ends_with(".json") ||
                             names.empty() || std::filesystem::exists(name, ignored);
    if (like_a_file) return load_scene_file(name);
    throw InputError(name, "there is no such file, and no built-in scene of that name",
                     suggestion(name, names));
}

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
    command.add_option("--set", set, "change the scene: path=value, like phases.hold.steps=10")
        ->allow_extra_args(false)
        ->take_all();
}

void add_scene_options(CLI::App& command, SceneChoice& choice, const std::string& verb) {
    command.add_option("SCENE", choice.scene, "scene file, or the name of a built-in scene")->required();
    add_set_option(command, choice.set);
    command.add_option("--variant", choice.variants, verb + " only this variant (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
}

void apply_settings(nlohmann::json& document, const std::vector<std::string>& set) {
    for (const std::string& assignment : set) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0)
            throw InputError("--set " + assignment, "this is not an assignment",
                             "write path=value, like step.h=0.005");
        try {
            set_value(document, assignment.substr(0, equals), assignment.substr(equals + 1));
        } catch (const InputError& error) {
            throw InputError("--set " + assignment, error.what());
        }
    }
}

std::vector<Scene> build_scenes(const SceneChoice& choice) {
    SceneFile file = find_scene(choice.scene);
    apply_settings(file.document, choice.set);
    return build_variants(file, choice.variants);
}

}  // namespace rumple
