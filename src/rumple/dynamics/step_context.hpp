// What one attempt to take a step needs, and what its parts hand on to each other. Private to the CPU
// stepper.
#pragma once

#include <cmath>
#include <rumple/contact/contact_system.hpp>
#include <rumple/dynamics/stepper.hpp>

namespace rumple {

struct StepContext {
    const State& state;  // at the beginning
    const StepInput& in;
    StepReport& report;
    bool at_min_step = false;  // it cannot be subdivided any more
    double slider_speed = 1;   // share of their speed that bodies on sliders keep

    // Incremental potential where the step begins: of the cloth, and of all. The latter is infinite where
    // obstacles or rigid bodies may do work on the cloth, which nothing bounds.
    double cloth_potential = 0, potential_bound = HUGE_VAL;
    contact::ContactUpdate contact{};      // at the iterate
    contact::CollisionOutcome response{};  // of what still collided at the last iterate
    bool converged = true;                 // where Newton is to converge

    contact::ContactWork contact_work(const Threads& threads) const {
        return {threads, report.contact, report.timing};
    }
    StepTimes times() const { return {in.material_dt, in.stiffness_damping / in.h}; }
};

// Handles, one entry a vertex.
struct HandleConstraints {
    std::vector<Vec3d> target;              // m
    std::vector<double> spring;             // N/m; 0 where there is none
    std::vector<std::uint8_t> constrained;  // exactly

    explicit HandleConstraints(std::size_t vertices)
        : target(vertices), spring(vertices), constrained(vertices) {}
    void set(const HandleTargets& handles) {
        spring.assign(spring.size(), 0.0);
        constrained.assign(constrained.size(), 0);
        for (std::size_t i = 0; i < handles.vertices.size(); ++i) {
            const auto v = static_cast<std::size_t>(handles.vertices[i]);
            const double k = handles.stiffness.empty() ? 0.0 : handles.stiffness[i];
            target[v] = handles.targets[i];
            spring[v] = k;
            constrained[v] = k == 0.0;
        }
    }
};

}  // namespace rumple
