#include <gtest/gtest.h>

#include <rumple/core/smooth_noise.hpp>
#include <rumple/core/split_mix.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/scene/cloth_source.hpp>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

TEST(SplitMix64, GivesThePublishedNumbers) {
    SplitMix64 random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317u);
    EXPECT_EQ(random.next(), 3203168211198807973u);
    EXPECT_EQ(random.next(), 9817491932198370423u);
}

TriMesh flat(std::size_t count) {
    TriMesh mesh;
    mesh.positions.resize(count);
    return mesh;
}

TEST(Imperfection, FirstNumbersOfSeedOneAreKnown) {
    TriMesh mesh = flat(4);
    add_imperfection(mesh, {2e-5, 1, ImperfectionDirection::z});
    EXPECT_DOUBLE_EQ(mesh.positions[0].z, 2.662463006891236e-06);  // computed apart from this program
    EXPECT_DOUBLE_EQ(mesh.positions[1].z, 9.831270290508047e-06);
    EXPECT_DOUBLE_EQ(mesh.positions[2].z, 1.884011014347185e-05);
    EXPECT_DOUBLE_EQ(mesh.positions[3].z, -2.225631317769117e-06);
}

TEST(Imperfection, IsUniformBetweenMinusAndPlusItsAmplitude) {
    TriMesh mesh = flat(20000);
    add_imperfection(mesh, {1, 7, ImperfectionDirection::z});
    double sum = 0, squares = 0;
    for (const Vec3d& x : mesh.positions) {
        EXPECT_LE(std::abs(x.z), 1);
        EXPECT_EQ(x.x, 0);
        sum += x.z;
        squares += x.z * x.z;
    }
    EXPECT_NEAR(sum / 20000, 0, 0.02);
    EXPECT_NEAR(squares / 20000, 1.0 / 3, 0.01);
}

TEST(Imperfection, RadialMovesAwayFromTheZAxisOnly) {
    const Scene rough = build(twist_document(), "held");
    const Scene smooth = build(twist_with("cloths.tube.imperfection.amplitude", 0));
    double largest = 0;
    for (std::size_t v = 0; v < rough.cloths[0].mesh.positions.size(); ++v) {
        const Vec3d x = smooth.cloths[0].mesh.positions[v], d = rough.cloths[0].mesh.positions[v] - x;
        EXPECT_EQ(d.z, 0);
        EXPECT_NEAR(x.x * d.y - x.y * d.x, 0, 1e-18);
        largest = std::max(largest, norm(d));
    }
    EXPECT_LT(largest, 2e-5);
    EXPECT_GT(largest, 1.8e-5);
    EXPECT_EQ(rough.cloths[0].rest.area, smooth.cloths[0].rest.area);  // the rest shape knows nothing of it
}

TEST(Imperfection, NormalOfAFlatSheetIsUp) {
    TriMesh mesh = flat(4);
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 0}};  // the last belongs to no triangle
    mesh.triangles = {{0, 1, 2}};
    add_imperfection(mesh, {2e-5, 1, ImperfectionDirection::normal});
    EXPECT_DOUBLE_EQ(mesh.positions[1].z, 9.831270290508047e-06);
    EXPECT_EQ(mesh.positions[1].x, 1);
    EXPECT_EQ(mesh.positions[3], (Vec3d{5, 5, 0}));
}

TEST(Imperfection, SparesWhatIsHeldAndTheReference) {
    const Scene rough = build(twist_document(), "held");
    const Scene smooth = build(twist_with("cloths.tube.imperfection.amplitude", 0));
    EXPECT_EQ(rough.cloths[0].reference, smooth.cloths[0].mesh.positions);
    EXPECT_NE(rough.cloths[0].mesh.positions, smooth.cloths[0].mesh.positions);
    for (const SceneHandle& handle : rough.handles)
        for (int v : handle.vertices) {
            const auto i = static_cast<std::size_t>(v);
            EXPECT_EQ(rough.cloths[0].mesh.positions[i], rough.cloths[0].reference[i]);
        }
}

TEST(Imperfection, SeedDecides) {
    const auto positions = [](int seed) {
        return build(twist_with("cloths.tube.imperfection.seed", seed)).cloths[0].mesh.positions;
    };
    EXPECT_EQ(positions(3), positions(3));
    EXPECT_NE(positions(3), positions(4));
}

TEST(SmoothNoise, IsItsLatticeNumbersAndHasContinuousCurvature) {
    const SmoothNoise noise(3);
    const auto second = [&](double x) {  // second difference along x
        constexpr double h = 1e-4;
        return (noise.at({x + h, 0.3, 0.7}) - 2 * noise.at({x, 0.3, 0.7}) + noise.at({x - h, 0.3, 0.7})) /
               (h * h);
    };
    for (const double x : {-3.0, 0.0, 1.0, 17.0}) {
        EXPECT_NEAR(noise.at({x - 1e-9, 0.3, 0.7}), noise.at({x, 0.3, 0.7}), 1e-12);
        EXPECT_NEAR(second(x - 1e-3), second(x + 1e-3), 0.3);  // of up to 10 in between
    }
    EXPECT_NE(noise.at({0, 0, 0}), noise.at({1, 0, 0}));
    EXPECT_NE(noise.at({1, 0, 0}), noise.at({0, 1, 0}));
    EXPECT_NE(noise.at({0, 0, 0}), SmoothNoise(4).at({0, 0, 0}));
}

// Mean squared second difference of the heights of a sheet of 0.1 m, along its rows: what is bent there.
double mean_squared_curvature(int across, double correlation_length) {
    TriMesh mesh = make_grid({.nx = across, .ny = across, .width = 0.1, .height = 0.1});
    add_imperfection(mesh, {1e-4, 5, ImperfectionDirection::z, correlation_length});
    const double edge = 0.1 / (across - 1);
    double sum = 0;
    for (int j = 0; j < across; ++j)
        for (int i = 1; i + 1 < across; ++i) {
            const auto z = [&](int at) {
                return mesh.positions[static_cast<std::size_t>(j * across + at)].z;
            };
            const double bend = (z(i - 1) - 2 * z(i) + z(i + 1)) / (edge * edge);
            sum += bend * bend;
        }
    return sum / (across * (across - 2));
}

TEST(Imperfection, WithALengthIsTheSameOnEveryMesh) {
    // Eight edges and more to the length: meshes that resolve it.
    EXPECT_NEAR(mean_squared_curvature(321, 5e-3) / mean_squared_curvature(161, 5e-3), 1, 0.1);
    EXPECT_NEAR(mean_squared_curvature(321, 0) / mean_squared_curvature(161, 0), 16, 1.6);  // as 1 / edge^4
}

TEST(Imperfection, WithALengthStaysWithinItsAmplitude) {
    TriMesh mesh = make_grid({.nx = 101, .ny = 101, .width = 0.1, .height = 0.1});
    add_imperfection(mesh, {1e-4, 2, ImperfectionDirection::z, 4e-3});
    double largest = 0;
    for (const Vec3d& x : mesh.positions) largest = std::max(largest, std::abs(x.z));
    EXPECT_LE(largest, 1e-4);
    EXPECT_GT(largest, 0.8e-4);
}

}  // namespace
}  // namespace rumple
