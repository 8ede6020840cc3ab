// The step on the processor. cpu_stepper.cpp takes steps, subdivides those that fail, and commits; newton.cpp
// finds where the cloth goes. Private: callers use make_stepper() (stepper.hpp).
#pragma once

#include <optional>
#include <rumple/dynamics/implicit_system.hpp>
#include <rumple/dynamics/step_outcome.hpp>

namespace rumple {

class CpuStepper final : public Stepper {
  public:
    CpuStepper(const Model& model, const StepperOptions& options);

    StepReport step(State& state, const StepInput& input) override;
    std::span<const Vec3d> reactions() const override { return reactions_; }
    std::vector<Vec3d> obstacle_positions(const State& state, std::span<const Vec3d> given) const override;
    std::size_t bytes_per_iteration() const override { return system_.bytes_per_iteration(); }
    double potential_energy(const State& state, const StepInput& input) override;
    std::vector<Vec3d> internal_forces(const State& state, const StepInput& input) override;

  private:
    static constexpr std::size_t kGrain = 256;  // vertices a piece of work

    // What the sub-steps of one step add up to.
    struct StepTotals {
        double h;  // s, of the whole step
        StepReport report{};
        std::vector<Vec3d> reactions{};  // N, each sub-step's by its share of h
        StepFault first_fault{};         // for which a sub-step was subdivided
    };

    template <class Body>
    void for_vertices(Body&& body) {
        threads_.for_each(model_.mass.size(), kGrain, body);
    }

    // cpu_stepper.cpp
    std::string check(const State& state, const StepInput& in) const;
    void explain(const State& state, const StepInput& in, StepFault fault, StepTotals& totals) const;
    StepOutcome advance(State& state, const StepInput& in, int bisections, StepTotals& totals);
    StepOutcome advance_halves(State& state, const StepInput& in, int bisections, StepTotals& totals);
    StepOutcome attempt(StepContext& step, int bisections);
    void begin_attempt(StepContext& step);
    StepOutcome respond(StepContext& step);
    StepOutcome judge(const StepContext& step, int bisections);
    void commit(State& state, const StepContext& step, StepTotals& totals);

    // newton.cpp
    StepOutcome auto_rule(StepContext& step);
    StepOutcome newton(StepContext& step);
    StepFault newton_step(const StepContext& step, bool first, double tolerance);
    StepFault refine_newton_step(const StepContext& step);
    StepFault check_newton_step();
    bool solve_sliders(const StepContext& step, bool first);
    StepOutcome first_move(StepContext& step);
    bool first_may_be_rough() const;
    double rough_tolerance() const;
    StepOutcome finish_first_move(StepContext& step);
    bool backtrack(const StepContext& step);
    StepOutcome update_contacts(StepContext& step, int solves);
    bool solve_again(const StepContext& step, int solves) const;
    std::size_t changed_flags() const;
    bool overshot(const StepContext& step);
    void evaluate(const StepContext& step, std::span<const Vec3d> x);
    void evaluate_cloth(const StepContext& step, std::span<const Vec3d> x);
    double cloth_potential(const StepContext& step, std::span<const Vec3d> x) const;
    double work_of_forces(const StepContext& step, std::span<const Vec3d> x) const;
    double contact_potential() const { return contact_ ? contact_->potential() : 0; }

    const Model& model_;
    StepperOptions options_;
    Threads threads_;
    Elements elements_;
    HandleConstraints handles_;
    std::optional<contact::ContactSystem> contact_;  // where the model has it
    ImplicitSystem system_;
    std::vector<Vec3d> x_, delta_, trial_;    // one a vertex: iterate, Newton step, scratch
    std::vector<std::uint8_t> flags_before_;  // of the elements, in the last linearisation
    struct Sliders {
        std::vector<Vec3d> coupling;               // of the cloth with one of them
        std::vector<std::vector<Vec3d>> response;  // of the cloth to each of them
        double slope = 0;                          // of the potential, along their Newton steps
    } sliders_;
    std::vector<Vec3d> reactions_;
};

}  // namespace rumple
