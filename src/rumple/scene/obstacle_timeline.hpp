// Where obstacles are at every moment, and which of them are active: a pure function of the scene, so that a
// resumed run stores nothing of it. Rigid bodies with mass move by themselves; here they stay where they
// begin.
#pragma once

#include <cstdint>
#include <rumple/scene/scene.hpp>
#include <span>

namespace rumple {

class ObstacleTimeline {
  public:
    explicit ObstacleTimeline(const Scene& scene);  // keeps a reference

    // Which obstacles are active during this phase: for each obstacle 1 or 0.
    std::span<const std::uint8_t> present(int phase) const {
        return present_[static_cast<std::size_t>(phase)];
    }
    bool anything_moves() const { return anything_moves_; }
    // s of the clip of an obstacle after `step` steps (0..steps) of a phase.
    double clip_time(int phase, int step, int obstacle) const;
    // Vertices of all obstacles, one after the other, after `step` steps of a phase. InputError: a file has
    // changed since the scene was built.
    void positions(int phase, int step, std::vector<Vec3d>& all);

  private:
    Pose pose(int phase, int step, std::size_t obstacle) const;
    void add_clip_positions(std::size_t obstacle, double time, const Pose& pose, std::vector<Vec3d>& all);
    const std::vector<Vec3d>& sample(std::size_t obstacle, std::size_t index);

    struct Samples {  // the two read last
        std::size_t index[2] = {SIZE_MAX, SIZE_MAX};
        std::vector<Vec3d> positions[2];
        int next = 0;
    };
    const Scene& scene_;
    bool anything_moves_ = false;
    std::vector<std::vector<std::uint8_t>> present_;  // [phase][obstacle], as below
    std::vector<std::vector<Pose>> start_pose_;
    std::vector<std::vector<double>> start_clock_;
    std::vector<Samples> samples_;
};

}  // namespace rumple
