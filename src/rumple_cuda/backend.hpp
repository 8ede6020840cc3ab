// The CUDA backend of rumple::make_stepper(): StepperOptions::backend = cuda or automatic.
#pragma once

#include <string>

namespace rumple::cuda {

// Makes the backend known to make_stepper(). Call it once, before the first stepper is made.
void register_cuda_backend();

// Why this machine cannot use the backend, in one sentence; empty: it can.
std::string unavailable();

}  // namespace rumple::cuda
