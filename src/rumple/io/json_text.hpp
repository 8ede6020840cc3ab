// Text to JSON, strictly: no comments, no key twice, no bottomless nesting; errors say line and column.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rumple {

// Arrays and objects within each other: a scene has about eight, glTF about ten. Copying and printing JSON go
// down into it by recursion, so that a text made of a million brackets would end the program.
inline constexpr int kDeepestJson = 64;

// InputError, e.g. "twist.json:3:14: not JSON; unexpected end of input; expected ']'".
nlohmann::json parse_json(std::string_view text, const std::string& name);

}  // namespace rumple
