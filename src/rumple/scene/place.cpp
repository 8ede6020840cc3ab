#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/place.hpp>

namespace rumple {

namespace {

std::string described(const NumberRange& range) {
    const std::string unit = range.unit.empty() ? "" : fmt::format(" {}", range.unit);
    return fmt::format("it must be {} {:g} and at most {:g}{}", range.min_open ? "above" : "at least",
                       range.min, range.max, unit);
}

}  // namespace

void Place::fail(const std::string& what, const std::string& remedy) const {
    throw InputError(where(), what, remedy);
}

void Place::check(double x, const NumberRange& range) const {
    if (!std::isfinite(x) || x < range.min || x > range.max || (range.min_open && x == range.min))
        fail(fmt::format("{} is out of range", x), described(range));
}

void Place::check(Vec3d v, const NumberRange& range) const {
    for (int k = 0; k < 3; ++k) element(static_cast<std::size_t>(k)).check(v[k], range);
}

void Place::check_direction(Vec3d v) const {
    check(v, {-1e6, 1e6});
    if (!(norm(v) > 0)) fail("a direction cannot be [0, 0, 0]");
}

void Place::check_name(const std::string& name) const {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    };
    const bool digits_only = name.find_first_not_of("0123456789") == std::string::npos;
    if (digits_only || name.size() > 100 || !std::all_of(name.begin(), name.end(), fits))
        fail(fmt::format("\"{}\" cannot be a name", name.substr(0, 40)),
             "names are letters, digits, _ and -, at most 100 of them and not digits alone");
}

std::size_t index_of_name(const Place& place, const std::string& name, const std::vector<std::string>& names,
                          const std::string& what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        place.fail(fmt::format("there is no {} \"{}\"", what, name),
                   names.empty() ? fmt::format("the scene has no {}s", what) : suggestion(name, names));
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace rumple
