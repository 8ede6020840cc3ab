// Loop subdivision, for pictures only: each triangle becomes four, and corners are rounded.
//
//        c                     c            [Loop87] C. Loop: Smooth Subdivision Surfaces Based on Triangles,
//       / \                   / \           M.Sc. thesis, University of Utah (1987).
//      /   \      =>        ca --- bc       [HDD94] H. Hoppe, T. DeRose, T. Duchamp et al.: Piecewise Smooth
//     /     \               / \   / \       Surface Reconstruction, SIGGRAPH (1994): borders and creases
//     follow
//    a ----- b             a -- ab -- b     a cubic B-spline, so that hems stay sharp; corners stay in place.
//
// A crease that runs askew to the mesh is a staircase of edges, and so is the end of its shadow. Waves as
// short as the edges are filtered out first; longer ones keep their height. [Tau95] G. Taubin: A Signal
// Processing Approach to Fair Surface Design, SIGGRAPH (1995).
//
// Loop's surface lies inside its control mesh. Cloth would sink into the body it rests on, and wrinkles would
// lose height. So the control points are first moved outwards by as much as the surface would move inwards.
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

using Triangles = std::vector<std::array<int, 3>>;

struct LoopEdge {
    int a = 0, b = 0;           // a < b
    int left = -1, right = -1;  // vertices opposite, -1: none
    int triangles = 0;          // how many share it
    bool sharp = false;         // a border, a crease, or shared by more than two triangles
};

// One level: vertex count + e is the new vertex of edges[e]; triangle t becomes 4t to 4t + 3.
struct LoopLevel {
    int count = 0;  // of vertices before
    std::vector<LoopEdge> edges;
    Triangles triangles;
    std::vector<std::array<int, 3>> sides;  // of triangle t before: its edges ab, bc, ca
};

// Topology of one level. `before`: the level that made these triangles, whose creases go on; none at first.
LoopLevel loop_level(const Triangles& triangles, int count, const LoopLevel* before);

// Makes edges sharp where the triangles beside them turn by more than `degrees`.
void mark_creases(LoopLevel& level, const Triangles& triangles, std::span<const Vec3d> positions,
                  double degrees);

// Vertices that stay where they are: where a border turns by more than 50 degrees, or more than two sharp
// edges meet. One flag a vertex.
std::vector<char> corners_of(const LoopLevel& level, std::span<const Vec3d> positions);

// Positions after one level.
std::vector<Vec3d> loop_positions(const LoopLevel& level, std::span<const Vec3d> positions,
                                  const std::vector<char>& corner);
// Where the vertices end up after infinitely many levels. `level` is the next one of this mesh.
std::vector<Vec3d> loop_limit(const LoopLevel& level, std::span<const Vec3d> positions,
                              const std::vector<char>& corner);

// Cotangents of the angles opposite each edge, negative ones as 0: on a grid cut into triangles the diagonals
// weigh nothing, so that vertices of 4 and of 8 edges are treated alike.
std::vector<double> edge_weights(const LoopLevel& level, const Triangles& triangles,
                                 std::span<const Vec3d> shape);
// Each pass moves vertices by this share towards the weighted mean of their neighbours: where that mean of a
// wave u is (1 - k) u, the wave keeps the product of (1 - pass k). Borders, creases and corners stay. `share`
// of the passes at each vertex; empty: all of them.
std::vector<Vec3d> without_steps(const LoopLevel& level, std::span<const Vec3d> values,
                                 std::span<const double> weights, const std::vector<char>& corner,
                                 std::span<const double> passes, std::span<const double> share = {});
// How far each vertex belongs to a crease, [0, 1]: by the largest angle between the triangles at its edges.
struct CreaseAngles {
    double none, all;  // degrees: no crease, a crease
};
std::vector<double> creased(const LoopLevel& level, const Triangles& triangles,
                            std::span<const Vec3d> positions, CreaseAngles angles);

// Averages positions along sharp creases, and only along them: a crease that runs askew to the mesh steps
// from one row of vertices to the next every few edges, too long a wave for the filters above. `share`: see
// creased().
std::vector<Vec3d> along_creases(const LoopLevel& level, const Triangles& triangles,
                                 std::span<const Vec3d> positions, const std::vector<char>& corner,
                                 std::span<const double> share);

// Values at vertices that are linear between them.
template <class T>
void append_midpoints(const LoopLevel& level, std::vector<T>& values) {
    if (values.empty()) return;
    values.reserve(values.size() + level.edges.size());
    for (const LoopEdge& edge : level.edges)
        values.push_back(
            0.5f * (values[static_cast<std::size_t>(edge.a)] + values[static_cast<std::size_t>(edge.b)]));
}
// Values at the corners of triangles, in the order of the level's triangles.
template <class T>
std::vector<std::array<T, 3>> split_corners(const std::vector<std::array<T, 3>>& corners) {
    std::vector<std::array<T, 3>> out;
    out.reserve(4 * corners.size());
    for (const auto& [a, b, c] : corners) {
        const T ab = 0.5f * (a + b), bc = 0.5f * (b + c), ca = 0.5f * (c + a);
        out.insert(out.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    return out;
}

struct SmoothMesh {
    std::vector<Vec3d> positions;
    Triangles triangles;
    std::vector<LoopLevel> levels;  // to carry other values along with
};

struct SmoothOptions {
    int levels = 0;
    double crease_degrees = 180;  // edges of `shape` that turn by more stay sharp
    bool find_creases = true;     // the values are positions: where they turn sharply the filter is harder
};

// The mesh after so many levels, its vertices on the limit surface of control points that make it pass close
// to the given positions, without staircases. `shape` (as many positions, the rest shape) says where corners
// and creases are, so that they do not change in a film. At level 0 only the staircases go.
SmoothMesh smooth_mesh(std::span<const Vec3d> positions, const Triangles& triangles,
                       std::span<const Vec3d> shape, const SmoothOptions& options);

}  // namespace rumple
