// The step on the processor. cpu_stepper.cpp takes steps, subdivides those that fail, and commits;
// cpu_stepper_solve.cpp finds where the cloth goes. Private: callers use make_stepper() (stepper.hpp).
#pragma once

#include <cmath>
#include <optional>
#include <rumple/dynamics/contact_system.hpp>
#include <rumple/dynamics/elements.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/linear/direct.hpp>
#include <rumple/linear/pcg.hpp>

namespace rumple {

class CpuStepper final : public Stepper {
  public:
    CpuStepper(const Model& model, const StepperOptions& options);

    StepReport step(State& state, const StepInput& input) override;
    std::span<const Vec3d> reactions() const override { return reactions_; }
    std::vector<Vec3d> obstacle_positions(const State& state, std::span<const Vec3d> given) const override;
    std::size_t bytes_per_iteration() const override { return solver.bytes_per_iteration(); }
    double potential_energy(const State& state, const StepInput& input) override;
    std::vector<Vec3d> internal_forces(const State& state, const StepInput& input) override;

  private:
    static constexpr std::size_t kGrain = 256;  // vertices a piece of work
    static constexpr double kOvershoot = 4;     // times the potential where a step began: it is cut

    const Model& model;
    StepperOptions options;
    Threads threads;
    Elements elements;
    LinearSolver solver;
    DirectSolver direct;
    BlockMatrix matrix;

    // One entry a vertex: iterate, right-hand side, Newton step, handles.
    std::vector<Vec3d> x, rhs, delta, trial, target;
    std::vector<Vec3d> coupling;               // with a weight in its guide
    std::vector<std::vector<Vec3d>> response;  // the cloth's answer to each of them
    double guided_slope = 0;                   // of the potential, along the weights' steps
    bool first_solve = true;                   // of this step: its guess is the motion so far
    bool contact_meets = false;                // something is passed through on the way to x
    // Where the step began; infinite where obstacles or weights may do work on the cloth.
    double potential_before = HUGE_VAL;
    // The step is to be cut: the first move went further than its linearisation holds, too much would be
    // passed through, or what had to be kept apart would be torn from the rest.
    bool torn = false;
    bool last_resort = false;               // it cannot be cut any more
    std::vector<double> spring;             // N/m; 0 where there is none
    std::vector<std::uint8_t> constrained;  // exactly
    std::vector<std::uint8_t> flags_before;
    std::vector<Vec3d> reactions_;

    std::optional<ContactSystem> contact;  // where the model has it
    OffPatternBlocks extra;                // cloth that touches cloth: outside the pattern
    OffPatternBlocksBuilder extra_builder;

    template <class Body>
    void for_vertices(Body&& body) {
        threads.for_each(model.mass.size(), kGrain, body);
    }

    static StepTimes times(const StepInput& in) { return {in.material_dt, in.stiffness_damping / in.h}; }

    std::string check(const State& state, const StepInput& in) const;
    void explain(const State& state, const StepInput& in, StepReport& report) const;
    std::string check_handles(const HandleTargets& handles) const;
    void set_handles(const StepInput& in);
    std::string advance(State& state, const StepInput& in, int halvings, StepReport& report);
    std::string advance_halves(State& state, const StepInput& in, int halvings, StepReport& report);
    std::string solve_step(State& state, const StepInput& in, StepReport& report, CollisionOutcome& outcome);
    std::size_t changed_flags() const;
    double update_contacts(const State& state, int solves, StepReport& report);
    Vec3d force_on(std::size_t v, const StepInput& in) const;
    bool solve_guided(const StepInput& in, bool first, StepReport& report);
    void move();
    void evaluate(const State& state, std::span<const Vec3d> at, const StepInput& in, StepReport& report);
    void evaluate_cloth(const State& state, std::span<const Vec3d> at, const StepInput& in,
                        StepReport& report);
    void assemble(const State& state, const StepInput& in, StepReport& report);
    Vec3d gather_contacts(std::size_t v, double h2);
    void take_out_handles(const StepInput& in);
    bool solve(std::span<const Vec3d> b, std::span<Vec3d> y, double tolerance, bool again,
               StepReport& report);
    std::string newton_step(const State& state, const StepInput& in, StepReport& report);
    std::string auto_rule(State& state, const StepInput& in, StepReport& report);
    std::string newton(State& state, const StepInput& in, StepReport& report);
    double contact_potential(const StepInput& in) const;
    double incremental_potential(const State& state, std::span<const Vec3d> at, const StepInput& in);
    bool left_alone(const StepInput& in) const;
    bool overshot(const State& state, const StepInput& in, StepReport& report);
    void first_move(const State& state, const StepInput& in, StepReport& report);
    bool backtrack(const State& state, const StepInput& in, StepReport& report);
    void commit(State& state, const StepInput& in, StepReport& report);
};

}  // namespace rumple
