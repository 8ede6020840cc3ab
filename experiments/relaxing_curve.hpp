// Second part of `recovery-curve`: the same crease with relaxation and a threshold that does not age.
#pragma once

#include <experiments/experiment.hpp>

namespace rumple {

// Adds its claims, plots, tables and the film of one crease that recovers for a day.
void add_relaxing_curve(ExperimentContext& bench, std::vector<Claim>& claims);

}  // namespace rumple
