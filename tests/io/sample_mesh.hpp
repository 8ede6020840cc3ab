// A small mesh with what round trips like to lose: awkward numbers, an unreferenced vertex, a signed zero.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

inline TriMesh awkward_mesh() {
    TriMesh mesh;
    mesh.positions = {{0.1, 1.0 / 3.0, -0.0},
                      {1e-300, 5e-324, -1.7976931348623157e308},
                      {3.0, 123456789.123456789, 1e22},
                      {7, 8, 9},  // in no triangle
                      {-2.5e-7, 0.30000000000000004, 2.2250738585072014e-308}};
    mesh.triangles = {{0, 1, 2}, {2, 1, 4}};
    return mesh;
}

// As awkward_mesh, with one UV a vertex.
inline TriMesh awkward_mesh_with_uvs() {
    TriMesh mesh = awkward_mesh();
    mesh.uvs = {{0, 0.1}, {1.0 / 7.0, 1}, {-0.0, 2e-5}, {0.5, 0.25}, {0.7, 1e-310}};
    mesh.uv_triangles = mesh.triangles;
    return mesh;
}

// Two triangles that share the edge 1-2 in space but not on the cloth: vertices 1 and 2 have two UVs each.
inline TriMesh mesh_with_seam() {
    TriMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {2, 1, 3}};
    mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {5, 1}, {6, 0}, {6, 1}};
    mesh.uv_triangles = {{0, 1, 2}, {3, 4, 5}};
    return mesh;
}

inline void expect_same_bits(double a, double b) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " and " << b;
}

inline void expect_same_mesh(const TriMesh& a, const TriMesh& b) {
    ASSERT_EQ(a.positions.size(), b.positions.size());
    for (std::size_t i = 0; i < a.positions.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) expect_same_bits(a.positions[i][axis], b.positions[i][axis]);
    ASSERT_EQ(a.uvs.size(), b.uvs.size());
    for (std::size_t i = 0; i < a.uvs.size(); ++i) {
        expect_same_bits(a.uvs[i].x, b.uvs[i].x);
        expect_same_bits(a.uvs[i].y, b.uvs[i].y);
    }
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.uv_triangles, b.uv_triangles);
}

}  // namespace rumple
