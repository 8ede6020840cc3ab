// Curvature as pictures show it, against what is known exactly, on meshes whose valences alternate.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <rumple/measure/curvature.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple_render/shown_curvature.hpp>

namespace rumple {
namespace {

TEST(ShownCurvature, SpheresAndCylindersHaveTheirsOnAnyLayout) {
    constexpr int kSide = 31;
    for (const Layout layout : {Layout::right, Layout::alternating})
        for (const bool sphere : {true, false}) {
            TriMesh mesh = make_grid(kSide, kSide, 0.1, 0.1, layout);
            for (Vec3d& p : mesh.positions)
                p.z = std::sqrt(0.04 - p.x * p.x - (sphere ? p.y * p.y : 0));  // radius 0.2
            const std::vector<double> shown = shown_curvature(mesh.positions, mesh.triangles);
            const double expected = sphere ? 5 : 2.5;
            for (int j = 2; j < kSide - 2; ++j)
                for (int i = 2; i < kSide - 2; ++i)
                    EXPECT_NEAR(shown[std::size_t(j * kSide + i)], expected, 0.02 * expected)
                        << i << " " << j;
            // At a border half of what it is made of is missing, the value is not.
            for (int i = 2; i < kSide - 2; ++i)
                EXPECT_NEAR(shown[std::size_t(i)], expected, 0.35 * expected) << i;
        }
}

// A wave ten edges long on a mesh whose vertices are 1/500 of an edge off, up and down by turns: the operator
// of measure/curvature.hpp shows the chequerboard, this one the wave.
TEST(ShownCurvature, ShowsTheClothAndNotItsMesh) {
    constexpr int kSide = 41;
    TriMesh mesh = make_grid(kSide, kSide, 1, 1, Layout::alternating);
    const double w = 2 * std::numbers::pi / 0.25, height = 0.004;
    for (Vec3d& p : mesh.positions) p.z = height * std::sin(w * (p.x + 0.4 * p.y));
    TriMesh uneven = mesh;
    for (int v = 0; v < kSide * kSide; ++v)
        uneven.positions[std::size_t(v)].z += (v / kSide + v % kSide) % 2 ? 0.00005 : -0.00005;
    const RestShape rest = make_rest_shape(mesh, {}, "mesh");
    const std::vector<double> smooth = shown_curvature(mesh.positions, mesh.triangles),
                              shown = shown_curvature(uneven.positions, mesh.triangles),
                              measured =
                                  mean_curvature(rest.hinges, mesh.triangles, mesh.positions).magnitude,
                              chequered =
                                  mean_curvature(rest.hinges, mesh.triangles, uneven.positions).magnitude;
    const double highest = 0.5 * height * w * w * 1.16;  // of the surface, where its slope is zero
    double error = 0, noise = 0, noise_measured = 0;
    for (int j = 3; j < kSide - 3; ++j)
        for (int i = 3; i < kSide - 3; ++i) {
            const auto v = std::size_t(j * kSide + i);
            const Vec3d p = mesh.positions[v];
            const double exact = highest * std::abs(std::sin(w * (p.x + 0.4 * p.y)));
            error = std::max(error, std::abs(smooth[v] - exact) / highest);
            noise = std::max(noise, std::abs(shown[v] - smooth[v]) / highest);
            noise_measured = std::max(noise_measured, std::abs(chequered[v] - measured[v]) / highest);
        }
    EXPECT_LT(error, 0.15);
    EXPECT_LT(noise, 0.08);
    EXPECT_GT(noise_measured, 0.2);
}

TEST(ShownCurvature, TrianglesWithoutAreaAndLooseVerticesAreZero) {
    const std::vector<Vec3d> x{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
    const std::vector<std::array<int, 3>> t{{0, 1, 2}};
    for (const double value : shown_curvature(x, t)) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace rumple
