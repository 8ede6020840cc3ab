// Scene files: reading the JSON, setting values in it, its variants, and the scenes they describe.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <rumple/scene/scene.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

class AssetCache;
struct SceneDescription;

// A scene file as read: JSON with a name for errors and the folder its relative paths start from.
struct SceneFile {
    nlohmann::json document;
    std::string name;
    std::filesystem::path folder;
    std::shared_ptr<AssetCache> asset_cache = nullptr;  // bodies and garments made so far; null: not kept
};

SceneFile load_scene_file(const std::filesystem::path& path);

// Sets document[path] = value. A path is "step.h" or "phases.hold.steps" or "cloths.0.material": keys, array
// indices, or the "name" of an array's element. The value is JSON, or a plain string where it is not. Throws
// InputError, suggesting the nearest key, when the path leads nowhere valid.
void set_value(nlohmann::json& document, const std::string& path, const std::string& value);
// The same with a value that is JSON already.
void set_json(nlohmann::json& document, const std::string& path, const nlohmann::json& value);

// The scene's variants (one with an empty name where it has none), each a document without "variants".
struct Variant {
    std::string name;
    nlohmann::json document;
};
std::vector<Variant> expand_variants(const SceneFile& file);

// Reads meshes and materials, checks everything, resolves names. Throws InputError naming file and place.
Scene build_scene(const SceneFile& file, const Variant& variant);

// The first half of that, for programs that hand over meshes which stand in no file: the names, sources and
// numbers of the document, before any of them is resolved (scene/scene_description.hpp).
SceneDescription describe_scene(const SceneFile& file, const Variant& variant, AssetCache& asset_cache);

// The scenes of all variants of a file; with `only`, of those named. Bodies and garments are made once.
std::vector<Scene> build_variants(const SceneFile& file, std::span<const std::string> only = {});

}  // namespace rumple
