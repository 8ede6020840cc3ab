// How far each vertex is from the border of its cloth, for hems in pictures.
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

// Distance [m] of each vertex from the nearest border edge, in a straight line; `reach` where it is further
// or there is no border.
std::vector<float> border_distances(std::span<const Vec3d> positions,
                                    std::span<const std::array<int, 3>> triangles, double reach);

}  // namespace rumple
