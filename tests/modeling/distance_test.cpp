#include <gtest/gtest.h>

#include <cmath>
#include <rumple/modeling/grid_field.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/mesh_distance.hpp>

namespace rumple {
namespace {

double sphere(Vec3d p) { return norm(p) - 0.5; }
const Bounds kBox{{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}};

TEST(MeshDistance, IsSignedAndRightInsideAndOutside) {
    const TriMesh ball = isosurface(sphere, kBox, 0.05);
    const MeshDistance distance(ball.positions, ball.triangles, 0.08);
    for (int i = 0; i < 200; ++i) {
        const double a = 0.7 * i, b = 1.3 * i, r = 0.4 + 0.001 * i;
        const Vec3d p = r * Vec3d{std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)};
        EXPECT_NEAR(distance(p, 0.3), sphere(p), 0.003);
    }
    EXPECT_EQ(distance({2, 0, 0}, 0.1), 0.1);
    EXPECT_NEAR(distance({0.2, 0, 0}, 0.5), -0.3, 0.003);
}

TEST(GridField, FollowsASmoothField) {
    const GridField sampled(sphere, kBox, 0.05);
    for (int i = 0; i < 200; ++i) {
        const double a = 0.7 * i, b = 1.3 * i;
        const Vec3d p = 0.5 * Vec3d{std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)};
        EXPECT_NEAR(sampled(p), 0, 2e-4);
    }
}

}  // namespace
}  // namespace rumple
