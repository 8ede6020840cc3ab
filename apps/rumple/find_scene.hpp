// Scenes by file or by name, as `run`, `check` and `info` take them.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/scene/scene_file.hpp>
#include <string>
#include <vector>

namespace rumple {

// The scenes that come with the program.
std::vector<std::string> builtin_scene_names();
std::optional<nlohmann::json> builtin_scene(const std::string& name);

// A file of that name, or else the built-in scene. InputError: neither exists.
SceneFile find_scene(const std::string& name);

// The scene that a command line names.
struct SceneChoice {
    std::string scene;
    std::vector<std::string> set;       // path=value
    std::vector<std::string> variants;  // empty: all
};

// --set alone.
void add_set_option(CLI::App& command, std::vector<std::string>& set);
// SCENE, --set and --variant. verb: what the command does with the scene.
void add_scene_options(CLI::App& command, SceneChoice& choice, const std::string& verb);

// Changes the scene: each of `set` is path=value.
void apply_settings(nlohmann::json& document, const std::vector<std::string>& set);
// Finds the scene, changes it, and builds its variants.
std::vector<Scene> build_scenes(const SceneChoice& choice);

}  // namespace rumple
