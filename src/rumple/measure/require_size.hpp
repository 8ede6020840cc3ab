// Checks of what the measures are given. Private to the room.
#pragma once

#include <fmt/format.h>

#include <array>
#include <rumple/core/error.hpp>
#include <rumple/core/vec.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <span>

namespace rumple {

inline constexpr const char* kMeasureRemedy = "the two meshes must have the same vertices and triangles";

inline void require_size(std::size_t size, std::size_t expected, const char* what, const char* of) {
    if (size != expected)
        throw InputError("measure", fmt::format("{} {} for {} {}", size, what, expected, of), kMeasureRemedy);
}

// Every vertex of these hinges or triangles has a position.
inline void require_position(int vertex, std::span<const Vec3d> x) {
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= x.size())
        throw InputError("measure", fmt::format("{} positions for a mesh with a vertex {}", x.size(), vertex),
                         kMeasureRemedy);
}
inline void require_positions(std::span<const Hinge> hinges, std::span<const Vec3d> x) {
    for (const Hinge& h : hinges)
        for (const int v : {h.x0, h.x1, h.x2, h.x3}) require_position(v, x);
}
inline void require_positions(std::span<const std::array<int, 3>> triangles, std::span<const Vec3d> x) {
    for (const std::array<int, 3>& t : triangles)
        for (const int v : t) require_position(v, x);
}

}  // namespace rumple
