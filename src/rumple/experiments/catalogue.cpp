#include <rumple/experiments/catalogue.hpp>

namespace rumple {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all{twist_experiment(), ablation_experiment(), timestep_experiment(),
                                             stability_experiment(), recovery_curve_experiment()};
    return all;
}

}  // namespace rumple
