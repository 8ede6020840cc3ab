// Plasticity whose hardening relaxes while a fold is held.
//
// Paper section 3.3; docs/theory/plasticity.md. One strain component e with elastic stiffness k:
//
// clang-format off
//   stress                        alpha(t) = (K_h0/k) (1 - g (1 - exp(-t/tau)))    hardening, relaxing
//     ^         ___---- alpha     Y        = eps_Y0 + alpha gamma                  yield strain
//     |        /Y                 f        = |e - p| - Y > 0:  d_gamma = f/(1 + alpha)
//     |       /                   p += sign(e - p) d_gamma,  gamma += d_gamma
//   --+------/------> e
//            p                    p plastic strain, gamma its accumulated size (paper: eps_hp), t clock
// clang-format on
//
// Where we differ from the paper (docs/errata.md): the clock runs while the strain committed last is
// *loaded*, |e - p| >= (1 - delta) Y in the flow direction, stands still when unloaded, and is set to 0 only
// by yielding the other way. The paper's strict test stalls on the yield surface. g = 0 gives the
// time-independent hardening of Narain et al. 2013, the baseline the paper compares with.
#pragma once

#include <rumple/constitutive/laws.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

// delta: how far below yield a fold still counts as held (a vibration must not stop the clock)
inline constexpr double kLoadedMargin = 0.05;

template <class T>
RUMPLE_HD T hardening_ratio(const HardeningPlasticity<T>& law, T clock) {
    return (law.K_h0 / law.k) * (T(1) - law.g * (T(1) - exp(-clock / law.tau)));
}

// What a step of material_dt seconds that ends at strain e would do.
template <class T>
struct PlasticFlow {
    T clock{};   // at the end of the step, unless it reverses
    T alpha{};   // hardening that applies
    T yield{};   // yield strain that applies
    T excess{};  // f; flow when positive
    Truth<T> reverses{};
};

template <class T>
RUMPLE_HD PlasticFlow<T> plastic_flow(const HardeningPlasticity<T>& law, const PlasticityHistory<T>& history,
                                      T e, T material_dt) {
    PlasticFlow<T> flow;
    const T elastic = e - history.plastic;
    flow.clock = history.clock + select(history.loaded, material_dt, T(0));
    flow.reverses = elastic * history.direction < T(0);
    flow.alpha = hardening_ratio(law, select(flow.reverses, T(0), flow.clock));
    flow.yield = law.eps_Y0 + flow.alpha * history.accumulated;
    flow.excess = abs(elastic) - flow.yield;
    return flow;
}

template <class T>
RUMPLE_HD Truth<T> yields(const HardeningPlasticity<T>& law, const PlasticityHistory<T>& history, T e,
                          T material_dt) {
    return plastic_flow(law, history, e, material_dt).excess > T(0);
}

// Elastic and plastic stress together. Changes nothing.
template <class T>
RUMPLE_HD Response<T> evaluate(const HardeningPlasticity<T>& law, const PlasticityHistory<T>& history, T e,
                               T material_dt) {
    const T elastic = e - history.plastic;
    const Response<T> unyielded{T(0.5) * law.k * elastic * elastic, law.k * elastic, law.k};
    if (!any(abs(elastic) > law.eps_Y0)) return unyielded;  // below every yield strain: spares the exp
    const auto [clock, alpha, yield, f, reverses] = plastic_flow(law, history, e, material_dt);
    const T slope = law.k * alpha / (T(1) + alpha);
    const Response<T> yielded{law.k * yield * (T(0.5) * yield + f) + T(0.5) * slope * f * f,
                              copysign(law.k * yield + slope * f, elastic), slope};
    return select(f > T(0), yielded, unyielded);
}

// Commits one accepted step that ended at strain e and let material_dt seconds of material time pass.
template <class T>
RUMPLE_HD void advance(const HardeningPlasticity<T>& law, PlasticityHistory<T>& history, T e, T material_dt) {
    const T elastic = e - history.plastic;
    if (!any((history.direction != T(0)) | (abs(elastic) > law.eps_Y0)))
        return;  // never yielded, does not now
    const PlasticFlow<T> flow = plastic_flow(law, history, e, material_dt);
    const Truth<T> flows = flow.excess > T(0);
    const T d_gamma = select(flows, flow.excess / (T(1) + flow.alpha), T(0));
    history.clock = select(flows & flow.reverses, T(0), flow.clock);
    history.direction = select(flows, copysign(T(1), elastic), history.direction);
    history.plastic += copysign(d_gamma, elastic);
    history.accumulated += d_gamma;
    const T yield = law.eps_Y0 + flow.alpha * history.accumulated;  // where it reverses: any that is positive
    history.loaded = history.direction * (e - history.plastic) >= T(1 - kLoadedMargin) * yield;
}

}  // namespace rumple
