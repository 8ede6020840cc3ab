#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_keys.hpp>

namespace rumple {

namespace {

std::string type_of(const nlohmann::json& value) {
    if (value.is_null()) return "null";
    return fmt::format("{} {}", value.is_object() || value.is_array() ? "an" : "a", value.type_name());
}

}  // namespace

std::string JsonPlace::shown() const {
    const std::string text = value_->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return text.size() <= 40 ? text : type_of(*value_);
}

void JsonPlace::require_keys(std::string_view kind) const {
    if (!value_->is_object())
        fail(fmt::format("{} stands where an object belongs", shown()), "write { ... }");
    const auto& keys = scene_keys(kind);
    for (const auto& [key, value] : value_->items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            fail(fmt::format("unknown key \"{}\"", key), suggestion(key, keys));
}

JsonPlace JsonPlace::at(const std::string& key) const {
    if (!value_->is_object())
        fail(fmt::format("{} stands where an object belongs", shown()), "write { ... }");
    const auto found = value_->find(key);
    if (found == value_->end()) fail(fmt::format("the key \"{}\" is missing", key));
    const Place there = Place::at(key);
    return {*found, there.source(), there.path()};
}

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
    if (!has(key)) return std::nullopt;
    return at(key);
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
    if (!value_->is_object())
        fail(fmt::format("{} stands where an object belongs", shown()), "write { ... }");
    std::vector<std::pair<std::string, JsonPlace>> all;
    for (const auto& [key, value] : value_->items()) all.emplace_back(key, at(key));
    return all;
}

std::string JsonPlace::one_of(const std::vector<std::string>& keys) const {
    std::string found;
    for (const std::string& key : keys) {
        if (!has(key)) continue;
        if (!found.empty()) fail(fmt::format("has both \"{}\" and \"{}\"", found, key), "give one of them");
        found = key;
    }
    if (found.empty()) fail("says too little", fmt::format("give one of {}", fmt::join(keys, ", ")));
    return found;
}

std::vector<JsonPlace> JsonPlace::elements() const {
    if (!value_->is_array()) fail(fmt::format("{} stands where an array belongs", shown()), "write [ ... ]");
    std::vector<JsonPlace> all;
    all.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
        all.emplace_back((*value_)[i], source(), element(i).path());
    return all;
}

double JsonPlace::number(const NumberRange& range) const {
    if (!value_->is_number())
        fail(fmt::format("{} is not a number", shown()),
             range.unit.empty() ? "" : fmt::format("give a plain number, in {}", range.unit));
    const double x = value_->get<double>();
    check(x, range);
    return x;
}

int JsonPlace::integer(int min, int max) const {
    const double x = number({double(min), double(max)});
    if (x != std::floor(x)) fail(fmt::format("{} is not a whole number", shown()));
    return static_cast<int>(x);
}

std::string JsonPlace::text() const {
    if (!value_->is_string()) fail(fmt::format("{} stands where a text belongs", shown()), "write \"...\"");
    return value_->get<std::string>();
}

bool JsonPlace::flag() const {
    if (!value_->is_boolean()) fail(fmt::format("{} is neither true nor false", shown()));
    return value_->get<bool>();
}

Vec3d JsonPlace::vector(const NumberRange& range) const {
    if (!value_->is_array() || value_->size() != 3)
        fail(fmt::format("{} is not a vector", shown()), "give three numbers, [x, y, z]");
    const auto part = elements();
    return {part[0].number(range), part[1].number(range), part[2].number(range)};
}

Vec3d JsonPlace::direction() const {
    const Vec3d v = vector({-1e6, 1e6});
    check_direction(v);
    return normalized(v);
}

std::size_t JsonPlace::choice(const std::vector<std::string_view>& names) const {
    const std::string given = text();
    const auto found = std::find(names.begin(), names.end(), given);
    if (found == names.end()) fail(fmt::format("\"{}\" is unknown", given), suggestion(given, names));
    return static_cast<std::size_t>(found - names.begin());
}

std::string JsonPlace::name() const {
    const std::string given = text();
    check_name(given);
    return given;
}

double JsonPlace::number_or(const std::string& key, double fallback, const NumberRange& range) const {
    return has(key) ? at(key).number(range) : fallback;
}
Vec3d JsonPlace::vector_or(const std::string& key, Vec3d fallback, const NumberRange& range) const {
    return has(key) ? at(key).vector(range) : fallback;
}
Vec3d JsonPlace::direction_or(const std::string& key, Vec3d fallback) const {
    return has(key) ? at(key).direction() : fallback;
}
std::size_t JsonPlace::choice_or(const std::string& key, std::size_t fallback,
                                 const std::vector<std::string_view>& names) const {
    return has(key) ? at(key).choice(names) : fallback;
}

}  // namespace rumple
