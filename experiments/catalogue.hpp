// The list of experiments, in the order `rumple experiments` shows them. Each is a file of its own.
#pragma once

#include <experiments/experiment.hpp>

namespace rumple {

Experiment twist_experiment();
Experiment ablation_experiment();
Experiment timestep_experiment();
Experiment stability_experiment();
Experiment recovery_curve_experiment();
Experiment dominance_experiment();
Experiment convergence_experiment();
Experiment creep_experiment();
Experiment buckling_experiment();
Experiment fold_experiment();
Experiment press_experiment();
Experiment crumple_experiment();
Experiment stretch_experiment();
Experiment versus_dahl_experiment();
Experiment versus_hardening_experiment();
Experiment performance_experiment();
Experiment trousers_experiment();
Experiment standing_experiment();
Experiment tshirt_experiment();

}  // namespace rumple
