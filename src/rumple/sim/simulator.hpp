// Walks a scene's timeline: one call of Stepper after the other, targets from the handles' motions.
#pragma once

#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/scene/attachment.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/scene_model.hpp>
#include <rumple/scene/timeline.hpp>
#include <span>
#include <utility>
#include <vector>

namespace rumple {

// Everything a run needs to continue: what a checkpoint holds.
struct SimState {
    State state;
    int phase = 0;
    int step_in_phase = 0;  // steps done in that phase
    std::vector<std::vector<Vec3d>>
        grab_positions;  // for each handle: its vertices where they were last grabbed

    friend bool operator==(const SimState&, const SimState&) = default;
};

// Ready to take the first step of a scene: cloth at rest, handles where they stand.
SimState initial_state(const Scene& scene, const Model& model);

class Simulator {
  public:
    // Keeps a reference; state at the beginning. threads 0, no backend: as the scene says. InputError: the
    // backend is not in this build, or finds no device.
    explicit Simulator(const Scene& scene, int threads = 0, std::optional<Backend> backend = std::nullopt);
    Simulator(const Simulator&) = delete;  // the stepper refers to the model in here
    Simulator& operator=(const Simulator&) = delete;

    const Scene& scene() const { return scene_; }
    const Model& model() const { return model_; }
    const SimState& sim_state() const {
        stepper_->fetch(sim_.state);
        return sim_;
    }
    // Of that, what is here in any case.
    int phase_index() const { return sim_.phase; }
    int step_in_phase() const { return sim_.step_in_phase; }
    std::int64_t steps_taken() const { return sim_.state.step; }
    // Whether a device keeps the state between steps, until somebody looks at it (Stepper::set_resident). Off
    // at first: positions then change in memory with every step.
    void set_resident(bool resident);
    Backend backend() const { return stepper_->backend(); }  // that takes the steps
    // Goes to another moment of this scene. InputError when the sizes are not those of the scene. Positions,
    // velocities and history stay where they are in memory, here and in every step.
    void restore(const SimState& state);
    void restart();  // to the beginning of the scene

    bool done() const;  // no step is left
    // Takes one step. Throws SimulationError with a diagnosis when it fails; the state is then the last good
    // one.
    // forces: on each vertex of the model, beside gravity [N] (StepInput::forces); empty: none.
    StepReport step(std::span<const Vec3d> forces = {});
    // Goes past the current phase if it has no steps (its handles are grabbed all the same); false if it has
    // some. step() does so by itself; a caller who stops at the end of each phase needs it.
    bool skip_empty_phase();
    // Of the current state, without gravity [J].
    double potential_energy();
    // Of the cloth on each vertex, in the current state: elasticity, friction, plasticity; no gravity [N].
    std::vector<Vec3d> internal_forces();
    // Force and torque about a point that a handle exerted in the last step; zero when it was not held.
    Wrench reaction(int handle, Vec3d about) const;
    // Where the vertices of all obstacles are now, one obstacle after the other; of one that is not there,
    // where it would be.
    std::vector<Vec3d> obstacle_positions();
    // Angles of the reference shape (the first frame, without imperfections), that wrinkle measures compare
    // with.
    std::span<const double> reference_angles() const { return reference_angles_; }

  private:
    const Phase& phase() const { return scene_.phases[static_cast<std::size_t>(sim_.phase)]; }
    ErrorPlace place_of(int vertex) const;
    std::string describe(int vertex) const;
    StepReport take_step(std::span<const Vec3d> forces);
    void return_to_fetched();
    void forget_for_this_phase();
    void grab_for_this_phase();
    void reset_activated_bodies();
    void place_handles();
    void add_attached(std::size_t handle);
    void place_obstacles();
    StepInput step_input(std::span<const Vec3d> forces) const;

    const Scene& scene_;
    Timeline timeline_;
    ObstacleTimeline obstacle_timeline_;
    Model model_;
    std::unique_ptr<Stepper> stepper_;
    mutable SimState sim_;  // a device may have newer positions
    bool resident_ = false;
    std::vector<double> reference_angles_;
    std::vector<int> handle_vertices_;
    std::vector<Vec3d> handle_targets_;
    std::vector<double> handle_stiffness_;
    std::vector<std::pair<int, int>> handle_ranges_;  // of each handle in the arrays above; empty: not held
    std::vector<std::optional<Attachment>> attachments_;  // of each handle that goes with an obstacle
    std::vector<Vec3d> obstacles_begin_, obstacles_end_;  // of the step; empty where nothing ever moves
};

}  // namespace rumple
