// Cloth that runs into cloth and into obstacles: momentum, determinism, going on from any moment.
#include <gtest/gtest.h>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

Vec3d momentum(const Model& model, const State& state) {
    Vec3d sum;
    for (std::size_t v = 0; v < state.v.size(); ++v) sum += model.mass[v] * state.v[v];
    return sum;
}

// Two sheets that fly at each other, one turned, one heavier by its size.
struct TwoSheets {
    ContactCloths cloths{{make_grid(9, 9, 0.04, 0.04, Layout::alternating),
                          moved(make_grid(6, 6, 0.03, 0.03, Layout::alternating), {0.004, 0.003, 0.01},
                                rotation(normalized(Vec3d{1, 2, 3}), 0.4))},
                         Material{},
                         {}};
    State state = cloths.at_rest();
    double size = 0;  // of momentum

    explicit TwoSheets(double speed) {
        for (std::size_t v = 0; v < state.v.size(); ++v) {
            state.v[v] = v < 81 ? Vec3d{0, 0, speed} : Vec3d{0.2 * speed, 0, -speed};
            size += cloths.model.mass[v] * norm(state.v[v]);
        }
    }
};

TEST(ContactImpact, MomentumOfClothOnClothIsConserved) {
    for (const double speed : {0.2, 3.0}) {
        TwoSheets sheets(speed);
        StepperOptions exact = direct_solver();  // conjugate gradients would leave their tolerance
        const auto stepper = make_stepper(sheets.cloths.model, exact);
        const Vec3d before = momentum(sheets.cloths.model, sheets.state);
        StepInput in;
        in.h = speed > 1 ? 0.002 : 0.01;
        int touched = 0, held = 0;
        for (int n = 0; n < 40; ++n) {
            const StepReport report = stepper->step(sheets.state, in);
            ASSERT_TRUE(report.accepted) << report.failure;
            touched += report.contact.touching + report.contact.collisions;
            held += report.contact.rolled_back;
            if (held == 0) {
                EXPECT_LT(norm(momentum(sheets.cloths.model, sheets.state) - before), 1e-10 * sheets.size)
                    << n;
            }
            EXPECT_EQ(sheets.cloths.crossings(sheets.state, {}).cloth, 0) << n;
        }
        EXPECT_GT(touched, 20);
        EXPECT_EQ(held, 0);
        // they did push each other
        double change = 0;
        for (std::size_t v = 0; v < 81; ++v)
            change += sheets.cloths.model.mass[v] * (speed - sheets.state.v[v].z);
        EXPECT_GT(change, 0.1 * sheets.size);
    }
}

// Eight sheets lie loosely on each other on the ground; a body of a hundred times their mass falls on them at
// 2 m/s, 20 of their thicknesses a step.
struct HitStack {
    ContactCloths cloths{sheets(), Material{}, parts()};
    State state = cloths.at_rest();
    StepInput in;

    static std::vector<TriMesh> sheets() {
        std::vector<TriMesh> all;
        for (int k = 0; k < 8; ++k)
            all.push_back(moved(make_grid(9, 9, 0.08, 0.08, Layout::alternating), {0, 0, 0.002 + 0.004 * k},
                                rotation({0, 0, 1}, 0.2 * k)));
        return all;
    }
    static std::vector<ObstaclePart> parts() {
        ObstaclePart body = obstacle_of(test::box({0.05, 0.05, 0.02}, {0, 0, 0.06}));
        body.mass = 1;
        body.on_slider = true;
        body.slider = {0, 0, 1};
        return {floor_part(1), body};
    }
    HitStack() {
        in.gravity = {0, 0, -9.81};
        state.rigid_bodies[0].velocity = {0, 0, -2};
    }
};

// The work of a step is bounded: it is repeated with a slower body rather than subdivided. The body loses
// speed in the impact and never gains any but that of gravity.
TEST(ContactImpact, AStackThatIsHitTakesFewSolves) {
    HitStack stack;
    const auto stepper = make_stepper(stack.cloths.model, {.threads = 1});
    double speed = 2;
    int most = 0;
    for (int n = 0; n < 60; ++n) {
        const StepReport report = stepper->step(stack.state, stack.in);
        ASSERT_TRUE(report.accepted) << report.failure;
        EXPECT_LE(report.contact.substeps, 2) << n;
        most = std::max(most, report.solves);
        const double now = -stack.state.rigid_bodies[0].velocity.z;
        EXPECT_LT(now, speed + 1.01 * stack.in.h * 9.81) << n;
        speed = std::max(now, 0.0);
        const auto found = stack.cloths.crossings(
            stack.state, stepper->obstacle_positions(stack.state, stack.cloths.given()));
        EXPECT_EQ(found.cloth, 0) << n;
    }
    EXPECT_LE(most, 25);
    EXPECT_LT(std::abs(speed), 0.02);
}

// A sheet falls over a ball with a weight on top: friction, weight, contacts of all kinds.
struct Draped {
    ContactCloths cloths;
    StepInput in;

    static std::vector<ObstaclePart> parts() {
        ObstaclePart weight = obstacle_of(test::box({0.02, 0.02, 0.01}, {0.002, 0.001, 0.036}));
        weight.mass = 0.02;
        return {floor_part(1), obstacle_of(test::ball(0.012, 2, {0, 0, 0.014})), weight};
    }
    Draped()
        : cloths({moved(make_grid(15, 15, 0.07, 0.07, Layout::alternating), {0, 0, 0.028})}, Material{},
                 parts()) {
        in.gravity = {0, 0, -9.81};
    }
};

TEST(ContactImpact, SameBitsForAnyNumberOfThreads) {
    const Draped scene;
    State state[3] = {scene.cloths.at_rest(), scene.cloths.at_rest(), scene.cloths.at_rest()};
    int touched = 0;
    std::vector<std::unique_ptr<Stepper>> steppers;
    for (int k = 0; k < 3; ++k) {
        StepperOptions options;
        options.threads = k + 1;
        steppers.push_back(make_stepper(scene.cloths.model, options));
    }
    for (int n = 0; n < 40; ++n) {
        for (int k = 0; k < 3; ++k) {
            const StepReport report = steppers[static_cast<std::size_t>(k)]->step(state[k], scene.in);
            ASSERT_TRUE(report.accepted) << report.failure;
            touched += report.contact.touching;
        }
        ASSERT_TRUE(state[0] == state[1]) << n;
        ASSERT_TRUE(state[0] == state[2]) << n;
    }
    EXPECT_GT(touched, 3 * 40 * 20);
    EXPECT_FALSE(state[0].contact.tangential_displacement.empty());
}

TEST(ContactImpact, GoesOnFromAnyMomentToTheSameBits) {
    const Draped scene;
    State straight = scene.cloths.at_rest();
    std::vector<State> moments;
    {
        const auto stepper = make_stepper(scene.cloths.model, {.threads = 1});
        for (int n = 0; n < 40; ++n) {
            if (n % 10 == 5) moments.push_back(straight);
            ASSERT_TRUE(stepper->step(straight, scene.in).accepted);
        }
    }
    for (State state : moments) {  // a stepper that knows nothing but the state
        const auto fresh = make_stepper(scene.cloths.model, {.threads = 1});
        while (state.step < 40) ASSERT_TRUE(fresh->step(state, scene.in).accepted);
        EXPECT_TRUE(state == straight);
    }
}

TEST(ContactImpact, DrapedClothCrossesNothingAndComesToRest) {
    const Draped scene;
    const auto stepper = make_stepper(scene.cloths.model, {.threads = 1});
    State state = scene.cloths.at_rest();
    for (int n = 0; n < 200; ++n) {
        const StepReport report = stepper->step(state, scene.in);
        ASSERT_TRUE(report.accepted) << report.failure;
        const auto found =
            scene.cloths.crossings(state, stepper->obstacle_positions(state, scene.cloths.given()));
        ASSERT_EQ(found.cloth, 0) << n;
        ASSERT_EQ(found.obstacles, 0) << n;
    }
    const std::vector<Vec3d> before = state.x;
    for (int n = 0; n < 100; ++n) ASSERT_TRUE(stepper->step(state, scene.in).accepted);
    EXPECT_LT(largest_difference(state.x, before), 1e-4);
}

}  // namespace
}  // namespace rumple
