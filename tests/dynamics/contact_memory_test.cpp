// What a step knows of contact comes from its State and its input alone, each contact once.
#include <gtest/gtest.h>

#include <type_traits>

#include <rumple/contact/contact_system.hpp>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

static_assert(!std::is_copy_constructible_v<contact::ContactSystem> &&
                  !std::is_move_constructible_v<contact::ContactSystem>,
              "the parts of a ContactSystem refer to each other");

// A stepper that has moved its obstacle away, and a fresh one: without a motion the obstacle stands where it
// began, for both.
TEST(ContactMemory, AUsedStepperTakesTheSameStepAsAFreshOne) {
    ObstaclePart plate = obstacle_of(test::box({0.2, 0.2, 0.02}, {0, 0, -0.0105}));
    plate.moves = true;
    ContactCloths cloths({make_grid(9, 9, 0.08, 0.08, Layout::alternating)}, Material{}, {plate});
    StepInput in;
    in.gravity = {0, 0, -9.81};
    const auto used = make_stepper(cloths.model, {.threads = 1});
    State elsewhere = cloths.at_rest();
    const std::vector<Vec3d> begin = cloths.given();
    std::vector<Vec3d> end = begin;
    for (Vec3d& p : end) p.z -= 0.05;
    in.obstacles = {begin, end, {}, false};
    ASSERT_TRUE(used->step(elsewhere, in).accepted);

    in.obstacles = {};
    const auto fresh = make_stepper(cloths.model, {.threads = 1});
    State of_used = cloths.at_rest(), of_fresh = cloths.at_rest();
    for (int n = 0; n < 5; ++n) {
        ASSERT_TRUE(used->step(of_used, in).accepted);
        ASSERT_TRUE(fresh->step(of_fresh, in).accepted);
    }
    EXPECT_EQ(of_used, of_fresh);
    EXPECT_EQ(largest_difference(of_used.x, of_fresh.x), 0);
}

// A box on a box that drifts slowly: they stick, so what friction remembers is how far the one has moved
// against the other since they met.
TEST(ContactMemory, TwoRigidBodiesAreRememberedOnceWhereBothEnd) {
    std::vector<ObstaclePart> boxes{obstacle_of(test::box({0.2, 0.2, 0.02}, {0, 0, 0})),
                                    obstacle_of(test::box({0.1, 0.1, 0.02}, {0.003, 0.002, 0.0207}))};
    for (ObstaclePart& box : boxes) box.mass = 1;
    ContactCloths cloths({moved(make_grid(3, 3, 0.02, 0.02, Layout::alternating), {30, 0, 3})}, Material{},
                         boxes);
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    state.rigid_bodies[0].velocity = {1e-3, 0, 0};
    StepInput in;
    ASSERT_TRUE(stepper->step(state, in).accepted);

    const ContactMemory& memory = state.contact;
    ASSERT_GT(memory.a.size(), 3u);
    const auto key = [&](std::size_t k) { return std::array{memory.kind[k], memory.a[k], memory.b[k]}; };
    for (std::size_t k = 1; k < memory.a.size(); ++k) EXPECT_LT(key(k - 1), key(k));
    // Vertices of the upper box on the top face of the lower one: how far each has moved against the point of
    // the lower box that was below it.
    const std::vector<Vec3d> before = cloths.given(), after = stepper->obstacle_positions(state, before);
    const RigidBodyState& lower = state.rigid_bodies[0];
    int found = 0;
    for (std::size_t k = 0; k < memory.a.size(); ++k) {
        const int upper_vertex = memory.a[k] - cloths.model.vertex_count();
        if (memory.kind[k] != 0 || upper_vertex < 8) continue;
        const auto v = static_cast<std::size_t>(upper_vertex);
        const Vec3d below{before[v].x, before[v].y, 0.01};
        const Vec3d moved_below = lower.position + lower.rotation * below;  // its centre is the origin
        const double slid = after[v].x - before[v].x - (moved_below.x - below.x);
        EXPECT_LT(slid, -1e-6) << k;
        EXPECT_NEAR(memory.tangential_displacement[k].x, slid, 1e-8) << k;
        ++found;
    }
    EXPECT_EQ(found, 4);
}

}  // namespace
}  // namespace rumple
