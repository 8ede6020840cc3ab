// Mean curvature at the vertices, as pictures show it.
//
// measure/curvature.hpp takes one ring of edges at a time: vertices that lie a five-hundredth of an edge too
// high and too low by turns, as those of a mesh with alternating valences do, show as a chequerboard. Here
// each triangle gets the trace of its shape operator, that is the divergence of the vertices' normals, and
// each vertex the mean of its triangles, weighted by area. The price: a wave ten edges long reads up to 15 %
// low. [Rus04] S. Rusinkiewicz: Estimating Curvatures and Their Derivatives on Triangle Meshes, 3DPVT (2004).
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

// |kappa_1 + kappa_2| / 2 [1/m]; 0 at vertices without triangles of some area. Defined at borders as well.
std::vector<double> shown_curvature(std::span<const Vec3d> positions,
                                    std::span<const std::array<int, 3>> triangles);

}  // namespace rumple
