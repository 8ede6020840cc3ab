// Strips cut from one cloth along the warp, the bias and the weft, on irregular meshes: each droops under its
// own weight as a strip whose stiffness is D of its direction.
#include <gtest/gtest.h>

#include <irregular_sheet.hpp>
#include <rumple/constitutive/directional_bending.hpp>
#include <rumple/constitutive/hinge_angle.hpp>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

// Little enough that a strip cut on the bias, which is free to twist, hardly does.
constexpr DirectionalStiffness kCloth{.warp = 9e-5, .weft = 6e-5, .bias = 6e-5};  // N m
constexpr double kLength = 0.05, kWidth = 0.12, kEdge = 0.005;                    // m

Material directional(const DirectionalStiffness& k) {
    Material m = elastic_material(0.1, 1e-4, 500);
    m.set_directions({.bending = k, .friction = {}, .hardening = {}});
    return m;
}

Material plain(double bending) { return elastic_material(0.1, bending, 500); }

// Drop over reach of the tip of a strip that is clamped at its left end, under a weight of Gamma = 5 for the
// mean stiffness of the cloth.
double droop(const TriMesh& mesh, const Material& material) {
    const SampleCloth cloth(mesh, material);
    StepInput in;
    in.h = 0.05;
    in.mass_damping = 3;
    in.gravity = {0, 0, -5 * coefficients(kCloth).c0 / (material.density * std::pow(kLength - kEdge, 3))};
    const Held clamp(mesh.positions, [](Vec3d p) { return p.x < 1.2 * kEdge; });
    in.handles = clamp.handles();
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    EXPECT_GT(settle(*stepper, state, in, 1e-6 * kLength, 1000), 0);
    Vec3d tip;
    double count = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (mesh.positions[v].x > 0.999 * kLength) tip += state.x[v], ++count;
    return -tip.z / (tip.x - count * kEdge);
}

TEST(DirectionalModel, HingesHaveTheStiffnessOfTheirDirection) {
    const SampleCloth cloth(make_irregular_sheet(0.03, 0.03, 0.005, 0.4, 1), directional(kCloth));
    ASSERT_EQ(cloth.model.stiffness_factors.size(), cloth.model.hinges.size());
    for (std::size_t e = 0; e < cloth.model.hinges.size(); ++e) {
        const auto& h = cloth.model.hinges[e];
        const Vec2d edge =
            cloth.mesh.uvs[static_cast<std::size_t>(h[1])] - cloth.mesh.uvs[static_cast<std::size_t>(h[0])];
        const double cos_2phi = (edge.y * edge.y - edge.x * edge.x) / dot(edge, edge);  // across the edge
        EXPECT_NEAR(cloth.model.bending_law_of(e).plasticity.k, hinge_stiffness(kCloth, cos_2phi), 1e-12);
    }
    const SampleCloth plain_cloth(cloth.mesh, plain(1e-4));
    EXPECT_TRUE(plain_cloth.model.stiffness_factors.empty());
}

// Elements use those factors, for elasticity and for friction, which sticks here.
TEST(DirectionalModel, EnergyIsThatOfItsHinges) {
    Material m = directional(kCloth);
    m.friction_kind = FrictionKind::dwell;
    m.friction.eps_0 = m.friction.eps_inf = 3;
    m.set_directions({kCloth, DirectionalStiffness{3e-5, 2e-5, 2e-5}, {}});
    const SampleCloth cloth(make_irregular_sheet(0.03, 0.03, 0.005, 0.4, 1), m);
    State state = cloth.at_rest();
    for (Vec3d& p : state.x) p = {std::sin(50 * p.x) / 50, p.y, (1 - std::cos(50 * p.x)) / 50};
    double bending = 0, without = 0;
    for (std::size_t e = 0; e < cloth.model.hinges.size(); ++e) {
        const auto& h = cloth.model.hinges[e];
        const auto at = [&](std::size_t i) { return state.x[static_cast<std::size_t>(h[i])]; };
        const double angle = hinge_angle(at(0), at(1), at(2), at(3));
        const double half = 0.5 * cloth.model.length_over_height[e] * angle * angle;
        const ComponentLaw<double> law = cloth.model.bending_law_of(e);
        bending += half * (law.plasticity.k + law.friction.k);
        without += half * (m.bending + m.friction.k);
    }
    const SampleCloth limp(cloth.mesh, elastic_material(0.1, 0, 500));
    State same = limp.at_rest();
    same.x = state.x;
    const double membrane = make_stepper(limp.model, {.threads = 1})->potential_energy(same, {});
    EXPECT_NEAR(make_stepper(cloth.model, {.threads = 1})->potential_energy(state, {}) - membrane, bending,
                1e-9 * (bending + membrane));
    EXPECT_GT(std::abs(without / bending - 1), 1e-2);  // directions do matter here
}

class CutStrip : public testing::TestWithParam<int> {};  // degrees from the warp

TEST_P(CutStrip, DroopsAsItsDirectionSays) {
    const double phi = GetParam() * std::numbers::pi / 180;
    const double D = plate_stiffness(kCloth, std::cos(2 * phi));
    for (const unsigned seed : {1u, 2u, 3u}) {
        const TriMesh mesh = make_irregular_sheet(kLength, kWidth, kEdge, phi, seed);
        const double droops = droop(mesh, directional(kCloth));
        // as a plain strip on the same mesh whose stiffness is D within 5 %
        EXPECT_LT(droop(mesh, plain(1.05 * D)), droops) << "mesh " << seed;
        EXPECT_GT(droop(mesh, plain(0.95 * D)), droops) << "mesh " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Degrees, CutStrip, testing::Values(0, 45, 90));

}  // namespace
}  // namespace rumple
