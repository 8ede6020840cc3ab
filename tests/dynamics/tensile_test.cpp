// Tensile laws in a strip: pulled along the warp beyond yield, held, released. With k12 = 0 the strip is the
// scalar law.
#include <gtest/gtest.h>
#include <rumple/constitutive/strain_component.hpp>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kLength = 0.04;

Material stretchy(bool friction) {
    Material m = elastic_material(0.1, 1e-6, 50);
    m.membrane = {50, 50, 0, 30};
    m.tensile_plasticity = TensilePlasticity{};
    if (friction) m.tensile_friction = TensileFriction{};
    return m;
}

struct Residual {
    double strain;  // mean E_uu of the released strip
    double spread;  // largest difference between triangles
    double scalar;  // of the scalar law along the same strains, where it ends without stress; plasticity only
};

// Pulls to Green strain `e` in a second, holds for `hold` seconds of material time, lets go.
Residual pull_and_release(const Material& material, double e, double hold) {
    const SampleCloth strip(make_grid(9, 3, kLength, 0.01, Layout::alternating), material);
    const Held left(strip.mesh.positions, [](Vec3d p) { return p.x < -0.4999 * kLength; });
    const Held right(strip.mesh.positions, [](Vec3d p) { return p.x > 0.4999 * kLength; });
    std::vector<int> vertices = left.vertices;
    vertices.insert(vertices.end(), right.vertices.begin(), right.vertices.end());
    const auto stepper = make_stepper(strip.model, direct_solver());
    State state = strip.at_rest();
    StepInput in;
    in.mass_damping = 200;

    const ComponentLaw<double> law = material.membrane_law(0);
    ComponentHistory<double> scalar = initial_history(0.0);
    const auto go = [&](double strain, double material_dt) {
        const Vec3d moved{kLength * (std::sqrt(1 + 2 * strain) - 1), 0, 0};
        std::vector<Vec3d> targets = left.targets;
        for (const Vec3d& p : right.targets) targets.push_back(p + moved);
        in.material_dt = material_dt;
        in.handles = {vertices, targets, {}};
        EXPECT_TRUE(stepper->step(state, in).accepted);
        advance(law, scalar, strain, {material_dt, 0});
    };
    for (int n = 1; n <= 100; ++n) go(e * n / 100, 0.01);
    for (int n = 0; n < 50; ++n) go(e, hold / 50);
    in.handles = {};
    in.material_dt = 0.01;
    EXPECT_GT(settle(*stepper, state, in, 1e-13, 3000), 0);

    double sum = 0, least = 1, most = -1;
    for (std::size_t t = 0; t < strip.model.triangles.size(); ++t) {
        const double uu = state.membrane.strain[3 * t];
        sum += uu;
        least = std::min(least, uu);
        most = std::max(most, uu);
    }
    return {sum / strip.model.triangle_count(), most - least, scalar.plasticity.plastic};
}

TEST(TensilePlasticity, StripKeepsTheStrainOfTheScalarLaw) {
    for (double hold : {0.0, 300.0}) {
        const Residual r = pull_and_release(stretchy(false), 0.08, hold);
        EXPECT_GT(r.scalar, 0.03);
        // the strip is not loaded quite evenly while it is pulled
        EXPECT_NEAR(r.strain, r.scalar, 1e-3 * r.scalar) << "held for " << hold << " s";
        EXPECT_LT(r.spread, 1e-2 * r.scalar);
    }
}

TEST(TensilePlasticity, HeldStripKeepsMoreThanABriefOne) {
    for (bool friction : {false, true}) {
        const double brief = pull_and_release(stretchy(friction), 0.08, 0).strain;
        const double held = pull_and_release(stretchy(friction), 0.08, 300).strain;
        EXPECT_GT(held, 1.02 * brief) << "friction " << friction;
    }
}

TEST(TensileFriction, KeepsAStripLongerThanPlasticityAlone) {
    EXPECT_GT(pull_and_release(stretchy(true), 0.08, 300).strain,
              1.1 * pull_and_release(stretchy(false), 0.08, 300).strain);
}

TEST(TensilePlasticity, BelowYieldNothingStays) {
    const Residual r = pull_and_release(stretchy(false), 0.03, 300);
    EXPECT_EQ(r.scalar, 0);
    EXPECT_NEAR(r.strain, 0, 1e-9);
}

}  // namespace
}  // namespace rumple
