// A mesh whose vertices and triangles are numbered at random, as those of many files are.
#pragma once

#include <random>
#include <rumple/mesh/tri_mesh.hpp>
#include <utility>
#include <vector>

namespace rumple {

struct ShuffledMesh {
    TriMesh mesh;
    std::vector<int> vertex;  // for each vertex of the mesh that it was made of, its number here
};

inline std::vector<int> random_order(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = static_cast<int>(i);
        std::swap(order[i], order[random() % (i + 1)]);
    }
    return order;
}

inline ShuffledMesh shuffled(const TriMesh& mesh, unsigned seed = 1) {
    ShuffledMesh result{mesh, random_order(mesh.positions.size(), seed)};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        result.mesh.positions[static_cast<std::size_t>(result.vertex[v])] = mesh.positions[v];
    const std::vector<int> order = random_order(mesh.triangles.size(), seed + 1);
    for (std::size_t t = 0; t < order.size(); ++t) {
        const auto from = static_cast<std::size_t>(order[t]);
        for (std::size_t i = 0; i < 3; ++i)
            result.mesh.triangles[t][i] = result.vertex[static_cast<std::size_t>(mesh.triangles[from][i])];
        if (mesh.has_uvs()) result.mesh.uv_triangles[t] = mesh.uv_triangles[from];
    }
    return result;
}

}  // namespace rumple
