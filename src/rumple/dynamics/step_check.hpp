// Whether a step can be taken at all: asked by every backend before it computes anything.
#pragma once

#include <rumple/dynamics/stepper.hpp>

namespace rumple {

// A sentence, or nothing where the state belongs to the model and the input is usable.
std::string check_step(const Model& model, const State& state, const StepInput& input);

}  // namespace rumple
