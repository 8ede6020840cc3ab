#include <algorithm>
#include <cmath>
#include <rumple/sim/step_to_rest.hpp>
#include <utility>

namespace rumple {
namespace {

// What the small steps did together; what a state shows is that of the last.
StepReport sum_of(const StepReport& before, StepReport last) {
    last.retries += before.retries;
    if (!before.retry_reason.empty()) last.retry_reason = before.retry_reason;
    last.solves += before.solves;
    last.iterations += before.iterations;
    last.direct_fallbacks += before.direct_fallbacks;
    last.newton_converged = last.newton_converged && before.newton_converged;
    last.contact.collisions += before.contact.collisions;
    last.contact.rolled_back += before.contact.rolled_back;
    last.contact.substeps = std::max(last.contact.substeps, before.contact.substeps);
    last.contact.deepest = std::max(last.contact.deepest, before.contact.deepest);
    last.timing += before.timing;
    return last;
}

double largest_motion(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double most = 0;  // squared
    for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, dot(a[v] - b[v], a[v] - b[v]));
    return std::sqrt(most);
}

}  // namespace

StepReport step_to_rest(Stepper& stepper, double mean_edge_length, State& state, StepInput input,
                        double step_time) {
    const State before = state;
    input.stiffness_damping = 0;  // it would resist all change since the history, not the last small step's
    StepReport report;
    double kinetic_energy = 0;
    for (int n = 1; n <= kMaxRestSteps; ++n) {
        const std::vector<Vec3d> from = state.x;
        report = sum_of(report, stepper.step(state, input));
        if (!report.accepted) {
            state = before;
            return report;
        }
        report.at_rest = largest_motion(state.x, from) <= kRestMotion * mean_edge_length;
        if (report.at_rest || n == kMaxRestSteps) break;
        state.bending = before.bending;
        state.membrane = before.membrane;
        state.material_time = before.material_time;
        if (report.kinetic_energy < kinetic_energy) {
            std::fill(state.v.begin(), state.v.end(), Vec3d{});
            kinetic_energy = 0;
        } else {
            kinetic_energy = report.kinetic_energy;
        }
        input.obstacles.rearranged = false;
    }
    state.step = before.step + 1;
    state.time = before.time + step_time;
    return report;
}

}  // namespace rumple
