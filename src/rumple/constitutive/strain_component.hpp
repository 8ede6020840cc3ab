// One strain component with everything that acts on it: elasticity with or without plasticity, friction of
// either kind, and damping. Bending has one component a hinge, the membrane three a triangle.
#pragma once

#include <cstdint>
#include <rumple/constitutive/dahl_friction.hpp>
#include <rumple/constitutive/dwell_friction.hpp>
#include <rumple/constitutive/hardening_plasticity.hpp>

namespace rumple {

enum class FrictionKind : std::int8_t { none, dwell, dahl };

template <class T>
struct ComponentLaw {
    HardeningPlasticity<T> plasticity;  // its k is the elastic stiffness also where plasticity is off
    bool yields = false;
    FrictionKind friction_kind = FrictionKind::none;
    DwellFriction<T> friction;
    DahlFriction<T> dahl;
};

// The same law in another type of numbers.
template <class T>
RUMPLE_HD ComponentLaw<T> law_for(const ComponentLaw<double>& law) {
    const auto& [k, K_h0, g, tau, eps_Y0] = law.plasticity;
    const auto& [friction_k, eps_0, eps_inf, friction_tau, d_c] = law.friction;
    return {{T(k), T(K_h0), T(g), T(tau), T(eps_Y0)},
            law.yields,
            law.friction_kind,
            {T(friction_k), T(eps_0), T(eps_inf), T(friction_tau), T(d_c)},
            {T(law.dahl.k0), T(law.dahl.sigma_c)}};
}

template <class T>
struct ComponentHistory {
    DwellFrictionHistory<T> friction;
    PlasticityHistory<T> plasticity;
    T dahl_stress{};
    T strain{};  // committed last
};

struct StepTimes {
    double material_dt = 0;    // s of material time in this step
    double damping_per_h = 0;  // stiffness-proportional damping time divided by the step, 1
};

// Where a law's tangent jumps: a Newton step that crosses one of these is repeated.
enum ComponentFlag : std::uint8_t { kSlipping = 1, kYielding = 2 };

// Thresholds that scale with the element's size (docs/theory/strain_metric.md): strains act on curvature.
template <class T>
RUMPLE_HD ComponentLaw<T> scaled_thresholds(ComponentLaw<T> law, T scale) {
    law.plasticity.eps_Y0 *= scale;
    law.friction.eps_0 *= scale;
    law.friction.eps_inf *= scale;
    law.friction.d_c *= scale;
    law.dahl.sigma_c *= scale;
    return law;
}

template <class T>
struct ComponentResponse : Response<T> {
    Truth<T> slips{}, yields{};
};

template <class T>
RUMPLE_HD ComponentResponse<T> evaluate(const ComponentLaw<T>& law, const ComponentHistory<T>& history, T e,
                                        StepTimes times) {
    const T k = law.plasticity.k;
    ComponentResponse<T> r{{T(0.5) * k * e * e, k * e, k}, {}, {}};
    if (law.yields) {
        static_cast<Response<T>&>(r) = evaluate(law.plasticity, history.plasticity, e, T(times.material_dt));
        r.yields = r.tangent != k;
    }
    if (law.friction_kind == FrictionKind::dwell) {
        const Response<T> friction = evaluate(law.friction, history.friction, e);
        r.slips = friction.tangent != law.friction.k;
        r += friction;
    }
    if (law.friction_kind == FrictionKind::dahl)
        r += evaluate(law.dahl, DahlHistory<T>{history.dahl_stress, history.strain}, e);
    if (times.damping_per_h > 0) {  // Kelvin-Voigt: k times the strain rate
        const T c = k * T(times.damping_per_h), de = e - history.strain;
        r += {T(0.5) * c * de * de, c * de, c};
    }
    return r;
}

template <class T>
RUMPLE_HD void advance(const ComponentLaw<T>& law, ComponentHistory<T>& history, T e, StepTimes times) {
    if (law.yields) advance(law.plasticity, history.plasticity, e, T(times.material_dt));
    if (law.friction_kind == FrictionKind::dwell)
        advance(law.friction, history.friction, e, T(times.material_dt));
    if (law.friction_kind == FrictionKind::dahl)
        history.dahl_stress =
            evaluate(law.dahl, DahlHistory<T>{history.dahl_stress, history.strain}, e).stress;
    history.strain = e;
}

// Nothing has slipped or yielded yet at the initial strain.
template <class T>
RUMPLE_HD ComponentHistory<T> initial_history(T e) {
    ComponentHistory<T> history;
    history.friction.anchor = e;
    history.strain = e;
    return history;
}

}  // namespace rumple
