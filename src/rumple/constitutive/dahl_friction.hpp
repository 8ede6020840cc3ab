// Dahl's friction with exponent 1, as Miguel et al. 2013 use it for cloth: the baseline without dwell.
//
// clang-format off
//   d stress/d e = k0 (1 - sign(de/dt) stress/sigma_c), integrated exactly over a step of strain de:
//   stress <- sigma_c s + (stress - sigma_c s) exp(-(k0/sigma_c) |de|),  s = sign(de)
// clang-format on
//
// docs/theory/friction.md. Time does not appear: a held fold keeps no more than one that is not held.
#pragma once

#include <rumple/constitutive/laws.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

template <class T>
RUMPLE_HD Response<T> evaluate(const DahlFriction<T>& law, const DahlHistory<T>& history, T e) {
    const T de = e - history.strain;
    const T s = select(de < T(0), T(-1), T(1));
    const T lag = history.stress - law.sigma_c * s;
    const T slack = select(s * lag < T(0), -s * lag, T(0));  // to saturation, which rounding may pass
    const T decay_minus_1 = expm1(-(law.k0 / law.sigma_c) * abs(de));
    return {law.sigma_c * s * de - s * lag * (law.sigma_c / law.k0) * decay_minus_1,
            history.stress + lag * decay_minus_1, slack * (law.k0 / law.sigma_c) * (decay_minus_1 + T(1))};
}

template <class T>
RUMPLE_HD void advance(const DahlFriction<T>& law, DahlHistory<T>& history, T e) {
    history.stress = evaluate(law, history, e).stress;
    history.strain = e;
}

}  // namespace rumple
