// One strain component with everything that acts on it: elasticity with or without plasticity, friction of
// either kind, relaxation, and damping. Bending has one component a hinge, the membrane three a triangle.
#pragma once

#include <rumple/constitutive/dahl_friction.hpp>
#include <rumple/constitutive/dwell_friction.hpp>
#include <rumple/constitutive/hardening_plasticity.hpp>
#include <rumple/constitutive/relaxation.hpp>

namespace rumple {

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
    const bool relaxes = law.relaxation.times.branches > 0;
    if (relaxes) r += evaluate(law.relaxation, history.relaxation, e - history.strain);
    if (times.damping_per_h > 0) {  // Kelvin-Voigt: the whole k times the strain rate
        const T whole = relaxes ? k + law.relaxation.k : k;
        const T c = whole * T(times.damping_per_h), de = e - history.strain;
        r += {T(0.5) * c * de * de, c * de, c};
    }
    return r;
}

// All but the branches of a ladder, which advance first (relaxation.hpp): they need the strain before.
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

// Which law gives no number at this strain, for messages; null where all do.
inline const char* law_that_is_not_finite(const ComponentLaw<double>& law,
                                          const ComponentHistory<double>& history, double e,
                                          StepTimes times) {
    const auto fails = [&](const ComponentLaw<double>& tried, StepTimes tried_times) {
        const Response<double> r = evaluate(tried, history, e, tried_times);
        return !(std::isfinite(r.energy) && std::isfinite(r.stress) && std::isfinite(r.tangent));
    };
    if (!fails(law, times)) return nullptr;
    const StepTimes undamped{times.material_dt, 0};
    ComponentLaw<double> tried;  // laws are added one after the other, until one fails
    tried.plasticity = law.plasticity;
    if (!std::isfinite(law.plasticity.k) || fails(tried, undamped)) return "elasticity";
    tried.yields = law.yields;
    if (fails(tried, undamped)) return "plasticity";
    if (fails(tried, times)) return "damping";
    tried.relaxation = law.relaxation;
    if (fails(tried, times)) return "relaxation";
    return law.friction_kind == FrictionKind::dahl ? "Dahl friction" : "friction";
}

}  // namespace rumple
