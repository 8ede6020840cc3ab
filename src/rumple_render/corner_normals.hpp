// Normals for smooth shading that keep creases.
//
// clang-format off
//        \ | /        The normal of a triangle's corner is the mean of the normals of the triangles around the
//      -- v --        vertex, weighted by their angle there, and by how little they turn from this triangle:
//        / | \        fully below kSmoothBelow, not at all above kSharpAbove, blended in between, so that a fold
//                     that sharpens in a film opens its crease gradually.
// clang-format on
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

inline constexpr double kSmoothBelow = 35;  // degrees between two triangles' normals
inline constexpr double kSharpAbove = 60;

// Unit normals, one for each corner of each triangle. A triangle without area gets those of its neighbours,
// or +Z where there are none.
std::vector<std::array<Vec3d, 3>> corner_normals(std::span<const Vec3d> positions,
                                                 std::span<const std::array<int, 3>> triangles);

}  // namespace rumple
