// The step written the plain way, as a textbook or the paper's authors would: the peer in the benchmark's
// ratio and the oracle of the tests.
//
// Same model, same exact handles, same time stepping rule as Stepper (docs/theory), but: dense
// 9x9 and 12x12 element matrices, triplets and a new sparse matrix in every solve, rows of handles removed,
// Eigen's ConjugateGradient with its own preconditioner and tolerance (machine epsilon), no warm start, one
// thread. Geometry is written on its own with Eigen's types; only the scalar laws, which have exact tests,
// are shared.
#pragma once

#include "textbook_elements.hpp"

namespace rumple {

struct TextbookOptions {
    double tolerance = 0;  // relative residual of ConjugateGradient; 0: Eigen's default, machine epsilon
    int most_solves = 3;   // the auto rule: one Newton step, up to two more when flags changed
};

struct TextbookReport {
    int solves = 0;
    long iterations = 0;  // of conjugate gradients, in all
    StepTiming timing;    // evaluate: flags and energies; assemble: elements, triplets and sparse matrix
};

// The state one step later. Throws SimulationError when the result is not finite.
State textbook_step(const Model& model, const State& state, const StepInput& input,
                    const TextbookOptions& options, TextbookReport& report);
State textbook_step(const Model& model, const State& state, const StepInput& input);

// Energy [J] and forces [N, one a vertex] of the elements at the state's positions, for tests.
struct TextbookForces {
    double energy = 0;
    std::vector<Vec3d> force;
};
TextbookForces textbook_forces(const Model& model, const State& state, const StepInput& input);

}  // namespace rumple
