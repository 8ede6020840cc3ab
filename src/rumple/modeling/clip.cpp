#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/modeling/clip.hpp>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/mannequin_shape.hpp>

namespace rumple {

namespace {

constexpr double kStandArm = 50, kStandLeg = 5;    // degrees: below the horizontal; off the vertical
constexpr double kStandElbow = 10;                 // degrees
constexpr double kRestElbow = 30;                  // degrees: sitting on the chair, more than standing
constexpr double kMildThigh = 55, kHangArm = 25;   // degrees: forward; below the arm of the stand
constexpr double kHangElbow = 12, kHangSwing = 5;  // degrees: of relaxed arms; more than standing, backwards
constexpr double kStep = 1.0 / 240;                // s, with which a walk's planted feet are added up

double radians(double degrees) { return degrees * std::numbers::pi / 180; }
// Positive pitch turns towards the front (-Y): it lifts a hanging leg forward and tips an upright trunk back.
Quat pitch(double degrees) { return turn({1, 0, 0}, -radians(degrees)); }
Quat roll(double degrees) { return turn({0, 1, 0}, radians(degrees)); }

// 0 to 1 with no speed and no acceleration at the ends.
double ease(double s) {
    s = std::clamp(s, 0.0, 1.0);
    return s * s * s * (10 + s * (6 * s - 15));
}

struct Side {
    double thigh = 0, shin = 0;  // degrees of pitch, in the world
    double foot = 0;
    double arm_raise = 0;  // degrees above the arm of the stand
    double elbow = 0;      // degrees of the elbow about the vertical, for a raised arm
    double arm_swing = 0;  // degrees of pitch
};
struct Posture {
    double pelvis = 0,
           lumbar = 0;  // degrees of pitch of the pelvis; of the trunk above it, both in the world
    Side left, right;
};

// All turns are set in the world's frame and then expressed in the parents'.
class Poser {
  public:
    explicit Poser(const Skeleton& skeleton) : skeleton_(skeleton), world_(skeleton.joints.size()) {}

    SkeletonPose pose(const Posture& p) {
        set("pelvis", pitch(p.pelvis));
        set("spine_lower", pitch((2 * p.pelvis + p.lumbar) / 3));
        set("spine_upper", pitch((p.pelvis + 2 * p.lumbar) / 3));
        for (const char* name : {"chest", "neck", "head"}) set(name, pitch(p.lumbar));
        set_side(p.left, p.lumbar, "left", 1);
        set_side(p.right, p.lumbar, "right", -1);
        SkeletonPose out;
        for (std::size_t j = 0; j < world_.size(); ++j) {
            const int parent = skeleton_.joints[j].parent;
            out.turns.push_back(parent < 0 ? world_[j] : conjugate(world_[std::size_t(parent)]) * world_[j]);
        }
        return out;
    }

  private:
    void set(const std::string& name, Quat world) { world_[skeleton_.index(name)] = world; }
    void set_side(const Side& s, double trunk, const std::string& side, double sign) {
        const double raise = kBindArm - kStandArm + s.arm_raise;
        const Quat base = pitch(trunk);
        set("clavicle_" + side, base * roll(-sign * 0.22 * s.arm_raise));
        const Quat arm = base * pitch(s.arm_swing) * roll(-sign * raise);
        set("upper_arm_" + side, arm);
        // A hanging arm bends forward about its own side axis, a raised one about the vertical: the same
        // axis, carried along by the shoulder.
        const Quat bend =
            turn(normalized(Vec3d{sign * std::sin(radians(kBindArm)), 0, std::cos(radians(kBindArm))}),
                 -sign * radians(kStandElbow * (1 - std::min(1.0, s.arm_raise / 50)) + s.elbow));
        set("forearm_" + side, arm * bend);
        set("hand_" + side, arm * bend);
        const Quat stance = roll(sign * (kBindLeg - kStandLeg));
        set("thigh_" + side, pitch(s.thigh) * stance);
        set("shin_" + side, pitch(s.shin) * stance);
        set("foot_" + side, pitch(s.foot));
        set("toes_" + side, pitch(s.foot));
    }

    const Skeleton& skeleton_;
    std::vector<Quat> world_;
};

Posture posture_at(Clip clip, double time, double extreme, double duration) {
    Posture p;
    const double s = time <= extreme ? ease(extreme > 0 ? time / extreme : 0)
                                     : ease((duration - time) / (duration - extreme));
    if (clip == Clip::sit) {
        const double under_way = 4 * s * (1 - s);
        p.pelvis = 14 * s - 18 * under_way;
        p.lumbar = -22 * under_way;
        p.left.thigh = p.right.thigh = 90 * s;
        p.left.shin = p.right.shin = -10 * under_way;
    } else if (clip == Clip::sit_chair) {
        // The trunk leans forward on the way, as a person's does, and ends upright against the back.
        const double under_way = 4 * s * (1 - s);
        p.pelvis = 8 * s - 20 * under_way;
        p.lumbar = 4 * s - 28 * under_way;
        p.left.thigh = p.right.thigh = 88 * s;
        p.left.shin = p.right.shin = -12 * under_way;
        // The arms come down and end beside the seat, elbows bent a little.
        for (Side* side : {&p.left, &p.right}) {
            side->arm_swing = 12 * under_way;
            side->arm_raise = -kHangArm * s;
            side->elbow = kRestElbow * s;
        }
    } else if (clip == Clip::lift_leg_mild) {
        p.pelvis = 4 * s;
        p.left.thigh = kMildThigh * s;
        p.left.foot = -10 * s;
    } else if (clip == Clip::lower_arms) {
        for (Side* side : {&p.left, &p.right}) {
            side->arm_raise = kStandArm - (kStandArm + kHangArm) * s;
            side->elbow = kHangElbow * s;
            side->arm_swing = -kHangSwing * s;
        }
    } else if (clip == Clip::lift_leg) {
        p.pelvis = 8 * s;
        p.left.thigh = 90 * s;
        p.left.foot = -15 * s;
    } else if (clip == Clip::bend_arms) {
        for (Side* side : {&p.left, &p.right}) {
            side->arm_raise = kStandArm;
            side->elbow = 110 * s;
        }
    } else if (clip == Clip::walk) {
        const double strength = std::min(ease(time / 1.0), ease((duration - time) / 1.0));
        const double phase = std::numbers::pi * time;  // one stride of two steps in 2 s
        const auto leg = [&](double f) {
            Side side;
            side.thigh = strength * (24 * std::sin(f) + 4);
            const double swing = std::max(0.0, std::cos(f));
            side.shin = side.thigh - strength * (8 + 48 * swing * swing);
            side.foot = 0.35 * side.shin;
            side.arm_swing = -strength * 16 * std::sin(f);
            return side;
        };
        p.left = leg(phase);
        p.right = leg(phase + std::numbers::pi);
    }
    return p;
}

struct Ankles {
    Vec3d left, right;
};
Ankles ankles(const Skeleton& skeleton, const SkeletonPose& pose) {
    const auto motions = joint_motions(skeleton, pose);
    const std::size_t l = skeleton.index("foot_left"), r = skeleton.index("foot_right");
    return {motions[l](skeleton.joints[l].position), motions[r](skeleton.joints[r].position)};
}

// The lowest point of both soles: heels and tips of the toes, which lie on z = 0 in the bind pose.
double lowest_sole(const Skeleton& skeleton, const SkeletonPose& pose) {
    constexpr double kFillet = 0.004;  // m: no jolt when the weight passes from heel to toe
    const auto motions = joint_motions(skeleton, pose);
    double lowest = HUGE_VAL;
    for (const char* name : {"foot_left", "foot_right"}) {
        const std::size_t foot = skeleton.index(name);
        const Vec3d ankle = skeleton.joints[foot].position;
        const double scale = ankle.z / 0.077;
        for (const double y : {0.045, -0.20}) {
            const double z = motions[foot]({ankle.x, ankle.y + scale * y, 0}).z;
            lowest = lowest == HUGE_VAL ? z : smooth_min(lowest, z, kFillet);
        }
    }
    return lowest;
}

// How far the body has come: at each moment it is carried by the foot that is lower.
double walked(const Skeleton& skeleton, const ClipInfo& info, double time) {
    Poser poser(skeleton);
    const auto at = [&](double t) {
        return ankles(skeleton, poser.pose(posture_at(info.clip, t, info.extreme, info.duration)));
    };
    const int steps = int(std::ceil(std::clamp(time, 0.0, info.duration) / kStep - 1e-9));
    double y = 0;
    Ankles before = at(0);
    for (int i = 1; i <= steps; ++i) {
        const Ankles now = at(std::min(i * kStep, std::min(time, info.duration)));
        const double left = smooth_step(-0.02, 0.02, now.right.z - now.left.z);
        y -= left * (now.left.y - before.left.y) + (1 - left) * (now.right.y - before.right.y);
        before = now;
    }
    return y;
}

}  // namespace

const ClipInfo& clip_info(Clip clip) { return kClips[std::size_t(clip)]; }

SkeletonPose clip_pose(const Skeleton& skeleton, Clip clip, double time) {
    const ClipInfo& info = clip_info(clip);
    time = std::clamp(time, 0.0, info.duration);
    Poser poser(skeleton);
    SkeletonPose pose = poser.pose(posture_at(clip, time, info.extreme, info.duration));
    // The right foot (when walking: the lower one) stands where it stands in the stand.
    const Ankles stand = ankles(skeleton, poser.pose({})), now = ankles(skeleton, pose);
    const double sole = skeleton.joints[skeleton.index("foot_right")].position.z;
    pose.root_motion.z = sole - now.right.z;
    pose.root_motion.y = stand.right.y - now.right.y;
    if (clip == Clip::walk) {
        pose.root_motion = {0, 0, 0};
        pose.root_motion.z = -lowest_sole(skeleton, pose);
        pose.root_motion.y = walked(skeleton, info, time);
    }
    return pose;
}

}  // namespace rumple
