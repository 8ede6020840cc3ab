// Walks a scene's timeline: one call of Stepper after the other, targets from the handles' motions.
#pragma once

#include <functional>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/scene/timeline.hpp>

namespace rumple {

// Everything a run needs to continue: what a checkpoint holds.
struct SimState {
    State state;
    int phase = 0;
    int step_in_phase = 0;                            // steps done in that phase
    std::vector<std::vector<Vec3d>> grab_positions;   // for each handle: its vertices where they were last grabbed

    friend bool operator==(const SimState&, const SimState&) = default;
};

class Simulator {
  public:
    explicit Simulator(const Scene& scene, int threads = 0);  // keeps a reference; state at the beginning

    const Scene& scene() const { return scene_; }
    const Model& model() const { return model_; }
    const SimState& sim_state() const { return sim_; }
    void restore(SimState state) { sim_ = std::move(state); }

    bool done() const;
    // Takes one step. Throws SimulationError with a diagnosis when it fails; the state is then the last good one.
    StepReport step();
    // Force and torque about a point that a handle exerted in the last step; zero when it is not held.
    Wrench reaction(int handle, Vec3d about) const;
    // Angles of the reference shape (first frame), that wrinkle measures compare with.
    std::span<const double> reference_angles() const { return reference_angles_; }

  private:
    const Scene& scene_;
    Timeline timeline_;
    Model model_;
    Stepper stepper_;
    SimState sim_;
    std::vector<double> reference_angles_;
    std::vector<int> handle_vertices_;
    std::vector<Vec3d> handle_targets_;
    std::vector<double> handle_stiffness_;
    std::vector<std::pair<int, int>> handle_ranges_;  // of each handle in the arrays above
};

}  // namespace rumple
