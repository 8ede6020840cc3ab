// Signed distance from a point to a closed triangle mesh, by a grid of cells. The sign comes from the
// angle-weighted normal of the nearest face, edge or vertex (Baerentzen and Aanaes, "Signed distance
// computation using the angle weighted pseudonormal", IEEE TVCG 2005).
#pragma once

#include <cstdint>
#include <rumple/mesh/tri_mesh.hpp>
#include <span>
#include <unordered_map>
#include <vector>

namespace rumple {

class MeshDistance {
  public:
    // Keeps its own copy. `cell` [m] should be two or three edges long.
    MeshDistance(std::span<const Vec3d> positions, std::span<const std::array<int, 3>> triangles,
                 double cell = 0.03);

    // Negative inside. Points further away than `reach` [m] get `reach`, whichever side they are on.
    double operator()(Vec3d p, double reach) const;

  private:
    struct Nearest {
        double squared;
        Vec3d difference, normal;  // from the surface to p; pseudonormal there
    };
    void look_at(std::size_t triangle, Vec3d p, Nearest& nearest) const;
    std::int64_t key(std::int64_t i, std::int64_t j, std::int64_t k) const;

    std::vector<Vec3d> positions_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<Vec3d> face_normal_, vertex_normal_;
    std::vector<std::array<Vec3d, 3>> edge_normal_;  // of edge k: corner k to k + 1
    double cell_;
    std::unordered_map<std::int64_t, std::vector<int>> grid_;
};

}  // namespace rumple
