// Why a step cannot be accepted, for the author of the scene: which vertex, which element, which law.
//
// Two questions, both answered with a sentence or with nothing. absurd_result: is this an end of a step that
// cloth can come to? It is asked after every step, so it is quick. find_fault: what in a configuration is not
// a number? It is asked once a step has failed, and looks at everything, in the order of causes: what the
// scene gives, where the cloth is, what each element remembers, what each law makes of it.
#pragma once

#include <rumple/core/parallel.hpp>
#include <rumple/dynamics/step_outcome.hpp>
#include <rumple/dynamics/stepper.hpp>

namespace rumple {

inline constexpr double kFastest = 1e4;     // m/s: sound in cloth is slower
inline constexpr double kMaxStretch = 100;  // times its rest length

// Whether every number of a state is one. A law may carry one that is not along for long before it shows.
bool finite_everywhere(const State& state, const Threads& threads = Threads(1));

// `x`: where the step would end. `driven`: vertices that handles put somewhere, as fast as the scene likes.
StepFault absurd_result(const Model& model, const State& state, const StepInput& input,
                        std::span<const Vec3d> x, std::span<const std::uint8_t> driven,
                        const Threads& threads = Threads(1));

// `x`: the configuration to look at, with the history of `state`.
StepFault find_fault(const Model& model, const State& state, const StepInput& input,
                     std::span<const Vec3d> x);

}  // namespace rumple
