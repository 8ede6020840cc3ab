// The table of edges against a sort of all walks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <rumple/mesh/edges.hpp>
#include <tuple>

namespace rumple {
namespace {

std::tuple<int, int, int, int> key(const EdgeWalk& w) { return {w.low(), w.high(), w.triangle, w.corner}; }

TEST(Edges, WalksAreSorted) {
    std::mt19937 random(3);
    for (const int vertices : {3, 12, 200}) {
        TriMesh mesh;
        mesh.positions.resize(std::size_t(vertices));
        // Any triangles, and a hub whose walks are many.
        for (int t = 0; t < 300; ++t)
            mesh.triangles.push_back({t % 3 ? int(random() % unsigned(vertices)) : 0,
                                      int(random() % unsigned(vertices)), vertices - 1 - t % 2});
        const auto walks = sorted_edge_walks(mesh);
        std::vector<std::tuple<int, int, int, int>> expected, found;
        for (int t = 0; t < 300; ++t)
            for (int k = 0; k < 3; ++k) {
                const auto& v = mesh.triangles[std::size_t(t)];
                expected.push_back(key({v[std::size_t(k)], v[std::size_t((k + 1) % 3)], t, k}));
            }
        std::sort(expected.begin(), expected.end());
        for (const EdgeWalk& w : walks) {
            found.push_back(key(w));
            const auto& v = mesh.triangles[std::size_t(w.triangle)];
            EXPECT_EQ(w.from, v[std::size_t(w.corner)]);
            EXPECT_EQ(w.to, v[std::size_t((w.corner + 1) % 3)]);
        }
        EXPECT_EQ(found, expected) << vertices;
    }
}

}  // namespace
}  // namespace rumple
