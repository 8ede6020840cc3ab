#include <gtest/gtest.h>

#include <numbers>
#include <rumple/scene/timeline.hpp>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_near(Vec3d a, Vec3d b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

// One handle, phases as given: (motion, steps) pairs with h = 0.01.
Scene scene_of(const std::vector<std::pair<HandleMotion, int>>& phases) {
    Scene scene;
    scene.handles.push_back({"a", {0}, 0, true});
    for (const auto& [motion, steps] : phases) {
        Phase phase;
        phase.steps = steps;
        phase.motions = {motion};
        scene.phases.push_back(phase);
    }
    return scene;
}

TEST(HandleMotion, TurnsAboutItsAxisThenMoves) {
    HandleMotion motion;
    motion.axis = {0, 0, 1};
    motion.through = {1, 0, 0};
    motion.angle = kPi / 2;
    motion.translate = {0, 0, 3};
    expect_near(motion.at(2, 2).apply({2, 0, 0}), {1, 1, 3}, 1e-15);
    const double c = std::cos(kPi / 8), s = std::sin(kPi / 8);
    expect_near(motion.at(0.5, 2).apply({2, 0, 0}), {1 + c, s, 0.75}, 1e-15);
    expect_near(motion.at(0, 2).apply({2, 0, 0}), {2, 0, 0}, 0);
}

TEST(HandleMotion, ClockwiseSeenFromAboveIsANegativeAngleAboutZ) {
    HandleMotion motion;
    motion.angle = -kPi / 2;
    expect_near(motion.at(1, 1).apply({1, 0, 0}), {0, -1, 0}, 1e-15);
}

TEST(HandleMotion, SmoothEaseStartsAndEndsAtRest) {
    HandleMotion motion;
    motion.translate = {1, 0, 0};
    motion.ease = Ease::smooth;
    const auto x = [&](double t) { return motion.at(t, 2).translation.x; };
    EXPECT_EQ(x(0), 0);
    EXPECT_DOUBLE_EQ(x(0.5), 0.15625);  // 3/16 - 2/64
    EXPECT_DOUBLE_EQ(x(1), 0.5);
    EXPECT_EQ(x(2), 1);
    EXPECT_LT(x(1e-4), 1e-8);  // no speed at the beginning
    EXPECT_LT(1 - x(2 - 1e-4), 1e-8);
}

TEST(HandleMotion, KeyframesAreReachedExactlyAndTheLastOneLasts) {
    HandleMotion motion;
    motion.keyframes = {{0.5, {1, 0, 0}, kPi}, {1, {0, 2, 0}, 0}};
    EXPECT_EQ(motion.at(0.5, 2).translation, (Vec3d{1, 0, 0}));
    EXPECT_DOUBLE_EQ(motion.at(0.5, 2).rotation(0, 0), -1);
    EXPECT_EQ(motion.at(0.25, 2).translation, (Vec3d{0.5, 0, 0}));
    EXPECT_NEAR(motion.at(0.25, 2).rotation(1, 0), 1, 1e-15);
    EXPECT_EQ(motion.at(0.75, 2).translation, (Vec3d{0.5, 1, 0}));
    EXPECT_EQ(motion.at(1, 2).translation, (Vec3d{0, 2, 0}));
    EXPECT_EQ(motion.at(1.7, 2).translation, (Vec3d{0, 2, 0}));
    EXPECT_EQ(motion.at(1.7, 2).rotation(0, 0), 1);
}

TEST(HandleMotion, EasesBetweenKeyframes) {
    HandleMotion motion;
    motion.ease = Ease::smooth;
    motion.keyframes = {{1, {1, 0, 0}, 0}, {2, {2, 0, 0}, 0}};
    EXPECT_DOUBLE_EQ(motion.at(0.25, 2).translation.x, 0.15625);
    EXPECT_DOUBLE_EQ(motion.at(1.25, 2).translation.x, 1.15625);
}

TEST(Timeline, LastStepOfAPhaseIsItsTargetToTheBit) {
    HandleMotion motion;
    motion.translate = {0.1, 0.2, -0.02};
    const Scene scene = scene_of({{motion, 7}});
    EXPECT_EQ(Timeline(scene).pose(0, 7, 0).translation, motion.translate);
}

TEST(Timeline, PosesComposeOverPhases) {
    HandleMotion turn, lift;
    turn.through = {1, 0, 0};
    turn.angle = kPi / 2;
    lift.translate = {0, 0, 1};
    const Scene scene = scene_of({{lift, 10}, {turn, 10}, {lift, 20}, {HandleMotion{}, 5}});
    const Timeline timeline(scene);
    expect_near(timeline.pose(0, 5, 0).apply({2, 0, 0}), {2, 0, 0.5}, 1e-15);
    expect_near(timeline.pose(1, 10, 0).apply({2, 0, 0}), {1, 1, 1}, 1e-15);
    expect_near(timeline.pose(2, 10, 0).apply({2, 0, 0}), {1, 1, 1.5}, 1e-15);
    expect_near(timeline.pose(3, 5, 0).apply({2, 0, 0}), {1, 1, 2}, 1e-15);
}

TEST(Timeline, BeginningOfAPhaseIsTheEndOfTheOneBefore) {
    HandleMotion turn;
    turn.angle = 1;
    turn.translate = {1, 2, 3};
    const Scene scene = scene_of({{turn, 3}, {turn, 4}});
    const Timeline timeline(scene);
    EXPECT_EQ(timeline.pose(1, 0, 0).translation, timeline.pose(0, 3, 0).translation);
    for (int i = 0; i < 9; ++i)
        EXPECT_EQ(timeline.pose(1, 0, 0).rotation.m[i], timeline.pose(0, 3, 0).rotation.m[i]);
}

TEST(Timeline, TwistAndBackEndsWhereItBegan) {
    const Scene scene = build(twist_document(), "held");
    const Timeline timeline(scene);
    expect_near(timeline.pose(0, 100, 0).apply({0.04, 0, 0.11}), {0, -0.04, 0.09}, 1e-16);
    expect_near(timeline.pose(2, 50, 0).apply({0.04, 0, 0.11}), {0, -0.04, 0.09}, 1e-16);
    expect_near(timeline.pose(4, 50, 0).apply({0.04, 0, 0.11}), {0.04, 0, 0.11}, 1e-16);
    expect_near(timeline.pose(3, 20, 1).apply({0.04, 0, 0}), {0.04, 0, 0}, 0);
}

TEST(Timeline, GrabBeginsANewPoseAndReleaseEndsIt) {
    HandleMotion lift;
    lift.translate = {0, 0, 1};
    Scene scene = scene_of({{lift, 10}, {HandleMotion{}, 10}, {lift, 10}, {lift, 10}});
    scene.phases[1].release = {0};
    scene.phases[2].grab = {0};
    const Timeline timeline(scene);
    EXPECT_TRUE(timeline.active(0, 0));
    EXPECT_FALSE(timeline.active(1, 0));
    EXPECT_TRUE(timeline.active(2, 0));
    EXPECT_TRUE(timeline.active(3, 0));
    EXPECT_DOUBLE_EQ(timeline.pose(2, 5, 0).translation.z, 0.5);  // from the grab, not from the beginning
    EXPECT_DOUBLE_EQ(timeline.pose(3, 10, 0).translation.z, 2);
}

TEST(Timeline, HandleNotFromTheStartIsHeldFromItsGrab) {
    Scene scene = scene_of({{HandleMotion{}, 1}, {HandleMotion{}, 1}});
    scene.handles[0].from_start = false;
    scene.phases[1].grab = {0};
    const Timeline timeline(scene);
    EXPECT_FALSE(timeline.active(0, 0));
    EXPECT_TRUE(timeline.active(1, 0));
}

TEST(Timeline, PhaseWithoutStepsMovesNothing) {
    HandleMotion lift;
    lift.translate = {0, 0, 1};
    const Scene scene = scene_of({{lift, 0}, {lift, 10}});
    EXPECT_DOUBLE_EQ(Timeline(scene).pose(1, 10, 0).translation.z, 1);
}

}  // namespace
}  // namespace rumple
