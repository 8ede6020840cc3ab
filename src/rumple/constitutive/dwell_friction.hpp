// Internal friction whose stick threshold grows while it sticks (dwell).
//
// Paper section 3.2; docs/theory/friction.md. One strain component e; history is an anchor and a
// stick clock:
//
//   stress                         Y_f(s) = eps_inf - (eps_inf - eps_0) exp(-s / tau)      threshold
//     ^        ______ k Y_f        stress = k clamp(e - anchor, -Y_f, Y_f)
//     |       /                    slip   = what |e - anchor| exceeds Y_f by; the anchor follows
//   --+------/------> e            s     <- s exp(-q) + h_m (1 - exp(-q))/q,  q = slip/d_c   ageing law
//     | ____/ anchor
//
// Where we differ from the paper (docs/errata.md): the clock obeys the ageing law of rate-and-state
// friction (A. Ruina, J. Geophys. Res. 88, 1983) instead of falling to 0 on any slip; d_c = 0 gives the
// paper's rule. The anchor moves by sign(e - anchor) slip (the paper's equation omits the anchor).
#pragma once

#include <cmath>
#include <rumple/constitutive/response.hpp>

namespace rumple {

template <class T>
struct DwellFriction {
    T k{};        // friction stiffness; N m for bending, N/m for membrane. Larger: stronger wrinkles
    T eps_0{};    // threshold just after slip; rad or 1. Larger: wrinkles even when released at once
    T eps_inf{};  // threshold after a long dwell, >= eps_0. Larger: more difference between brief and held
    T tau{1};     // s, > 0. Larger: slower ageing
    T d_c{};      // slip distance that renews the contacts; rad or 1, >= 0. Larger: smoother slip
};

template <class T>
struct DwellFrictionHistory {
    T anchor{};      // strain at which friction pulls nothing
    T stick_time{};  // s
};

// After a slip |e - anchor| equals the threshold up to rounding: without this the flag flips at random.
template <class T>
inline constexpr T kSlipTolerance = sizeof(T) == sizeof(float) ? T(1e-6) : T(1e-9);

template <class T>
RUMPLE_HD T stick_threshold(const DwellFriction<T>& law, T stick_time) {
    return law.eps_inf - (law.eps_inf - law.eps_0) * std::exp(-stick_time / law.tau);
}

// The threshold in force, or eps_0 where |delta| is below that already: then it sticks whatever the clock
// says.
template <class T>
RUMPLE_HD T threshold_for(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T delta) {
    return std::abs(delta) <= law.eps_0 ? law.eps_0 : stick_threshold(law, history.stick_time);
}

template <class T>
RUMPLE_HD bool exceeds(T delta, T threshold) {
    return std::abs(delta) > threshold * (T(1) + kSlipTolerance<T>);
}

template <class T>
RUMPLE_HD bool slips(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T e) {
    const T delta = e - history.anchor;
    return exceeds(delta, threshold_for(law, history, delta));
}

// Derivative of a convex, once differentiable (Huber) potential. Changes nothing.
template <class T>
RUMPLE_HD Response<T> evaluate(const DwellFriction<T>& law, const DwellFrictionHistory<T>& history, T e) {
    const T delta = e - history.anchor;
    const T y = threshold_for(law, history, delta);
    const T size = std::abs(delta), held = size < y ? size : y;  // without branches: half of the hinges slip
    return {law.k * held * (size - T(0.5) * held), std::copysign(law.k * held, delta),
            exceeds(delta, y) ? T(0) : law.k};
}

// Commits one accepted step that ended at strain e and let h_m seconds of material time pass.
template <class T>
RUMPLE_HD void advance(const DwellFriction<T>& law, DwellFrictionHistory<T>& history, T e, T h_m) {
    const T delta = e - history.anchor;
    const T y = threshold_for(law, history, delta);
    if (!exceeds(delta, y)) {
        history.stick_time += h_m;
        return;
    }
    const T slip = std::abs(delta) - y;
    history.anchor += std::copysign(slip, delta);
    if (law.d_c <= T(0)) {
        history.stick_time = T(0);
        return;
    }
    const T q = slip / law.d_c, renewed = -std::expm1(-q);  // share of the contacts
    history.stick_time = history.stick_time * (T(1) - renewed) + h_m * renewed / q;
}

}  // namespace rumple
