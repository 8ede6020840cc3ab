// A triangle mesh as plain data. One vertex may have several UVs (a seam): UVs are indexed on their own.
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

struct TriMesh {
    std::vector<Vec3d> positions;                  // m
    std::vector<std::array<int, 3>> triangles;     // counter-clockwise seen from the front
    std::vector<Vec2d> uvs;                        // empty: the mesh has none
    std::vector<std::array<int, 3>> uv_triangles;  // one a triangle, or empty

    bool has_uvs() const { return !uv_triangles.empty(); }
};

}  // namespace rumple
