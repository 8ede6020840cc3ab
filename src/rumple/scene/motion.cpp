#include <algorithm>
#include <numbers>
#include <rumple/scene/motion.hpp>

namespace rumple {

namespace {

Pose turned_then_moved(Vec3d axis, Vec3d through, double angle, Vec3d translate) {
    Pose pose;
    pose.translation = translate;
    if (angle != 0) {
        pose.rotation = rotation(axis, angle);
        pose.translation += through - pose.rotation * through;
    }
    return pose;
}

}  // namespace

double eased(double s, Ease ease) { return ease == Ease::smooth ? s * s * (3 - 2 * s) : s; }

Pose composed(const Pose& outer, const Pose& inner) {
    return {outer.rotation * inner.rotation, outer.apply(inner.translation)};
}

Pose HandleMotion::at(double time, double duration) const {
    if (keyframes.empty()) {
        const double s = duration > 0 ? eased(std::clamp(time / duration, 0.0, 1.0), ease) : 1;
        return turned_then_moved(axis, through, s * angle, s * translate);
    }
    Keyframe before;  // at time 0 the handle is where it was
    for (const Keyframe& after : keyframes) {
        if (time >= after.time) {
            before = after;
            continue;
        }
        const double s = eased((time - before.time) / (after.time - before.time), ease);
        before.translate = (1 - s) * before.translate + s * after.translate;
        before.angle = (1 - s) * before.angle + s * after.angle;
        break;
    }
    return turned_then_moved(axis, through, before.angle, before.translate);
}

HandleMotion rotate(Vec3d axis, double degrees, Vec3d translate) {
    return {.translate = translate, .axis = normalized(axis), .angle = degrees * (std::numbers::pi / 180)};
}

bool HandleMotion::moves() const {
    return angle != 0 || translate != Vec3d{} ||
           std::any_of(keyframes.begin(), keyframes.end(),
                       [](const Keyframe& key) { return key.angle != 0 || key.translate != Vec3d{}; });
}

}  // namespace rumple
