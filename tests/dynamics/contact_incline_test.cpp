// Friction holds below its angle and lets go above it; what it holds does not creep.
#include <gtest/gtest.h>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

constexpr double kFriction = 0.4, kGravity = 9.81;

// A patch that lies on a plane, with gravity tilted instead of the plane.
struct Incline {
    ContactCloths cloths{{moved(make_grid(7, 7, 0.03, 0.03, Layout::alternating), {0.3, -0.2, 9.9e-4})},
                         Material{},
                         {floor_part(4)}};
    std::unique_ptr<Stepper> stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;

    explicit Incline(double part_of_friction_angle) {
        const double angle = part_of_friction_angle * std::atan(kFriction);
        in.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    }
    void steps(int n) {
        for (int i = 0; i < n; ++i) {
            const StepReport report = stepper->step(state, in);
            ASSERT_TRUE(report.accepted) << report.failure;
        }
    }
};

TEST(ContactIncline, PatchRestsBelowTheFrictionAngleAndDoesNotCreep) {
    Incline incline(0.98);
    incline.steps(300);
    const std::vector<Vec3d> before = incline.state.x;
    EXPECT_LT(largest_difference(before, incline.cloths.model.initial), 5e-4);
    incline.steps(3000);
    EXPECT_LT(largest_difference(incline.state.x, before), 1e-6);
    RecordProperty("moved", std::to_string(largest_difference(incline.state.x, before)));
}

TEST(ContactIncline, PatchSlidesAboveItAsCoulombSays) {
    Incline incline(1.02);
    incline.steps(200);
    const double angle = 1.02 * std::atan(kFriction);
    const double acceleration = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
    const double speed = mean_of(incline.state.v).x;
    incline.steps(100);
    EXPECT_GT(speed, 0.4 * acceleration * 2);  // it has to stretch to its limit first
    EXPECT_NEAR((mean_of(incline.state.v).x - speed) / (acceleration * 1), 1, 0.05);
    EXPECT_GT(mean_of(incline.state.x).x - 0.3, 0.1);
}

TEST(ContactIncline, SlidesFreelyWithoutFriction) {
    ContactCloths cloths({moved(make_grid(5, 5, 0.02, 0.02, Layout::alternating), {0.3, -0.2, 9.9e-4})},
                         Material{}, [] {
                             ObstaclePart plane = floor_part(4);
                             plane.friction = 0;
                             return std::vector{plane};
                         }());
    const auto stepper = make_stepper(cloths.model, direct_solver());
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {1, 0, -9};
    for (int n = 0; n < 50; ++n) ASSERT_TRUE(stepper->step(state, in).accepted);
    EXPECT_NEAR(mean_of(state.v).x, 0.5, 1e-6);
    EXPECT_NEAR(mean_of(state.x).x - 0.3, 0.5 * 0.01 * 0.01 * 50 * 51, 1e-6);
}

// Gravity that turns round below the limit, overshoot included: a spring that gives and returns.
TEST(ContactIncline, ShakenBelowTheLimitItStaysWhereItWas) {
    Incline incline(0.3);
    incline.steps(300);
    const std::vector<Vec3d> before = incline.state.x;
    const Vec3d gravity = incline.in.gravity;
    for (int n = 0; n < 10; ++n) {
        incline.in.gravity.x = gravity.x * (n % 2 ? 1 : -1);
        incline.steps(20);
    }
    incline.in.gravity = gravity;
    incline.steps(300);
    EXPECT_LT(largest_difference(incline.state.x, before), 1e-6);
}

}  // namespace
}  // namespace rumple
