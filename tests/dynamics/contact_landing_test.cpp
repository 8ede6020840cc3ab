// Cloth that lands while it moves along the ground: friction takes from it what Coulomb's law says.
#include <gtest/gtest.h>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

constexpr double kFriction = 0.3;

// A flat sheet `height` above the ground, without gravity, that moves by (along, 0, -down) m/s.
struct Landing {
    ContactCloths cloths;
    std::unique_ptr<Stepper> stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;

    static ObstaclePart ground() {
        ObstaclePart plane = floor_part(4);
        plane.friction = kFriction;
        return plane;
    }
    Landing(double height, double along, double down)
        : cloths({moved(make_grid(9, 9, 0.04, 0.04, Layout::alternating), {0.3, -0.2, height},
                        rotation({0, 0, 1}, 0.3))},
                 Material{}, {ground()}) {
        for (Vec3d& v : state.v) v = {along, 0, -down};
    }
    Vec3d velocity_after(int steps) {
        for (int i = 0; i < steps; ++i) {
            const StepReport report = stepper->step(state, in);
            EXPECT_TRUE(report.accepted) << report.failure;
            EXPECT_EQ(cloths.crossings(state, cloths.given()).obstacles, 0);
        }
        return mean_of(state.v);
    }
};

// Wherever in the step the impact is, and whether it takes one step or two.
TEST(ContactLanding, FrictionTakesWhatCoulombSays) {
    for (const double height : {0.004, 0.011, 0.018, 0.026, 0.037}) {
        Landing landing(height, 2, 3);
        const Vec3d v = landing.velocity_after(12);
        EXPECT_NEAR(v.x, 2 - kFriction * 3, 0.055) << height;  // 1.1 m/s, within 5 %
        EXPECT_NEAR(v.y, 0, 0.02) << height;
        EXPECT_NEAR(v.z, 0, 0.1) << height;
    }
}

TEST(ContactLanding, FrictionStopsWhatCoulombSaysItCan) {
    for (const double height : {0.004, 0.011, 0.018, 0.026, 0.037}) {
        Landing landing(height, 0.5, 3);  // 0.9 m/s would be stopped
        const Vec3d v = landing.velocity_after(12);
        EXPECT_LT(std::hypot(v.x, v.y), 0.025) << height;  // 5 % of what it had
    }
}

// With short steps, too, in which it comes to rest on the ground's contact force step by step.
TEST(ContactLanding, FrictionTakesTheSameInShortSteps) {
    Landing landing(0.0105, 2, 3);
    landing.in.h = landing.in.material_dt = 0.001;
    EXPECT_NEAR(landing.velocity_after(60).x, 2 - kFriction * 3, 0.055);
}

}  // namespace
}  // namespace rumple
