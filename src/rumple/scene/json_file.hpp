// Text to JSON, strictly: no comments, no key twice; errors say line and column.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rumple {

// InputError, e.g. "twist.json:3:14: not JSON; unexpected end of input; expected ']'".
nlohmann::json parse_json(const std::string& text, const std::string& name);

}  // namespace rumple
