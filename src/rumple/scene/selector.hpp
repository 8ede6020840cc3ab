// Which vertices of a cloth a handle holds, in the words of an author. selection.hpp turns them into numbers.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <rumple/core/vec.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rumple {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct BoxSelector {  // the vertices in an axis-aligned box; -kNoLimit, kNoLimit: open on that side
    Vec3d min{-kNoLimit, -kNoLimit, -kNoLimit}, max{kNoLimit, kNoLimit, kNoLimit};  // m
};
struct RingSelector {  // the vertices at one height along an axis
    enum class End { top, bottom };
    std::variant<End, double> at = End::top;  // an end of the cloth, or m along the axis
    Vec3d axis{0, 0, 1};
    std::optional<double> tolerance = {};  // m; default 1e-4 of the cloth's diagonal
};
struct BorderSelector {
    std::optional<int> loop = {};  // of boundary_loops(); none: all of them
};
struct UvSelector {  // m
    std::pair<double, double> u{-kNoLimit, kNoLimit}, v{-kNoLimit, kNoLimit};
};
struct VertexSelector {
    std::vector<int> vertices;  // of the cloth
};
struct NearSelector {  // the vertices nearest to a point
    Vec3d point;       // m
    int count = 1;
};
struct SetSelector {
    std::string name;  // of a set that the garment brings, e.g. "waistband"
};
using Selector = std::variant<BoxSelector, RingSelector, BorderSelector, UvSelector, VertexSelector,
                              NearSelector, SetSelector>;

inline Selector ring_top(Vec3d axis = {0, 0, 1}) {
    return RingSelector{.at = RingSelector::End::top, .axis = normalized(axis)};
}
inline Selector ring_bottom(Vec3d axis = {0, 0, 1}) {
    return RingSelector{.at = RingSelector::End::bottom, .axis = normalized(axis)};
}
inline Selector in_box(Vec3d min, Vec3d max) { return BoxSelector{min, max}; }
inline Selector border(std::optional<int> loop = {}) { return BorderSelector{loop}; }
inline Selector vertex_ids(std::vector<int> vertices) { return VertexSelector{std::move(vertices)}; }
inline Selector nearest_to(Vec3d point, int count = 1) { return NearSelector{point, count}; }
inline Selector named_set(std::string name) { return SetSelector{std::move(name)}; }

}  // namespace rumple
