#include <experiments/catalogue.hpp>

namespace rumple {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all{
        twist_experiment(),       ablation_experiment(),       timestep_experiment(),
        stability_experiment(),   recovery_curve_experiment(), dominance_experiment(),
        convergence_experiment(), creep_experiment(),          buckling_experiment(),
        fold_experiment(),        press_experiment(),          crumple_experiment(),
        stretch_experiment(),     versus_dahl_experiment(),    versus_hardening_experiment(),
        performance_experiment(), trousers_experiment(),       tshirt_experiment(),
        standing_experiment()};
    return all;
}

}  // namespace rumple
