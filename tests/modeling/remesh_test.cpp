#include <gtest/gtest.h>

#include <cmath>
#include <rumple/mesh/edges.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/remesh.hpp>

#include "../triangle_crossings.hpp"

namespace rumple {
namespace {

double sphere(Vec3d p) { return norm(p) - 0.5; }
double above(Vec3d p) { return p.z + 0.1; }
const Bounds kBox{{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}};

std::size_t border_edges(const TriMesh& mesh) {
    const auto walks = sorted_edge_walks(mesh);
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size())
        count += edge_at(walks, begin).size() == 1;
    return count;
}

TriMesh remeshed(const TriMesh& mesh, double edge) {
    return remesh(mesh, {edge, 8, [](Vec3d p, bool border) {
                             return border ? project_to_zero(sphere, above, p, 1e-4)
                                           : project_to_zero(sphere, p, 1e-4);
                         }});
}

TEST(Isosurface, IsClosedAndFacesOutwards) {
    const TriMesh mesh = isosurface(sphere, kBox, 0.05);
    EXPECT_TRUE(validate_mesh(mesh, "sphere").empty());
    EXPECT_EQ(border_edges(mesh), 0u);
    EXPECT_EQ(2 * mesh.positions.size() - mesh.triangles.size(), 4u);
    EXPECT_NEAR(testing::enclosed_volume(mesh), 4.0 / 3 * M_PI * 0.125, 0.01);
}

TEST(Isosurface, LeavesTheBoxInItsFace) {
    const TriMesh half = isosurface(sphere, {{0, -0.6, -0.6}, {0.6, 0.6, 0.6}}, 0.05);
    EXPECT_GT(border_edges(half), 20u);
    const auto walks = sorted_edge_walks(half);
    for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size())
        if (edge_at(walks, begin).size() == 1) {
            EXPECT_EQ(half.positions[std::size_t(walks[begin].from)].x, 0);
        }
}

TEST(Remesh, MakesASphereUniform) {
    for (const double edge : {0.03, 0.06, 0.12}) {
        const TriMesh mesh = remeshed(isosurface(sphere, kBox, 0.05), edge);
        EXPECT_TRUE(validate_mesh(mesh, "sphere").empty());
        EXPECT_EQ(2 * mesh.positions.size() - mesh.triangles.size(), 4u);
        const MeshQuality q = mesh_quality(mesh);
        EXPECT_NEAR(q.mean_edge / edge, 1, 0.06);
        EXPECT_GT(q.min_angle, 27);
        EXPECT_LT(q.edge_deviation, 0.12);
        for (const Vec3d& p : mesh.positions) EXPECT_NEAR(norm(p), 0.5, 1e-5);
    }
}

TEST(Remesh, KeepsABorderOnItsCurve) {
    const TriMesh bowl = clip_mesh(isosurface(sphere, kBox, 0.05), above);
    const TriMesh mesh = remeshed(bowl, 0.04);
    EXPECT_TRUE(validate_mesh(mesh, "bowl").empty());
    EXPECT_GT(mesh_quality(mesh).min_angle, 20);
    const auto walks = sorted_edge_walks(mesh);
    double length = 0;
    for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size()) {
        if (edge_at(walks, begin).size() != 1) continue;
        const Vec3d a = mesh.positions[std::size_t(walks[begin].from)];
        EXPECT_NEAR(a.z, -0.1, 1e-5);
        length += norm(a - mesh.positions[std::size_t(walks[begin].to)]);
    }
    EXPECT_NEAR(length, 2 * M_PI * std::sqrt(0.25 - 0.01), 0.01);
}

}  // namespace
}  // namespace rumple
