// All hinges and triangles of a model at one configuration: forces, matrix blocks, energy and flags.
//
// evaluate() fills one small record an element, each computed alone; gather_force() and gather_row() then add
// up what a vertex gets from the elements around it, in a fixed order. No two threads write to one place, and
// the sums have the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <rumple/constitutive/element_records.hpp>
#include <rumple/core/parallel.hpp>
#include <rumple/dynamics/model.hpp>
#include <span>

namespace rumple {

class Elements {
  public:
    explicit Elements(const Model& model);

    // Forms what stays the same in a step of this length from this state (constitutive/relaxation.hpp). Call
    // it before evaluate() and advance().
    void begin_step(const Threads& threads, const State& state, StepTimes times);
    // Evaluates every law at positions x; `state` gives the history and the positions the step began at.
    // Pure.
    void evaluate(const Threads& threads, const State& state, std::span<const Vec3d> x, StepTimes times);

    Vec3d gather_force(std::size_t vertex) const;
    // Adds scale times the stiffness (minus the Jacobian) of one row to its blocks, from the diagonal on.
    void gather_row(std::size_t vertex, double scale, Mat3d* row) const;

    double energy() const;                                       // J
    int count(const Threads& threads, std::uint8_t flag) const;  // strain components that have the flag
    // Stick/slip and yield flags of every component, with their side, for comparison between Newton steps.
    const std::vector<std::uint8_t>& flags() const { return flags_; }

    // Commits the history of the step that ended at x.
    void advance(const Threads& threads, State& state, std::span<const Vec3d> x, StepTimes times) const;

  private:
    // Up to eight consecutive elements of one law, side by side. Both return the energy.
    double evaluate_hinges(std::size_t first, std::size_t count, const State& state, std::span<const Vec3d> x,
                           StepTimes times);
    double evaluate_triangles(std::size_t first, std::size_t count, const State& state,
                              std::span<const Vec3d> x, StepTimes times);

    // The ladders of all laws of one kind in this step, and the pull on each component.
    struct Relaxing {
        std::vector<RelaxationStep> laws;  // empty: no law relaxes
        std::vector<double> pull;

        // Null where this law does not relax.
        const RelaxationStep* of(std::size_t law) const {
            return laws.empty() || laws[law].branches == 0 ? nullptr : &laws[law];
        }
    };

    const Model& model_;
    Relaxing bending_relaxing_, membrane_relaxing_;
    std::vector<HingeBending<double>> bending_;
    std::vector<Membrane<double>> membrane_;
    std::vector<double> bending_energy_, membrane_energy_;  // J, of pieces of work
    std::vector<std::uint8_t> flags_;  // hinges, then three a triangle if the membrane has history
    bool membrane_has_history_;
};

}  // namespace rumple
