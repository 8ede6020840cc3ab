// Orders that follow the mesh: everything once, neighbours near each other, and the same cloth afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/numbering.hpp>

#include "shuffled_mesh.hpp"

namespace rumple {
namespace {

Numbering numbering_of(const TriMesh& mesh) { return numbering_along(mesh, find_hinges(mesh)); }

void expect_permutation(std::vector<int> order, std::size_t count) {
    std::sort(order.begin(), order.end());
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
}

// Two sheets and a tube that do not touch, lone vertices between them.
TriMesh pieces() {
    TriMesh all;
    for (const TriMesh& piece :
         {make_grid(5, 4, 1, 1, Layout::right), make_tube(7, 4, 0.1, 0.3, Layout::right),
          make_grid(2, 2, 1, 1, Layout::right)}) {
        const auto first = static_cast<int>(all.positions.size());
        all.positions.insert(all.positions.end(), piece.positions.begin(), piece.positions.end());
        all.positions.push_back({9, 9, static_cast<double>(first)});
        for (const auto& [a, b, c] : piece.triangles)
            all.triangles.push_back({a + first, b + first, c + first});
    }
    return all;
}

std::vector<TriMesh> shuffled_meshes() {
    std::vector<TriMesh> meshes;
    for (const Layout layout : {Layout::right, Layout::alternating, Layout::equilateral}) {
        meshes.push_back(shuffled(make_grid(13, 9, 0.3, 0.2, layout)).mesh);
        meshes.push_back(shuffled(make_tube(12, 7, 0.04, 0.11, layout)).mesh);
        meshes.push_back(shuffled(make_disc(0.1, 0.02, layout)).mesh);
    }
    meshes.push_back(shuffled(pieces()).mesh);
    return meshes;
}

TEST(Numbering, HasEverythingOnce) {
    std::vector<TriMesh> meshes = shuffled_meshes();
    meshes.emplace_back();
    meshes.push_back({{{0, 0, 0}, {1, 0, 0}}, {}, {}, {}});
    for (const TriMesh& mesh : meshes) {
        const Numbering numbering = numbering_of(mesh);
        expect_permutation(numbering.vertices, mesh.positions.size());
        expect_permutation(numbering.triangles, mesh.triangles.size());
        expect_permutation(numbering.hinges, find_hinges(mesh).size());
        EXPECT_TRUE(numbering == numbering_of(mesh));
    }
}

TEST(Numbering, BringsAShuffledMeshBackToNeighbouringNumbers) {
    for (const TriMesh& natural :
         {make_grid(40, 30, 1, 1, Layout::right), make_tube(24, 60, 0.1, 1, Layout::right),
          make_disc(0.1, 0.005, Layout::right)}) {
        const TriMesh random = shuffled(natural).mesh;
        const double before = mean_stride(random),
                     found = mean_stride(renumbered(random, numbering_of(random)));
        EXPECT_GT(before, 8 * mean_stride(natural));
        EXPECT_LT(found, 1.5 * mean_stride(natural));
    }
}

// By trying all of them.
double best_stride(const TriMesh& mesh) {
    std::vector<int> number(mesh.positions.size());
    std::iota(number.begin(), number.end(), 0);
    double best = std::numeric_limits<double>::infinity();
    do best = std::min(best, mean_stride(mesh, number));
    while (std::next_permutation(number.begin(), number.end()));
    return best;
}

TEST(Numbering, IsNotFarFromTheBestOfAllOrders) {
    for (const TriMesh& natural : {make_grid(4, 2, 1, 1, Layout::right), make_tube(4, 2, 1, 1, Layout::right),
                                   make_grid(2, 2, 1, 1, Layout::right)}) {
        const double best = best_stride(natural);
        for (unsigned seed = 1; seed < 20; ++seed) {
            const TriMesh mesh = shuffled(natural, seed).mesh;
            EXPECT_LE(mean_stride(mesh, inverse(numbering_of(mesh).vertices)), 1.6 * best) << seed;
        }
    }
}

// Steps along sides from vertex 0, by relaxing all sides until nothing changes.
std::vector<int> steps_from_first(const TriMesh& mesh) {
    constexpr int kFar = 1000000;
    std::vector<int> steps(mesh.positions.size(), kFar);
    steps[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& t : mesh.triangles)
            for (int a : t)
                for (int b : t)
                    if (steps[std::size_t(a)] + 1 < steps[std::size_t(b)]) {
                        steps[std::size_t(b)] = steps[std::size_t(a)] + 1;
                        changed = true;
                    }
    }
    return steps;
}

TEST(Numbering, GoesThroughTheMeshFrontByFrontFromAnEnd) {
    const TriMesh mesh = shuffled(make_grid(30, 6, 1, 1, Layout::right)).mesh;
    const std::vector<int> steps = steps_from_first(renumbered(mesh, numbering_of(mesh)));
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
    EXPECT_GE(steps.back(), 29);  // the long way
}

TEST(Numbering, TrianglesFollowTheirLowestVertex) {
    for (const TriMesh& mesh : shuffled_meshes()) {
        const TriMesh found = renumbered(mesh, numbering_of(mesh));
        const auto lowest = [](const std::array<int, 3>& t) { return std::min({t[0], t[1], t[2]}); };
        EXPECT_TRUE(std::is_sorted(found.triangles.begin(), found.triangles.end(),
                                   [&](const auto& a, const auto& b) { return lowest(a) < lowest(b); }));
    }
}

TEST(Numbering, LeavesEveryTriangleWhereItWasAndGoesBack) {
    for (const TriMesh& mesh : shuffled_meshes()) {
        const Numbering numbering = numbering_of(mesh);
        const TriMesh found = renumbered(mesh, numbering);
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto old = std::size_t(numbering.triangles[t]);
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_EQ(found.positions[std::size_t(found.triangles[t][i])],
                          mesh.positions[std::size_t(mesh.triangles[old][i])]);
            if (mesh.has_uvs()) EXPECT_EQ(found.uv_triangles[t], mesh.uv_triangles[old]);
        }
        const TriMesh back = renumbered(found, inverse(numbering));
        EXPECT_EQ(back.positions, mesh.positions);
        EXPECT_EQ(back.triangles, mesh.triangles);
        EXPECT_EQ(back.uv_triangles, mesh.uv_triangles);
        EXPECT_EQ(in_old_order<Vec3d>(found.positions, numbering.vertices), mesh.positions);
    }
}

TEST(Numbering, RestShapeIsThatOfTheRenumberedMesh) {
    for (const TriMesh& mesh : shuffled_meshes())
        for (const RestSource source : {RestSource::automatic, RestSource::mesh}) {
            const RestOptions options{source, RestAngles::mesh, {0.3, 0.1, 1}};
            const Numbering numbering = numbering_of(mesh);
            const RestShape found = renumbered(make_rest_shape(mesh, options, "mesh"), numbering);
            const RestShape fresh = make_rest_shape(renumbered(mesh, numbering), options, "mesh");
            EXPECT_EQ(found.area, fresh.area);
            EXPECT_EQ(found.gradient, fresh.gradient);
            EXPECT_EQ(found.hinge_length, fresh.hinge_length);
            EXPECT_EQ(found.hinge_height, fresh.hinge_height);
            EXPECT_NEAR(found.mean_edge_length, fresh.mean_edge_length, 1e-15);
            EXPECT_EQ(found.warnings, fresh.warnings);
            ASSERT_EQ(found.hinges.size(), fresh.hinges.size());
            for (std::size_t h = 0; h < fresh.hinges.size(); ++h) {
                const Hinge &a = found.hinges[h], &b = fresh.hinges[h];
                EXPECT_EQ((std::array{a.x0, a.x1, a.x2, a.x3, a.t0, a.t1}),
                          (std::array{b.x0, b.x1, b.x2, b.x3, b.t0, b.t1}));
                EXPECT_NEAR(found.hinge_angle[h], fresh.hinge_angle[h], 1e-12);
            }
        }
}

}  // namespace
}  // namespace rumple
