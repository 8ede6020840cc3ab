// How handles and obstacles move during a phase.
#pragma once

#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

struct Pose {  // rigid: x -> rotation x + translation
    Mat3d rotation = Mat3d::identity();
    Vec3d translation;
    Vec3d apply(Vec3d x) const { return rotation * x + translation; }
};
Pose composed(const Pose& outer, const Pose& inner);  // first `inner`, then `outer`

enum class Ease { linear, smooth };  // smooth: starts and ends at rest (3 s^2 - 2 s^3)
double eased(double s, Ease ease);

// Relative to where the handle or obstacle is when the phase begins. Keyframes, where there are some, give
// the motion. Otherwise s runs from 0 to 1 over the phase: rotate by s angle about the axis, then translate
// by s translate.
struct HandleMotion {
    struct Keyframe {
        double time = 0;  // s since the beginning of the phase
        Vec3d translate;
        double angle = 0;  // rad
    };
    Vec3d translate = {};
    Vec3d axis{0, 0, 1}, through{0, 0, 0};
    double angle = 0;  // rad, right-handed about the axis
    Ease ease = Ease::linear;
    std::vector<Keyframe> keyframes = {};

    Pose at(double time, double duration) const;
    bool moves() const;  // there is a moment at which it is not where it began
};

// Motions in few words. Angles are in degrees, right-handed.
HandleMotion rotate(Vec3d axis, double degrees, Vec3d translate = {});
inline HandleMotion rotate_z(double degrees, Vec3d translate = {}) {
    return rotate({0, 0, 1}, degrees, translate);
}
inline HandleMotion move_by(Vec3d translate) { return {.translate = translate}; }

}  // namespace rumple
