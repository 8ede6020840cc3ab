#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_file.hpp>

namespace rumple {

SceneFile load_scene_file(const std::filesystem::path& path) {
    SceneFile file;
    file.name = path.string();
    file.folder = path.parent_path();
    file.document = parse_json(read_file(path, kMaxJsonBytes, require_text), file.name);
    return file;
}

std::vector<Variant> expand_variants(const SceneFile& file) {
    const JsonPlace root(file.document, file.name);
    root.require_keys("scene");
    nlohmann::json base = file.document;
    base.erase("variants");
    if (!root.has("variants")) return {{"", base}};

    std::vector<Variant> variants;
    for (const JsonPlace& place : root.at("variants").elements()) {
        place.require_keys("variant");
        const std::string name = place.at("name").name();
        for (const Variant& other : variants)
            if (other.name == name)
                place.at("name").fail(fmt::format("two variants are called \"{}\"", name));
        Variant variant{name, base};
        if (const auto set = place.find("set"))
            for (const auto& [path, value] : set->members()) {
                try {
                    set_json(variant.document, path, value.value());
                } catch (const InputError& error) {
                    throw InputError(set->where(), error.what());
                }
            }
        variants.push_back(std::move(variant));
    }
    if (variants.empty())
        root.at("variants").fail("the list is empty", "leave the key out, or name a variant");
    return variants;
}

std::vector<Scene> build_variants(const SceneFile& file, std::span<const std::string> only) {
    const std::vector<Variant> variants = expand_variants(file);
    SceneFile shared = file;
    if (!shared.asset_cache) shared.asset_cache = std::make_shared<AssetCache>();
    std::vector<std::string> names;
    names.reserve(variants.size());
    for (const Variant& variant : variants) names.push_back(variant.name);
    for (const std::string& name : only) {
        if (names.size() == 1 && names[0].empty()) throw InputError(file.name, "the scene has no variants");
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw InputError(file.name, fmt::format("there is no variant '{}'", name),
                             suggestion(name, names));
    }
    std::vector<Scene> scenes;
    for (const Variant& variant : variants)
        if (only.empty() || std::find(only.begin(), only.end(), variant.name) != only.end())
            scenes.push_back(build_scene(shared, variant));
    return scenes;
}

}  // namespace rumple
