// Roughness: what remains of a cloth's deformation when its best-fit smooth part is taken away.
//
// The smooth part is the vector polynomial q of degree 2 in the reference positions X that is nearest to the
// positions x:
//
// clang-format off
//   q(X) = c0 + sum_a c_a X_a + sum_{a<=b} c_ab X_a X_b   minimises   E = sum_i A_i |x_i - q(X_i)|^2
//   roughness = sqrt(min E / sum_i A_i) [m],              A_i a third of the rest areas around vertex i
// clang-format on
//
// Degree 1 holds every rigid motion, stretch and shear, so that x needs no alignment first; degree 2 adds one
// gentle bend or twist of the whole. Waves shorter than the cloth are left, with nearly all of their RMS
// height.
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>

namespace rumple {

double roughness(std::span<const double> rest_area, std::span<const std::array<int, 3>> triangles,
                 std::span<const Vec3d> x, std::span<const Vec3d> reference);

}  // namespace rumple
