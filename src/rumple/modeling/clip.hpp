// What the mannequin can do. A clip starts in its first pose at t = 0, moves smoothly to its extreme pose at
// `extreme` seconds, and returns to the first pose at `duration`; before and after it stands still. To hold
// the extreme, hold the time.
//
//   stand      A-pose: arms 40 degrees off the vertical, feet apart; nothing moves
//   lift_leg   A-pose -> left thigh horizontal, knee at 90 degrees, right foot planted
//   sit        A-pose -> thighs horizontal, knees at 90 degrees, feet planted, pelvis back and down
//   bend_arms  T-pose -> elbows at 110 degrees, forearms horizontal, forward
//   walk       A-pose -> four steps forward (-Y) -> A-pose further ahead; the extreme is the widest step
#pragma once

#include <array>
#include <rumple/modeling/skeleton.hpp>
#include <string_view>

namespace rumple {

enum class Clip { stand, lift_leg, sit, bend_arms, walk };

struct ClipInfo {
    Clip clip;
    std::string_view name;
    double extreme;   // s
    double duration;  // s
};

inline constexpr std::array<ClipInfo, 5> kClips{{{Clip::stand, "stand", 0, 0},
                                                 {Clip::lift_leg, "lift_leg", 1.5, 3},
                                                 {Clip::sit, "sit", 1.5, 3},
                                                 {Clip::bend_arms, "bend_arms", 1.5, 3},
                                                 {Clip::walk, "walk", 1.5, 4}}};

const ClipInfo& clip_info(Clip clip);

// The pose of the mannequin's skeleton (of any height) at a time; any finite time.
SkeletonPose clip_pose(const Skeleton& skeleton, Clip clip, double time);

}  // namespace rumple
