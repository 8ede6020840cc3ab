#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <rumple/modeling/clip.hpp>
#include <rumple/modeling/mannequin_shape.hpp>

namespace rumple {
namespace {

class ClipTest : public ::testing::Test {
  protected:
    Vec3d joint(Clip clip, double time, std::string_view name) const {
        const std::size_t j = skeleton_.index(name);
        return joint_motions(skeleton_, clip_pose(skeleton_, clip, time))[j](skeleton_.joints[j].position);
    }
    // Degrees between two bones, each from its joint to the next.
    double angle(Clip clip, double time, std::string_view a, std::string_view b, std::string_view c) const {
        const Vec3d u = joint(clip, time, b) - joint(clip, time, a),
                    v = joint(clip, time, c) - joint(clip, time, b);
        return std::acos(dot(u, v) / (norm(u) * norm(v))) * 180 / std::numbers::pi;
    }
    const Skeleton skeleton_ = MannequinShape().skeleton;
};

TEST_F(ClipTest, SittingHasHorizontalThighsAndKneesAtRightAngles) {
    const double t = clip_info(Clip::sit).extreme;
    for (const std::string side : {"left", "right"}) {
        EXPECT_NEAR(joint(Clip::sit, t, "thigh_" + side).z, joint(Clip::sit, t, "shin_" + side).z, 0.005);
        EXPECT_NEAR(angle(Clip::sit, t, "thigh_" + side, "shin_" + side, "foot_" + side), 90, 2);
    }
}

TEST_F(ClipTest, FeetStayPlantedWhenSitting) {
    const auto& info = clip_info(Clip::sit);
    for (const char* foot : {"foot_left", "foot_right"})
        for (int i = 0; i <= 10; ++i)
            EXPECT_LT(norm(joint(Clip::sit, info.duration * i / 10, foot) - joint(Clip::stand, 0, foot)),
                      1e-9);
}

TEST_F(ClipTest, SittingOnTheChairHasThighsNearTheHorizontalAndFeetPlanted) {
    const double t = clip_info(Clip::sit_chair).extreme;
    for (const std::string side : {"left", "right"}) {
        EXPECT_NEAR(angle(Clip::sit_chair, t, "thigh_" + side, "shin_" + side, "foot_" + side), 88, 2);
        EXPECT_LT(norm(joint(Clip::sit_chair, t, "foot_" + side) - joint(Clip::stand, 0, "foot_" + side)),
                  1e-9);
    }
}

TEST_F(ClipTest, LiftedLegHasAHorizontalThighAndTheOtherFootStays) {
    const double t = clip_info(Clip::lift_leg).extreme;
    EXPECT_NEAR(joint(Clip::lift_leg, t, "thigh_left").z, joint(Clip::lift_leg, t, "shin_left").z, 0.005);
    EXPECT_LT(norm(joint(Clip::lift_leg, t, "foot_right") - joint(Clip::stand, 0, "foot_right")), 1e-9);
}

TEST_F(ClipTest, MildlyLiftedLegHasItsThighAt55Degrees) {
    const double t = clip_info(Clip::lift_leg_mild).extreme;
    const Vec3d thigh =
        joint(Clip::lift_leg_mild, t, "shin_left") - joint(Clip::lift_leg_mild, t, "thigh_left");
    EXPECT_NEAR(std::atan2(-thigh.y, -thigh.z) * 180 / std::numbers::pi, 55, 0.5);
    EXPECT_LT(norm(joint(Clip::lift_leg_mild, t, "foot_right") - joint(Clip::stand, 0, "foot_right")), 1e-9);
}

TEST_F(ClipTest, LoweredArmsBeginHorizontalAndHang) {
    const double t = clip_info(Clip::lower_arms).extreme;
    for (const std::string side : {"left", "right"}) {
        const std::string arm = "upper_arm_" + side, forearm = "forearm_" + side;
        EXPECT_NEAR(joint(Clip::lower_arms, 0, arm).z, joint(Clip::lower_arms, 0, forearm).z, 1e-6);
        const Vec3d upper = joint(Clip::lower_arms, t, forearm) - joint(Clip::lower_arms, t, arm);
        EXPECT_NEAR(std::atan2(std::abs(upper.x), -upper.z) * 180 / std::numbers::pi, 15, 0.5);
    }
}

TEST_F(ClipTest, ArmsAreStraightAndHorizontalThenBend) {
    const double t = clip_info(Clip::bend_arms).extreme;
    for (const std::string side : {"left", "right"}) {
        const std::string arm = "upper_arm_" + side, forearm = "forearm_" + side, hand = "hand_" + side;
        EXPECT_NEAR(angle(Clip::bend_arms, 0, arm, forearm, hand), 0, 0.1);
        EXPECT_NEAR(joint(Clip::bend_arms, 0, arm).z, joint(Clip::bend_arms, 0, hand).z, 1e-6);
        EXPECT_NEAR(angle(Clip::bend_arms, t, arm, forearm, hand), 110, 0.1);
        EXPECT_NEAR(joint(Clip::bend_arms, t, forearm).z, joint(Clip::bend_arms, t, hand).z, 1e-6);
        EXPECT_LT(joint(Clip::bend_arms, t, hand).y, joint(Clip::bend_arms, t, forearm).y - 0.2);  // forward
    }
}

TEST_F(ClipTest, WalkGoesForwardAndEndsStanding) {
    const auto& info = clip_info(Clip::walk);
    const Vec3d begin = joint(Clip::walk, 0, "pelvis"), end = joint(Clip::walk, info.duration, "pelvis");
    EXPECT_LT(end.y, begin.y - 0.8);
    EXPECT_NEAR(end.z, begin.z, 0.004);
    const auto step = [&](double t) {
        return std::abs(joint(Clip::walk, t, "foot_left").y - joint(Clip::walk, t, "foot_right").y);
    };
    EXPECT_GT(step(info.extreme), 0.5);
    EXPECT_LT(step(info.duration), 1e-9);
}

TEST_F(ClipTest, ClipsReturnToTheirFirstPoseAndMoveSmoothly) {
    for (const ClipInfo& info : kClips) {
        const SkeletonPose first = clip_pose(skeleton_, info.clip, 0),
                           last = clip_pose(skeleton_, info.clip, info.duration);
        for (std::size_t j = 0; j < first.turns.size(); ++j)
            EXPECT_NEAR(std::abs(dot(first.turns[j], last.turns[j])), 1, 1e-12) << info.name;
        const SkeletonPose late = clip_pose(skeleton_, info.clip, info.duration + 7);
        EXPECT_EQ(late.turns, last.turns);
        for (const char* name : {"hand_left", "foot_left", "head", "pelvis"})  // at most 3 m/s
            for (double t = 0; t < info.duration; t += 0.02)
                EXPECT_LT(norm(joint(info.clip, t + 0.02, name) - joint(info.clip, t, name)), 0.06)
                    << info.name;
    }
}

}  // namespace
}  // namespace rumple
