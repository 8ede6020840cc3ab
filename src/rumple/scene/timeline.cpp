#include <algorithm>
#include <rumple/scene/timeline.hpp>

namespace rumple {

namespace {

double eased(double s, Ease ease) { return ease == Ease::smooth ? s * s * (3 - 2 * s) : s; }

Pose turned_then_moved(Vec3d axis, Vec3d through, double angle, Vec3d translate) {
    Pose pose;
    pose.translation = translate;
    if (angle != 0) {
        pose.rotation = rotation(axis, angle);
        pose.translation += through - pose.rotation * through;
    }
    return pose;
}

// First `inner`, then `outer`.
Pose composed(const Pose& outer, const Pose& inner) {
    return {outer.rotation * inner.rotation, outer.apply(inner.translation)};
}

}  // namespace

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

Timeline::Timeline(const Scene& scene) : scene_(scene) {
    const std::size_t handles = scene.handles.size();
    std::vector<bool> held(handles);
    std::vector<Pose> pose(handles);
    for (std::size_t i = 0; i < handles; ++i) held[i] = scene.handles[i].from_start;
    for (const Phase& phase : scene.phases) {
        for (int i : phase.release) held[static_cast<std::size_t>(i)] = false;
        for (int i : phase.grab) {
            held[static_cast<std::size_t>(i)] = true;
            pose[static_cast<std::size_t>(i)] = Pose{};
        }
        active_.push_back(held);
        start_pose_.push_back(pose);
        if (phase.steps == 0) continue;
        for (std::size_t i = 0; i < phase.motions.size(); ++i)
            if (held[i]) pose[i] = composed(phase.motions[i].at(phase.duration(), phase.duration()), pose[i]);
    }
}

Pose Timeline::pose(int phase, int step, int handle) const {
    const Phase& now = scene_.phases[static_cast<std::size_t>(phase)];
    const Pose& start = start_pose_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(handle)];
    if (step == 0 || now.steps == 0) return start;
    const HandleMotion& motion = now.motions[static_cast<std::size_t>(handle)];
    return composed(motion.at(step * now.h, now.duration()), start);
}

int Timeline::total_steps() const {
    int total = 0;
    for (const Phase& phase : scene_.phases) total += phase.steps;
    return total;
}

}  // namespace rumple
