// Relaxation: a ladder of times. Part of the elasticity sits in branches, each a spring in series with a
// damper, whose times lie a decade apart.
//
// docs/theory/relaxation.md. One strain component e of elastic stiffness k, of which the branches take the
// share beta; q_i is the strain of branch i's spring:
//
// clang-format off
//   o--+--[ (1 - beta) k ]----------------+--o     n     = 1 + round(log10(tau_max/tau_min)) branches
//      |                                  |        tau_i = tau_min ... tau_max, evenly spaced in their logarithm
//      +--[ beta k/n ]--( damper tau_i )--+        dq_i/dt = de/dt - q_i/tau_i
//             q_i            i = 1..n
//   a step of material time dt from strain e_n to e, the strain changing evenly:
//   a_i = exp(-dt/tau_i),  b_i = tau_i (1 - a_i)/dt                                dt = 0: both 1
//   stress = beta k [pull + b (e - e_n)],   pull = mean of a_i q_i,  b = mean of b_i
//   q_i   <- a_i q_i + b_i (e - e_n)
// clang-format on
//
// That is the exact answer for such a strain, at any dt. Pull and b are formed once a step. (B. M. Chapman,
// Text. Res. J. 44 (1974) to 46 (1976): creases recover as a linear viscoelastic solid with friction does.)
#pragma once

#include <rumple/constitutive/laws.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

inline RelaxationStep relaxation_step(const RelaxationTimes& times, double material_dt) {
    RelaxationStep step;
    step.branches = times.branches;
    double sum = 0;
    for (int i = 0; i < times.branches; ++i) {
        const double r = material_dt / times.tau(i), decayed = -std::expm1(-r);
        step.a[i] = std::exp(-r);
        step.b[i] = r > 0 ? decayed / r : 1;
        sum += step.b[i];
    }
    if (times.branches > 0) step.mean_b = sum / times.branches;
    return step;
}

// Mean of a_i q_i. Branch i of the component is at branch[i * stride].
template <class T>
RUMPLE_HD T relaxation_pull(const RelaxationStep& step, const T* branch, std::size_t stride) {
    T sum{};
    for (int i = 0; i < step.branches; ++i)
        sum += T(step.a[i]) * branch[static_cast<std::size_t>(i) * stride];
    return sum * T(1.0 / step.branches);
}

// Changes nothing; de is the strain since the last committed one.
template <class T>
RUMPLE_HD Response<T> evaluate(const Relaxation<T>& law, const RelaxationTerm<T>& term, T de) {
    return {law.k * de * (term.pull + T(0.5) * term.b * de), law.k * (term.pull + term.b * de),
            law.k * term.b};
}

// Commits one accepted step in which the strain changed by de.
template <class T>
RUMPLE_HD void advance(const RelaxationStep& step, T* branch, std::size_t stride, T de) {
    for (int i = 0; i < step.branches; ++i) {
        T& q = branch[static_cast<std::size_t>(i) * stride];
        q = T(step.a[i]) * q + T(step.b[i]) * de;
    }
}

}  // namespace rumple
