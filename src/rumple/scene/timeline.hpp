// Where handles are at every moment: a pure function of the scene, so that a resumed run stores
// nothing of it but where each handle was grabbed.
#pragma once

#include <rumple/scene/scene.hpp>

namespace rumple {

class Timeline {
  public:
    explicit Timeline(const Scene& scene);  // keeps a reference

    // Is this handle held during this phase?
    bool active(int phase, int handle) const {
        return active_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(handle)];
    }
    // Pose, relative to the placement at its last grab, at the end of step `step` (1..steps) of a phase.
    Pose pose(int phase, int step, int handle) const;
    // The last phase, up to this one, that grabbed the handle; 0 where it is held from the start.
    int grab_phase(int phase, int handle) const {
        return grab_phase_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(handle)];
    }

  private:
    const Scene& scene_;
    std::vector<std::vector<bool>> active_;
    std::vector<std::vector<Pose>> start_pose_;  // [phase][handle]
    std::vector<std::vector<int>> grab_phase_;
};

}  // namespace rumple
