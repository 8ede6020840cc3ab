// Smooth shading keeps creases: what two triangles share at a fold depends on how sharp it is.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <rumple/mesh/generators.hpp>
#include <rumple_render/corner_normals.hpp>

namespace rumple {
namespace {

// Two triangles that share the edge from (0,0,0) to (0,1,0), folded by an angle in degrees.
struct Fold {
    std::vector<Vec3d> positions;
    std::vector<std::array<int, 3>> triangles{{0, 1, 2}, {0, 3, 1}};
    explicit Fold(double degrees) {
        const double a = degrees * std::numbers::pi / 180;
        positions = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {std::cos(a), 0.5, std::sin(a)}};
    }
};

TEST(CornerNormals, FlatClothHasOneNormal) {
    const TriMesh grid = make_grid(5, 4, 1, 1, Layout::alternating);
    for (const auto& corners : corner_normals(grid.positions, grid.triangles))
        for (const Vec3d& n : corners) EXPECT_NEAR(norm(n - Vec3d{0, 0, 1}), 0, 1e-12);
}

TEST(CornerNormals, GentleFoldIsShadedSmoothly) {
    const Fold fold(20);
    const auto normals = corner_normals(fold.positions, fold.triangles);
    EXPECT_NEAR(norm(normals[0][0] - normals[1][0]), 0, 1e-12);
    EXPECT_NEAR(norm(normals[0][1] - normals[1][2]), 0, 1e-12);
}

TEST(CornerNormals, SharpFoldKeepsItsCrease) {
    const Fold fold(90);
    const auto normals = corner_normals(fold.positions, fold.triangles);
    for (const Vec3d& n : normals[0]) EXPECT_NEAR(norm(n - normals[0][2]), 0, 1e-12);
    EXPECT_NEAR(dot(normals[0][0], normals[1][0]), 0, 1e-12);
}

TEST(CornerNormals, CreaseOpensGradually) {
    double before = 0;
    for (double degrees = 30; degrees <= 70; degrees += 1) {
        const Fold fold(degrees);
        const auto normals = corner_normals(fold.positions, fold.triangles);
        const double gap = norm(normals[0][0] - normals[1][0]);
        EXPECT_GE(gap, before - 1e-12) << degrees;
        EXPECT_LT(gap - before, 0.12) << degrees;
        before = gap;
    }
    EXPECT_GT(before, 1);
}

TEST(CornerNormals, TubePointsOutwards) {
    const TriMesh tube = make_tube(48, 9, 0.2, 0.3, Layout::right);
    const auto normals = corner_normals(tube.positions, tube.triangles);
    for (std::size_t t = 0; t < normals.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d p = tube.positions[std::size_t(tube.triangles[t][i])];
            EXPECT_GT(dot(normals[t][i], normalized(Vec3d{p.x, p.y, 0})), 0.995);
        }
}

TEST(CornerNormals, TriangleWithoutAreaStaysFinite) {
    const std::vector<Vec3d> positions{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}};
    const std::vector<std::array<int, 3>> triangles{{0, 1, 2}, {0, 1, 3}};
    for (const auto& corners : corner_normals(positions, triangles))
        for (const Vec3d& n : corners) EXPECT_NEAR(norm(n), 1, 1e-12);
}

}  // namespace
}  // namespace rumple
