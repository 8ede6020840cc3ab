// Old spellings of keys in scene files. They are accepted for one version, with a warning.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

struct KeyAlias {
    std::string_view kind;  // of object, as in scene_keys.hpp
    std::string_view old_key, key;
};
const std::vector<KeyAlias>& scene_key_aliases();

// Gives old keys of a scene their new names; a warning for each, naming file and place. InputError: an object
// has both spellings.
std::vector<std::string> replace_old_keys(nlohmann::json& scene, const std::string& file);

// The other spelling of a key in an object that lacks it, if the object has that; otherwise the key itself.
std::string spelling_in(const nlohmann::json& object, const std::string& key);

}  // namespace rumple
