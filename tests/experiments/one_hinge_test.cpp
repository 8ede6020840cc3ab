// What one hinge keeps, against the formulas of its laws.
#include <gtest/gtest.h>

#include <cmath>
#include <experiments/one_hinge.hpp>
#include <rumple/material/material.hpp>

namespace rumple {
namespace {

// Held long enough that friction sticks while it is released: 0 = k (e - p) + k_f (e - anchor).
TEST(OneHinge, HeldKeepsTheBalanceOfBothLaws) {
    const Material& cotton = *find_preset("cotton");
    const ComponentLaw<double> law = cotton.bending_law(cotton.H_ref);
    const double k = law.plasticity.k, k_f = law.friction.k;
    for (const double strain : {0.5, 1.5, 2.0, 3.0, 4.0}) {
        const HingeMemory held = remember(law, strain, 500);
        const double alpha = law.plasticity.K_h0 / k * (1 - law.plasticity.g * (1 - std::exp(-500 / 30.0)));
        const double p = strain > law.plasticity.eps_Y0 ? (strain - law.plasticity.eps_Y0) / (1 + alpha) : 0;
        const double e = (k * p + k_f * (strain - law.friction.eps_0)) / (k + k_f);
        EXPECT_NEAR(held.kept, e / strain, 0.02) << strain;  // friction aged a little while it was bent
        EXPECT_NEAR(held.plastic, p / e, 0.02) << strain;
    }
}

TEST(OneHinge, ElasticKeepsNothingAndBriefLessThanHeld) {
    ComponentLaw<double> law = find_preset("cotton")->bending_law(0.0025);
    for (const double strain : {1.0, 2.0, 4.0})  // from 0.5 friction need not slip even when it is brief
        EXPECT_LT(remember(law, strain, 0).kept, remember(law, strain, 500).kept) << strain;
    law.yields = false;
    law.friction_kind = FrictionKind::none;
    EXPECT_NEAR(remember(law, 2, 500).kept, 0, 1e-9);
}

}  // namespace
}  // namespace rumple
