// Mean curvature of a triangle mesh at its vertices, from the cotangent Laplacian.
//
// [MDSB03] M. Meyer, M. Desbrun, P. Schroeder, A. Barr: Discrete differential-geometry operators for
// triangulated 2-manifolds, Visualization and Mathematics III (2003): mean curvature normal, mixed area.
//
// clang-format off
//          j             curvature vector  K_i = 1/(2 A_i) sum_j (cot alpha_ij + cot beta_ij)(x_i - x_j)
//        / | \           mean curvature    |H_i| = |K_i| / 2 = |kappa_1 + kappa_2| / 2           [1/m]
//   alpha  |  beta       A_i the mixed (Voronoi where acute) area of vertex i                    [m^2]
//        \ | /
//          i             All at the current positions. Exact for a cylinder meshed by rectangles cut in two.
// clang-format on
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <span>
#include <vector>

namespace rumple {

struct VertexCurvature {
    std::vector<double> magnitude;  // |H_i| of each vertex [1/m]; 0 where not defined: rim, unused vertices
    std::vector<double> area;       // A_i [m^2]; 0 where not defined
};

// Triangles that have collapsed to a line have no cotangents and are left out.
VertexCurvature mean_curvature(std::span<const Hinge> hinges, std::span<const std::array<int, 3>> triangles,
                               std::span<const Vec3d> x);

// sqrt(sum_i A_i H_i^2 / sum_i A_i) over the vertices inside; 0 when there are none. [1/m]
double mean_curvature_rms(std::span<const Hinge> hinges, std::span<const std::array<int, 3>> triangles,
                          std::span<const Vec3d> x);

}  // namespace rumple
