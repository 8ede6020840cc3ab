// Which triangles intersect: the run's own diagnosis of what contact should have prevented. Exact
// (orientation.hpp).
#pragma once

#include <cstdint>
#include <rumple/contact/surface.hpp>
#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
#include <span>
#include <utility>
#include <vector>

namespace rumple::contact {

// Pairs of triangles, the lower first, ascending, that have a point in common at these positions: cloth with
// cloth, where they share no vertex, and cloth with obstacles and weights. Touching counts. `active`: one a
// body. Triangles with a corner that is not a number are left out.
std::vector<std::pair<int, int>> intersecting_triangles(const Threads& threads, const Surface& surface,
                                                        std::span<const Vec3d> positions,
                                                        std::span<const std::uint8_t> active);

}  // namespace rumple::contact
