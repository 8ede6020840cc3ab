// What the mannequin can do. A clip starts in its first pose at t = 0, moves smoothly to its extreme pose at
// `extreme` seconds, and returns to the first pose at `duration`; before and after it stands still. To hold
// the extreme, hold the time.
//
//   stand      A-pose: arms 40 degrees off the vertical, feet apart; nothing moves
//   lift_leg   A-pose -> left thigh horizontal, knee at 90 degrees, right foot planted
//   sit        A-pose -> thighs horizontal, knees at 90 degrees, feet planted, pelvis back and down
//   bend_arms  T-pose -> elbows at 110 degrees, forearms horizontal, forward
//   lift_leg_mild  A-pose -> left thigh 55 degrees forward, shin vertical, right foot planted
//   sit_chair  as sit, but upright, onto the chair of make_chair()
//   lower_arms T-pose -> arms hang, 15 degrees off the vertical, elbows bent a little
//   walk       A-pose -> four steps forward (-Y) -> A-pose further ahead; the extreme is the widest step
#pragma once

#include <array>
#include <rumple/modeling/skeleton.hpp>
#include <string_view>

namespace rumple {

enum class Clip { stand, lift_leg, sit, bend_arms, walk, lift_leg_mild, sit_chair, lower_arms };

struct ClipInfo {
    Clip clip;
    std::string_view name;
    double extreme;   // s
    double duration;  // s
};

inline constexpr std::array<ClipInfo, 8> kClips{{{Clip::stand, "stand", 0, 0},
                                                 {Clip::lift_leg, "lift_leg", 1.5, 3},
                                                 {Clip::sit, "sit", 1.5, 3},
                                                 {Clip::bend_arms, "bend_arms", 1.5, 3},
                                                 {Clip::walk, "walk", 1.5, 4},
                                                 {Clip::lift_leg_mild, "lift_leg_mild", 1.5, 3},
                                                 {Clip::sit_chair, "sit_chair", 1.5, 3},
                                                 {Clip::lower_arms, "lower_arms", 1.5, 3}}};

const ClipInfo& clip_info(Clip clip);

// The pose of the mannequin's skeleton (of any height) at a time; any finite time.
SkeletonPose clip_pose(const Skeleton& skeleton, Clip clip, double time);

}  // namespace rumple
