#include <rumple/scene/timeline.hpp>

namespace rumple {

Timeline::Timeline(const Scene& scene) : scene_(scene) {
    const std::size_t handles = scene.handles.size();
    std::vector<bool> held(handles);
    std::vector<Pose> pose(handles);
    std::vector<int> grabbed(handles, 0);
    for (std::size_t i = 0; i < handles; ++i) held[i] = scene.handles[i].from_start;
    for (const Phase& phase : scene.phases) {
        for (int i : phase.release) held[static_cast<std::size_t>(i)] = false;
        for (int i : phase.grab) {
            held[static_cast<std::size_t>(i)] = true;
            pose[static_cast<std::size_t>(i)] = Pose{};
            grabbed[static_cast<std::size_t>(i)] = static_cast<int>(active_.size());
        }
        active_.push_back(held);
        start_pose_.push_back(pose);
        grab_phase_.push_back(grabbed);
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

}  // namespace rumple
