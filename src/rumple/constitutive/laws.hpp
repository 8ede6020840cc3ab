// The data of all laws of a strain component: their parameters, and what they remember. The formulas are in
// one file a law; strain_component.hpp adds them up. Model, State and files include this header only, so that
// a change of a formula rebuilds little.
//
// History variables are one list, RUMPLE_HISTORY_VARIABLES below. Storage, lanes, checkpoints, finiteness
// checks, messages and devices visit it (for_each_history_column, for_each_history_field); nothing else names
// all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <rumple/core/scalar.hpp>

namespace rumple {

// ---- dwell_friction.hpp

// When does stuck friction age? Under load only (docs/theory/friction.md), or always, as in the paper.
enum class DwellGate : std::int8_t { none, load };

template <class T>
struct DwellFriction {
    T k{};        // friction stiffness; N m for bending, N/m for membrane. Larger: stronger wrinkles
    T eps_0{};    // threshold just after slip; rad or 1. Larger: wrinkles even when released at once
    T eps_inf{};  // threshold after a long dwell, >= eps_0. Larger: more difference between brief and held
    T tau{1};     // s, > 0. Larger: slower ageing
    T d_c{};      // slip distance that renews the contacts; rad or 1, >= 0. Larger: smoother slip
    DwellGate gate = DwellGate::load;
};

template <class T>
struct DwellFrictionHistory {
    T anchor{};      // strain at which friction pulls nothing
    T stick_time{};  // s
};

// ---- hardening_plasticity.hpp

template <class T>
struct HardeningPlasticity {
    T k{};     // elastic stiffness; N m for bending, N/m for membrane
    T K_h0{};  // initial hardening, same unit, >= 0. Larger: less of the strain beyond yield stays
    T g{};     // [0, 1): share of the hardening that relaxes. Larger: more difference between brief and held
    T tau{1};  // s, > 0. Larger: slower relaxation
    T eps_Y0{};  // initial yield strain; rad or 1, > 0. Larger: only sharper folds stay
};

template <class T>
struct PlasticityHistory {
    T plastic{};        // p
    T accumulated{};    // gamma
    T clock{};          // t, s
    T direction{};      // of the last flow: -1, +1; 0 before the first
    Truth<T> loaded{};  // was the strain committed last loaded in that direction?
};

// ---- dahl_friction.hpp

template <class T>
struct DahlFriction {
    T k0{};       // stiffness at reversal; N m for bending, N/m for membrane
    T sigma_c{};  // stress at which friction saturates, > 0, same unit times strain
};

template <class T>
struct DahlHistory {
    T stress{};
    T strain{};  // at which that stress was committed
};

// ---- relaxation.hpp

inline constexpr int kMaxBranches = 13;

struct RelaxationTimes {
    int branches = 0;                 // 0: off
    double tau_min = 1, tau_max = 1;  // s: of the first and of the last branch

    // s, of branch i: evenly spaced in the logarithm
    double tau(int i) const {
        return i == 0 ? tau_min : tau_min * std::pow(tau_max / tau_min, double(i) / (branches - 1));
    }
};

template <class T>
struct Relaxation {
    T k{};  // of all branches together; N m for bending, N/m for membrane
    RelaxationTimes times;
};

// What a step of some length does to every branch of a ladder.
struct RelaxationStep {
    int branches = 0;
    double a[kMaxBranches]{};  // share of a branch's strain that is left at the end
    double b[kMaxBranches]{};  // the same of a change of strain in the step
    double mean_b = 1;
};

// What the branches of a component do in this step, formed once from their strains.
template <class T>
struct RelaxationTerm {
    T pull{};  // mean of the branches' strains at the end of the step, were the strain to stay
    T b{1};    // mean of b
};

// ---- all laws of one component (strain_component.hpp)

enum class FrictionKind : std::int8_t { none, dwell, dahl };

template <class T>
struct ComponentLaw {
    HardeningPlasticity<T> plasticity;  // its k is the elastic stiffness also where plasticity is off
    bool yields = false;
    FrictionKind friction_kind = FrictionKind::none;
    DwellFriction<T> friction;
    DahlFriction<T> dahl;
    Relaxation<T> relaxation;
};

template <class T>
struct ComponentHistory {
    DwellFrictionHistory<T> friction;
    PlasticityHistory<T> plasticity;
    T dahl_stress{};
    T strain{};                      // committed last
    RelaxationTerm<T> relaxation{};  // not stored: made of the ladder columns below, where there are any
};

struct StepTimes {
    double material_dt = 0;    // s of material time in this step
    double damping_per_h = 0;  // stiffness-proportional damping time divided by the step, 1
};

// Where a law's tangent jumps: a Newton step that crosses one of these is repeated.
enum ComponentFlag : std::uint8_t { kSlipping = 1, kYielding = 2 };

// The same law in another type of numbers.
template <class T>
RUMPLE_HD ComponentLaw<T> law_for(const ComponentLaw<double>& law) {
    const auto& [k, K_h0, g, tau, eps_Y0] = law.plasticity;
    const auto& [friction_k, eps_0, eps_inf, friction_tau, d_c, gate] = law.friction;
    return {{T(k), T(K_h0), T(g), T(tau), T(eps_Y0)},
            law.yields,
            law.friction_kind,
            {T(friction_k), T(eps_0), T(eps_inf), T(friction_tau), T(d_c), gate},
            {T(law.dahl.k0), T(law.dahl.sigma_c)},
            {T(law.relaxation.k), law.relaxation.times}};
}

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

// A stiffness of bending along the warp, the weft and between them (directional_bending.hpp). [N m]
struct DirectionalStiffness {
    double warp = 0, weft = 0, bias = 0;

    friend bool operator==(const DirectionalStiffness&, const DirectionalStiffness&) = default;
};

// Stiffnesses that differ from element to element (docs/theory/anisotropy.md).
template <class T>
struct StiffnessFactors {
    T elastic{1}, friction{1}, hardening{1};
};
template <class T>
RUMPLE_HD ComponentLaw<T> scaled_stiffness(ComponentLaw<T> law, const StiffnessFactors<T>& factors) {
    law.plasticity.k *= factors.elastic;
    law.relaxation.k *= factors.elastic;
    law.plasticity.K_h0 *= factors.hardening;
    law.friction.k *= factors.friction;
    law.dahl.k0 *= factors.friction;
    law.dahl.sigma_c *= factors.friction;
    return law;
}

// Nothing has slipped or yielded yet at the initial strain.
template <class T>
RUMPLE_HD ComponentHistory<T> initial_history(T e) {
    ComponentHistory<T> history;
    history.friction.anchor = e;
    history.strain = e;
    return history;
}

// ---- the list of history variables

// Which of the optional variables the laws of a model use. The others take neither memory nor time.
struct HistoryLayout {
    bool dahl = false;
    int branches = 0;  // of the longest ladder

    void add(const ComponentLaw<double>& law) {
        dahl = dahl || law.friction_kind == FrictionKind::dahl;
        branches = std::max(branches, law.relaxation.times.branches);
    }
};

struct HistoryVariable {  // an entry of the list, with the names that messages use
    const char* law;
    const char* name;
    std::size_t (*width)(const HistoryLayout& layout);  // numbers a component; 0: the column is empty
};

// column: its array in HistoryColumns          type: in which it is stored
// field: its place in ComponentHistory         width: numbers a component, of the layout
// A column may be renamed or added only together with a new kCheckpointVersion (sim/checkpoint.hpp).
// Ladder variables have several numbers a component. Elements go through them where they lie: they have no
// field in ComponentHistory.
// clang-format off
#define RUMPLE_HISTORY_VARIABLES(VARIABLE)                                                                    \
    /*       column       type         field                   width        law              name          */ \
    VARIABLE(anchor,      double,      friction.anchor,        1,           "friction",      "anchor")        \
    VARIABLE(stick_time,  double,      friction.stick_time,    1,           "friction",      "stick time")    \
    VARIABLE(plastic,     double,      plasticity.plastic,     1,           "plasticity",    "plastic strain") \
    VARIABLE(accumulated, double,      plasticity.accumulated, 1,           "plasticity",    "accumulated strain") \
    VARIABLE(clock,       double,      plasticity.clock,       1,           "plasticity",    "clock")         \
    VARIABLE(direction,   std::int8_t, plasticity.direction,   1,           "plasticity",    "direction")     \
    VARIABLE(loaded,      std::int8_t, plasticity.loaded,      1,           "plasticity",    "load")          \
    VARIABLE(dahl_stress, double,      dahl_stress,            layout.dahl, "Dahl friction", "stress")        \
    VARIABLE(strain,      double,      strain,                 1,           "elasticity",    "strain at the last step")
#define RUMPLE_LADDER_VARIABLES(VARIABLE)                                                                     \
    VARIABLE(branch,      double,      none,                   layout.branches, "relaxation", "branch strain")
// clang-format on

// The history of many components as a structure of arrays; Column<type> is std::vector<type> in State, a
// pointer on a device. Number k of component i is at k * components + i.
template <template <class...> class Column>
struct HistoryColumns {
#define RUMPLE_COLUMN(column, type, field, width, law, name) Column<type> column{};
    RUMPLE_HISTORY_VARIABLES(RUMPLE_COLUMN)
    RUMPLE_LADDER_VARIABLES(RUMPLE_COLUMN)
#undef RUMPLE_COLUMN

    friend bool operator==(const HistoryColumns&, const HistoryColumns&) = default;
};

// The layout with which these columns were filled.
template <class Columns>
HistoryLayout layout_of(const Columns& columns) {
    const std::size_t components = columns.strain.size();
    return {.dahl = !columns.dahl_stress.empty(),
            .branches = components > 0 ? static_cast<int>(columns.branch.size() / components) : 0};
}

// Calls visit(variable, column...) for each variable, with its column in each of `sets`.
template <class Visit, class... Sets>
constexpr void for_each_history_column(Visit&& visit, Sets&... sets) {
#define RUMPLE_VISIT(column, type, field, width, law, name)                                                 \
    visit(HistoryVariable{law, name,                                                                        \
                          []([[maybe_unused]] const HistoryLayout& layout) { return std::size_t(width); }}, \
          sets.column...);
    RUMPLE_HISTORY_VARIABLES(RUMPLE_VISIT)
    RUMPLE_LADDER_VARIABLES(RUMPLE_VISIT)
#undef RUMPLE_VISIT
}

// Calls visit(field, column...) for each variable but those of ladders: a number (or truth) of the
// component's history, and the column in each of `sets` that stores it.
template <class Visit, class History, class... Sets>
RUMPLE_HD constexpr void for_each_history_field(Visit&& visit, History& history, Sets&... sets) {
#define RUMPLE_VISIT(column, type, field, width, law, name) visit(history.field, sets.column...);
    RUMPLE_HISTORY_VARIABLES(RUMPLE_VISIT)
#undef RUMPLE_VISIT
}

#undef RUMPLE_HISTORY_VARIABLES
#undef RUMPLE_LADDER_VARIABLES

}  // namespace rumple
