// How far cloth is from what it may touch: for each vertex, the distance to the nearest other surface, or to
// another layer of the same cloth.
//
//   ________v________     layer above          Another layer is what lies across the surface (not beside the
//           | gap                              vertex: more along its normal than not) and is at least
//   -----------------     layer below          kFurtherAlong times as far along the cloth as through the air.
#pragma once

#include <rumple/core/parallel.hpp>
#include <rumple_render/renderer.hpp>
#include <vector>

namespace rumple {

inline constexpr double kGapReach = 0.01;  // m; what is further away gets this
inline constexpr double kFurtherAlong = 3;

// One value [m] a vertex for each object; nothing for objects that are no cloth. The level ground, which is
// no object, is at height `ground` where there is one.
std::vector<std::vector<double>> surface_gaps(const std::vector<RenderObject>& objects,
                                              std::optional<double> ground, const Threads& threads);

}  // namespace rumple
