#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <rumple/scene/place.hpp>
#include <rumple/scene/scene_aliases.hpp>

namespace rumple {

namespace {

using nlohmann::json;

void replace_in(json& object, std::string_view kind, const Place& place, std::vector<std::string>& warnings) {
    if (!object.is_object()) return;
    for (const KeyAlias& alias : scene_key_aliases()) {
        const std::string old_key(alias.old_key), key(alias.key);
        if (alias.kind != kind || !object.contains(old_key)) continue;
        if (object.contains(key))
            place.fail(fmt::format("has both \"{}\" and \"{}\"", key, old_key),
                       fmt::format("they mean the same: give \"{}\"", key));
        object[key] = std::move(object[old_key]);
        object.erase(old_key);
        warnings.push_back(
            fmt::format("{}: this key is now called \"{}\"; the old name works in this version only",
                        place.at(old_key).where(), key));
    }
}

}  // namespace

const std::vector<KeyAlias>& scene_key_aliases() {
    static const std::vector<KeyAlias> aliases{
        {"phase", "appear", "activate"},
        {"phase", "vanish", "deactivate"},
        {"obstacle", "weight", "rigid_body"},
        {"rigid_body", "guide", "slider"},
    };
    return aliases;
}

std::vector<std::string> replace_old_keys(json& scene, const std::string& file) {
    std::vector<std::string> warnings;
    const Place root(file);
    const auto each = [&](const char* list, const auto& replace) {
        if (!scene.is_object() || !scene.contains(list) || !scene[list].is_array()) return;
        for (std::size_t i = 0; i < scene[list].size(); ++i)
            replace(scene[list][i], root.at(list).element(i));
    };
    each("phases", [&](json& phase, const Place& place) { replace_in(phase, "phase", place, warnings); });
    each("obstacles", [&](json& obstacle, const Place& place) {
        if (!obstacle.is_object()) return;
        for (const char* key : {"weight", "rigid_body"})
            if (obstacle.contains(key)) replace_in(obstacle[key], "rigid_body", place.at(key), warnings);
        replace_in(obstacle, "obstacle", place, warnings);
    });
    return warnings;
}

std::string spelling_in(const json& object, const std::string& key) {
    if (object.contains(key)) return key;
    for (const KeyAlias& alias : scene_key_aliases()) {
        if (key == alias.key && object.contains(alias.old_key)) return std::string(alias.old_key);
        if (key == alias.old_key && object.contains(alias.key)) return std::string(alias.key);
    }
    return key;
}

}  // namespace rumple
