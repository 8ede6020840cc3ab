// When nature does not permit it: pinches, cloth that starts inside, obstacles faster than cloth can flee.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

// Obstacles whose places are given as functions of time.
struct Moving {
    std::vector<Vec3d> begin, end;
    void to(std::vector<Vec3d> next) {
        begin = end.empty() ? next : std::move(end);
        end = std::move(next);
    }
    ObstacleMotion motion() const { return {begin, end, {}, false}; }
};

std::vector<Vec3d> shifted(const std::vector<Vec3d>& x, std::size_t first, std::size_t last, Vec3d by) {
    std::vector<Vec3d> y = x;
    for (std::size_t v = first; v < last; ++v) y[v] += by;
    return y;
}

bool all_finite(const State& state) {
    for (const auto* a : {&state.x, &state.v})
        for (const Vec3d& p : *a)
            if (!std::isfinite(p.x + p.y + p.z)) return false;
    return true;
}

// A hanging sheet between two boxes that close until they overlap by 4 mm, stay, and open again.
TEST(ContactTrouble, PinchedClothGoesOnAndComesOutClean) {
    std::vector<ObstaclePart> boxes{obstacle_of(test::box({0.04, 0.04, 0.04}, {0, -0.024, 0})),
                                    obstacle_of(test::box({0.04, 0.04, 0.04}, {0, 0.024, 0}))};
    for (ObstaclePart& box : boxes) box.moves = true;
    const TriMesh sheet = moved(make_grid(15, 15, 0.07, 0.07, Layout::alternating), {0.002, 0, 0},
                                rotation(Vec3d{1, 0, 0}, std::numbers::pi / 2));
    ContactCloths cloths({sheet}, Material{}, boxes);
    const Held held(cloths.meshes[0].positions, [](Vec3d p) { return p.z > 0.0349; });
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    in.handles = held.handles();
    const std::vector<Vec3d> open = cloths.given();
    Moving boxes_now;
    boxes_now.to(open);
    const auto step = [&](double closed) {  // m: how far each box has come
        boxes_now.to(shifted(shifted(open, 0, 8, {0, closed, 0}), 8, 16, {0, -closed, 0}));
        in.obstacles = boxes_now.motion();
        const StepReport report = stepper->step(state, in);
        EXPECT_TRUE(report.accepted) << report.failure;
        EXPECT_TRUE(all_finite(state));
        EXPECT_EQ(cloths.crossings(state, boxes_now.end).cloth, 0) << state.step;
        return report.contact;
    };
    int inside = 0;
    for (int n = 1; n <= 30; ++n) inside += step(0.006 * n / 30).inside;
    EXPECT_GT(inside, 0);  // counted
    for (int n = 0; n < 10; ++n) step(0.006);
    for (int n = 1; n <= 30; ++n) step(0.006 * (1 - n / 30.0));
    int clean = 0;  // steps until all has come out
    while (clean < 100 && !(step(0).inside == 0 && state.contact.inside.empty())) ++clean;
    EXPECT_LT(clean, 60);
    EXPECT_EQ(cloths.crossings(state, boxes_now.end).obstacles, 0);
    // the trouble was local and has left no knot: the sheet hangs as it did
    for (int n = 0; n < 100; ++n) step(0);
    EXPECT_EQ(cloths.crossings(state, boxes_now.end).obstacles, 0);
    EXPECT_LT(largest_norm(state.v), 0.05);
    EXPECT_LT(largest_difference(state.x, cloths.model.initial), 0.02);
}

// A tube a millimetre too tight, around a ball.
TEST(ContactTrouble, GarmentThatStartsSlightlyInsideComesOut) {
    Material soft;
    soft.membrane = {20, 20, 0, 10};
    ContactCloths cloths({moved(make_tube(24, 7, 0.0195, 0.02, Layout::alternating), {0, 0, -0.01})}, soft,
                         {obstacle_of(test::ball(0.02, 3))});
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    const std::vector<Vec3d> ball = cloths.given();
    EXPECT_GT(cloths.crossings(state, ball).obstacles, 20);
    StepInput in;
    int n = 0;
    for (; n < 100; ++n) {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        EXPECT_EQ(cloths.crossings(state, ball).cloth, 0);
        if (cloths.crossings(state, ball).obstacles == 0 && report.contact.inside == 0) break;
    }
    EXPECT_LT(n, 50);
    // and stays out, at rest
    for (int k = 0; k < 60; ++k) {
        ASSERT_TRUE(stepper->step(state, in).accepted);
        const auto found = cloths.crossings(state, ball);
        ASSERT_EQ(found.obstacles + found.cloth, 0) << k;
    }
}

// Two knobs smaller than a triangle, through the middle of two of them: all vertices are outside.
TEST(ContactTrouble, ClothIsDrawnOffWhatSticksOutThroughItsFaces) {
    const auto knob = [](double x, double y) { return obstacle_of(test::ball(0.003, 2, {x, y, -0.001})); };
    ContactCloths cloths({moved(make_grid(9, 9, 0.08, 0.08, Layout::right), {})}, Material{},
                         {knob(0.0033, 0.0066), knob(-0.0164, -0.0132)});
    const Held held(cloths.meshes[0].positions, [](Vec3d p) { return std::abs(p.x) > 0.0399; });
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    in.handles = held.handles();
    const std::vector<Vec3d> knobs = cloths.given();
    ASSERT_GT(cloths.crossings(state, knobs).obstacles, 4);
    int n = 0, counted = 0;
    for (; n < 60 && cloths.crossings(state, knobs).obstacles > 0; ++n) {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        counted += report.contact.inside > 0;
    }
    EXPECT_LT(n, 30);
    EXPECT_GT(counted, 0);
    EXPECT_TRUE(state.contact.inside.empty());
    for (int k = 0; k < 60; ++k) {
        ASSERT_TRUE(stepper->step(state, in).accepted);
        ASSERT_EQ(cloths.crossings(state, knobs).obstacles, 0) << k;
    }
}

TEST(ContactTrouble, StateInTheMiddleOfAPinchGoesOnToTheSameBits) {
    ContactCloths cloths({moved(make_grid(11, 11, 0.05, 0.05, Layout::alternating), {0, 0, 0.012})},
                         Material{}, {obstacle_of(test::ball(0.02, 2))});
    StepInput in;
    in.gravity = {0, 0, -9.81};
    State straight = cloths.at_rest();
    std::vector<State> moments;
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    while (straight.step < 12) {
        moments.push_back(straight);
        ASSERT_TRUE(stepper->step(straight, in).accepted);
    }
    EXPECT_FALSE(moments[1].contact.inside.empty());
    for (State state : moments) {
        const auto fresh = make_stepper(cloths.model, {.threads = 2});
        while (state.step < 12) ASSERT_TRUE(fresh->step(state, in).accepted);
        EXPECT_TRUE(state == straight);
    }
}

// A ball at 10 m/s at a cloth that hangs from its upper side: 100 thicknesses in a step.
TEST(ContactTrouble, BallThrownAtAHangingClothDoesNotGoThrough) {
    ObstaclePart ball = obstacle_of(test::ball(0.02, 2, {0.003, -0.04, 0.002}));
    ball.moves = true;
    const TriMesh sheet = moved(make_grid(17, 17, 0.12, 0.12, Layout::alternating), {},
                                rotation(Vec3d{1, 0, 0}, std::numbers::pi / 2));
    ContactCloths cloths({sheet}, Material{}, {ball});
    const Held held(cloths.meshes[0].positions, [](Vec3d p) { return p.z > 0.0599; });
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    in.handles = held.handles();
    Moving now;
    now.to(cloths.given());
    double farthest = 0;  // later it may swing back, or over the edge that holds it
    for (int n = 1; n <= 30; ++n) {
        // it stops after 9 cm, where the cloth is not yet taut
        const double way = std::min(0.09, 10 * in.h * n);
        now.to(shifted(cloths.given(), 0, ball.vertices.size(), {0, way, 0}));
        in.obstacles = now.motion();
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        const auto found = cloths.crossings(state, now.end);
        ASSERT_EQ(found.cloth, 0) << n;
        ASSERT_EQ(found.obstacles, 0) << n;
        ASSERT_LT(largest_norm(state.v), 100) << n;
        farthest = std::max(farthest, mean_of(state.x).y);
    }
    EXPECT_GT(farthest, 0.03);  // it was hit
}

// Obstacles that move several thicknesses in a step, to and fro, under a cloth.
TEST(ContactTrouble, ObstacleThatMovesSeveralThicknessesAStepDoesNotGoThrough) {
    ObstaclePart box = obstacle_of(test::box({0.03, 0.02, 0.02}));
    box.moves = true;
    ContactCloths cloths({moved(make_grid(15, 15, 0.08, 0.08, Layout::alternating), {0, 0, 0.013})},
                         Material{}, {box});
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    Moving now;
    now.to(cloths.given());
    int touched = 0;
    for (int n = 1; n <= 60; ++n) {
        const double t = n * in.h;
        now.to(shifted(cloths.given(), 0, 8, {0.03 * std::sin(20 * t), 0, 0.02 * std::sin(25 * t)}));
        in.obstacles = now.motion();
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        const auto found = cloths.crossings(state, now.end);
        ASSERT_EQ(found.cloth, 0) << n;
        ASSERT_EQ(found.obstacles, 0) << n;
        touched += report.contact.touching;
    }
    EXPECT_GT(touched, 100);
}

}  // namespace
}  // namespace rumple
