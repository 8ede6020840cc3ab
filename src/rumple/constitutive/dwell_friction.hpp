// Internal friction whose stick threshold grows while it sticks (dwell).
//
// Paper section 3.2; docs/theory/friction.md. One strain component e. The history is an anchor and a stick
// time s:
//
// clang-format off
//   stress                         Y_f(s) = eps_inf - (eps_inf - eps_0) exp(-s / tau)      threshold
//     ^        ______ k Y_f        stress = k clamp(e - anchor, -Y_f, Y_f)
//     |       /                    slip   = what |e - anchor| exceeds Y_f by; the anchor follows
//   --+------/------> e            s     <- s exp(-q) + dt (1 - exp(-q))/q,  q = slip/d_c    ageing law, dt: material
//     | ____/ anchor                                                                          time of the step
//                                  s     <- s + w dt,  w = min(1, load^2), 0 if load < 1/5     stuck: ages under load
//                                                       load = |e - anchor|/eps_0
// clang-format on
//
// Where we differ from the paper (docs/errata.md): the clock obeys the ageing law of rate-and-state
// friction (A. Ruina, J. Geophys. Res. 88, 1983) instead of falling to 0 on any slip; d_c = 0 gives the
// paper's rule. Stuck friction ages only under load; `gate` none gives the paper's w = 1, with which cloth
// that lies flat ages. The anchor moves by sign(e - anchor) slip (the paper's equation omits the anchor).
#pragma once

#include <rumple/constitutive/laws.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

// After a slip |e - anchor| equals the threshold up to rounding: without this the flag flips at random.
template <class T>
inline constexpr double kSlipTolerance = sizeof(T) == sizeof(float) ? 1e-6 : 1e-9;

template <class T>
RUMPLE_HD T stick_threshold(const DwellFriction<T>& law, T stick_time) {
    return law.eps_inf - (law.eps_inf - law.eps_0) * exp(-stick_time / law.tau);
}

// The threshold in force, or eps_0 where the size of e - anchor is below that already: then it sticks
// whatever the clock says.
template <class T>
RUMPLE_HD T threshold_for(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T size) {
    if (!any(size > law.eps_0)) return law.eps_0;  // spares the exp
    return select(size > law.eps_0, stick_threshold(law, history.stick_time), law.eps_0);
}

template <class T>
RUMPLE_HD Truth<T> exceeds(T size, T threshold) {
    return size > threshold * T(1 + kSlipTolerance<T>);
}

template <class T>
RUMPLE_HD Truth<T> slips(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T e) {
    const T size = abs(e - history.anchor);
    return exceeds(size, threshold_for(law, history, size));
}

// Derivative of a convex, once differentiable (Huber) potential. Changes nothing.
template <class T>
RUMPLE_HD Response<T> evaluate(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T e) {
    const T delta = e - history.anchor, size = abs(delta);
    const T y = threshold_for(law, history, size), held = select(size < y, size, y);
    return {law.k * held * (size - T(0.5) * held), copysign(law.k * held, delta),
            select(exceeds(size, y), T(0), law.k)};
}

// The least load, as a share of eps_0, under which stuck friction ages. Smaller ones would add up over hours:
// cloth at rest is loaded to an eighth (docs/theory/friction.md).
inline constexpr double kLeastAgeingLoad = 0.2;

// How fast stuck friction ages, at this size of e - anchor: w. On the slip surface, size >= eps_0, it is 1.
template <class T>
RUMPLE_HD T ageing_rate(const DwellFriction<T>& law, T size) {
    if (law.gate == DwellGate::none) return T(1);
    const T load = size / law.eps_0;
    const T stuck = select(load < T(kLeastAgeingLoad), T(0), load * load);
    return select(size < law.eps_0, stuck, T(1));  // eps_0 = 0: always loaded
}

// Commits one accepted step that ended at strain e and let material_dt seconds of material time pass.
template <class T>
RUMPLE_HD void advance(const DwellFriction<T>& law, DwellFrictionHistory<T>& history, T e, T material_dt) {
    const T delta = e - history.anchor, size = abs(delta);
    const T y = threshold_for(law, history, size);
    const Truth<T> slipping = exceeds(size, y);
    const T stuck = history.stick_time + ageing_rate(law, size) * material_dt;
    if (any(slipping)) {
        const T slip = size - y;
        history.anchor += select(slipping, copysign(slip, delta), T(0));
        const T q = slip / law.d_c, renewed = -expm1(-q);  // share of the contacts
        const T aged = history.stick_time * (T(1) - renewed) + material_dt * renewed / q;
        history.stick_time = select(slipping, select(law.d_c > T(0), aged, T(0)), stuck);
    } else {
        history.stick_time = stuck;
    }
}

}  // namespace rumple
