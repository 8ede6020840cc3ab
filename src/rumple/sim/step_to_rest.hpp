// One step of recovery: material time passes once, and dynamics continues until the cloth is at rest.
//
// All small steps start from the history with which the recovery step began and let its whole material time
// pass, so the end is the equilibrium of that material step: implicit in material time, as one hinge is
// solved in docs/theory/time.md. Only the last small step commits its history. Kinetic damping: where the
// kinetic energy falls the cloth has passed a rest, and is stopped (M. R. Barnes, Form finding and analysis
// of tension structures by dynamic relaxation, International Journal of Space Structures 14, 1999).
#pragma once

#include <rumple/dynamics/stepper.hpp>

namespace rumple {

// Rest: no vertex moves further than this in a small step, in mean edge lengths.
inline constexpr double kRestMotion = 1e-4;
inline constexpr int kMaxRestSteps = 200;  // small steps; StepReport::at_rest says whether they were enough

// `input` has the small step's h and the whole material time. Counts as one step of `step_time` s. A step
// that fails leaves the state as it was.
StepReport step_to_rest(Stepper& stepper, double mean_edge_length, State& state, StepInput input,
                        double step_time);

}  // namespace rumple
