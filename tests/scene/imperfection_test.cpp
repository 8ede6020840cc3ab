#include <gtest/gtest.h>

#include <rumple/core/split_mix.hpp>
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

}  // namespace
}  // namespace rumple
