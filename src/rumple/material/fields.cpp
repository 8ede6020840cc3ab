// The one list of a material's numbers (key, place, unit, range, meaning) and the laws that are made of them.
//
// Ranges are wide enough for any cloth and narrow enough to catch a number in another unit.
#include <cmath>
#include <rumple/constitutive/directional_bending.hpp>
#include <rumple/material/field_slots.hpp>

namespace rumple {
namespace {

struct Entry {
    FieldSlot slot;
    MaterialField field;
};

constexpr bool kOpen = true;
constexpr double kLongest = 1e9;  // s, 30 years

std::span<double> one(double& value) { return {&value, 1}; }
std::span<double> one(std::optional<double>& value) {
    return value ? std::span<double>{&*value, 1} : std::span<double>{};
}

// A slot inside a group that may be absent.
template <auto Group, auto Member>
std::span<double> within(Material& m) {
    auto& group = m.*Group;
    if (!group) return {};
    auto& value = (*group).*Member;
    if constexpr (requires { value.size(); })
        return value;
    else
        return {&value, 1};
}

template <auto Member>
constexpr FieldSlot friction = &within<&Material::tensile_friction, Member>;
template <auto Member>
constexpr FieldSlot plasticity = &within<&Material::tensile_plasticity, Member>;

std::vector<Entry> general_entries() {
    return {
        {[](Material& m) { return one(m.density); },
         {"density", "kg/m^2", "mass per area; larger: heavier, slower", 0.001, 10, !kOpen, !kOpen, "",
          "is it in g/m^2?"}},
        {[](Material& m) { return one(m.H_ref); },
         {"H_ref", "m",
          "rest hinge height at which the angles hold; larger: cloth yields and slips at less curvature",
          1e-5, 0.1, !kOpen, !kOpen, "", "is it in mm?"}},
        {[](Material& m) { return one(m.membrane.k11); },
         {"membrane.k11", "N/m", "stiffness along the warp; larger: stretches less", 0.1, 1e6, !kOpen, !kOpen,
          "is it in N/mm?", "is it in N/m^2?"}},
        {[](Material& m) { return one(m.membrane.k22); },
         {"membrane.k22", "N/m", "stiffness along the weft; larger: stretches less", 0.1, 1e6, !kOpen, !kOpen,
          "is it in N/mm?", "is it in N/m^2?"}},
        {[](Material& m) { return one(m.membrane.k12); },
         {"membrane.k12", "N/m",
          "coupling of warp and weft, a stiffness, not a ratio; larger: narrows more when pulled", 0, 1e6,
          !kOpen, !kOpen, "", "is it in N/m^2?"}},
        {[](Material& m) { return one(m.membrane.k33); },
         {"membrane.k33", "N/m", "shear stiffness; larger: drapes less", 0.01, 1e6, !kOpen, !kOpen,
          "is it in N/mm?", "is it in N/m^2?"}},
        {[](Material& m) { return one(m.bending); },
         {"bending", "N m", "bending stiffness 3 K_b; larger: wider, shallower folds", 0, 0.01, !kOpen,
          !kOpen, "", "is it in N mm or gf cm?"}},
    };
}

std::vector<Entry> bending_entries() {
    return {
        {[](Material& m) { return one(m.friction.k); },
         {"friction.k", "N m", "friction stiffness 3 K_Friction of bending; larger: stronger wrinkles", 0,
          0.01, !kOpen, !kOpen, "", "is it in N mm or gf cm?"}},
        {[](Material& m) { return one(m.friction.eps_0); },
         {"friction.eps_0", "rad",
          "stick threshold just after slip; larger: wrinkles even when released at once", 0, 10, !kOpen,
          !kOpen, "", "is it in degrees?"}},
        {[](Material& m) { return one(m.friction.eps_inf); },
         {"friction.eps_inf", "rad",
          "stick threshold after a long hold; larger: more difference between brief and held", 0, 10, !kOpen,
          !kOpen, "", "is it in degrees?"}},
        {[](Material& m) { return one(m.friction.tau); },
         {"friction.tau", "s", "time in which the threshold grows; larger: slower ageing", 0, kLongest,
          kOpen}},
        {[](Material& m) { return one(m.friction.d_c); },
         {"friction.d_c", "rad",
          "slip that renews the contacts; 0: any slip does, as in the paper; larger: smoother slip", 0, 10,
          !kOpen, !kOpen, "", "is it in degrees?"}},
        {[](Material& m) { return one(m.dahl_sigma_c); },
         {"friction.dahl_sigma_c", "N m",
          "stress at which Dahl friction saturates, default k eps_0; larger: more remains", 0, 0.1, kOpen,
          !kOpen, "", "is it in N mm or gf cm?"}},
        {[](Material& m) { return one(m.plasticity.K_h0); },
         {"plasticity.K_h0", "N m", "initial hardening of bending; larger: less of a sharp fold stays", 0,
          0.01, !kOpen, !kOpen, "", "is it in N mm or gf cm?"}},
        {[](Material& m) { return one(m.plasticity.g); },
         {"plasticity.g", "1",
          "share of the hardening that relaxes; larger: more difference between brief and held", 0, 1, !kOpen,
          kOpen, "", "is it in percent?"}},
        {[](Material& m) { return one(m.plasticity.tau); },
         {"plasticity.tau", "s", "time in which the hardening relaxes; larger: slower", 0, kLongest, kOpen}},
        {[](Material& m) { return one(m.plasticity.eps_Y0); },
         {"plasticity.eps_Y0", "rad", "yield angle; larger: only sharper folds stay", 0, 10, kOpen, !kOpen,
          "", "is it in degrees?"}},
    };
}

std::vector<Entry> tensile_entries() {
    using F = TensileFriction;
    using P = TensilePlasticity;
    return {
        {friction<&F::k>,
         {"tensile_friction.k", "N/m",
          "friction stiffness of warp, weft and shear; larger: stretch recovers less", 0, 1e6, !kOpen, !kOpen,
          "", "is it in N/m^2?"}},
        {friction<&F::eps_0>,
         {"tensile_friction.eps_0", "1", "stick threshold just after slip; larger: more stretch remains", 0,
          1, !kOpen, !kOpen, "", "is it in percent?"}},
        {friction<&F::eps_inf>,
         {"tensile_friction.eps_inf", "1",
          "stick threshold after a long hold; larger: more remains when held", 0, 1, !kOpen, !kOpen, "",
          "is it in percent?"}},
        {friction<&F::tau>,
         {"tensile_friction.tau", "s", "time in which the threshold grows; larger: slower ageing", 0,
          kLongest, kOpen}},
        {friction<&F::d_c>,
         {"tensile_friction.d_c", "1",
          "slip that renews the contacts, default eps_0/2; larger: smoother slip", 0, 1, !kOpen, !kOpen, "",
          "is it in percent?"}},
        {plasticity<&P::K_h0>,
         {"tensile_plasticity.K_h0", "N/m",
          "initial hardening of warp, weft and shear; larger: less stretch stays", 0, 1e6, !kOpen, !kOpen, "",
          "is it in N/m^2?"}},
        {plasticity<&P::g>,
         {"tensile_plasticity.g", "1", "share of the hardening that relaxes; larger: more stays when held", 0,
          1, !kOpen, kOpen, "", "is it in percent?"}},
        {plasticity<&P::tau>,
         {"tensile_plasticity.tau", "s", "time in which the hardening relaxes; larger: slower", 0, kLongest,
          kOpen}},
        {plasticity<&P::eps_Y0>,
         {"tensile_plasticity.eps_Y0", "1", "yield strain; larger: only more stretch stays", 0, 1, kOpen,
          !kOpen, "", "is it in percent?"}},
    };
}

// The same three fields for bending ("relaxation") and for the membrane ("tensile_relaxation").
template <RelaxationLadder Material::*Ladder>
std::vector<Entry> relaxation_entries(const std::string& group, const std::string& of) {
    return {
        {[](Material& m) { return one((m.*Ladder).share); },
         {group + ".share", "1",
          "share of " + of +
              " that relaxes, 0: none; larger: more of a held shape stays, and recovers slowly",
          0, 0.9, !kOpen, !kOpen, "", "is it in percent?"}},
        {[](Material& m) { return one((m.*Ladder).tau_min); },
         {group + ".tau_min", "s", "shortest time of relaxation; larger: moments leave less", 1e-3,
          kLongest}},
        {[](Material& m) { return one((m.*Ladder).tau_max); },
         {group + ".tau_max", "s", "longest time of relaxation; larger: recovery takes longer to end", 1e-3,
          kLongest}},
    };
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> list = general_entries();
        for (auto&& more : {bending_entries(), tensile_entries(),
                            relaxation_entries<&Material::relaxation>("relaxation", "the bending stiffness"),
                            relaxation_entries<&Material::tensile_relaxation>("tensile_relaxation",
                                                                              "the membrane stiffness")})
            list.insert(list.end(), more.begin(), more.end());
        return list;
    }();
    return all;
}

// Takes the branches' share out of a law's elasticity; its hardening goes along, so that the plastic strain
// stays.
void add_relaxation(ComponentLaw<double>& law, const RelaxationLadder& ladder) {
    if (!ladder.on()) return;
    law.relaxation = {ladder.share * law.plasticity.k, ladder.times()};
    law.plasticity.k *= 1 - ladder.share;
    law.plasticity.K_h0 *= 1 - ladder.share;
}

}  // namespace

RelaxationTimes RelaxationLadder::times() const {
    return {1 + static_cast<int>(std::lround(std::log10(tau_max / tau_min))), tau_min, tau_max};
}

ComponentLaw<double> Material::bending_law(double H) const {
    ComponentLaw<double> law;
    law.plasticity = plasticity;
    law.plasticity.k = bending;
    law.yields = plastic;
    law.friction_kind = friction_kind;
    law.friction = friction;
    law.dahl = {friction.k, dahl_sigma_c.value_or(friction.k * friction.eps_0)};
    add_relaxation(law, relaxation);
    return metric == StrainMetric::curvature ? scaled_thresholds(law, H / H_ref) : law;
}

ComponentLaw<double> Material::membrane_law(int c) const {
    const auto i = static_cast<std::size_t>(c);
    ComponentLaw<double> law;
    law.plasticity.k = std::array{membrane.k11, membrane.k22, membrane.k33}.at(i);
    if (tensile_plasticity) {
        const TensilePlasticity& t = *tensile_plasticity;
        law.plasticity = {law.plasticity.k, t.K_h0[i], t.g, t.tau, t.eps_Y0};
        law.yields = true;
    }
    if (tensile_friction) {
        const TensileFriction& t = *tensile_friction;
        law.friction = {t.k[i], t.eps_0, t.eps_inf, t.tau, t.d_c, friction.gate};
        law.friction_kind = FrictionKind::dwell;
    }
    add_relaxation(law, tensile_relaxation);
    return law;
}

StiffnessFactors<double> Material::factors(double cos_2phi) const {
    const auto factor = [&](const std::optional<DirectionalStiffness>& k) {
        return k ? hinge_stiffness(*k, cos_2phi) / coefficients(*k).c0 : 1.0;
    };
    return {factor(directions.bending), factor(directions.friction), factor(directions.hardening)};
}

void Material::set_directions(const Directions& values) {
    directions = values;
    if (values.bending) bending = plasticity.k = coefficients(*values.bending).c0;
    if (values.friction) friction.k = coefficients(*values.friction).c0;
    if (values.hardening) plasticity.K_h0 = coefficients(*values.hardening).c0;
}

const std::vector<MaterialField>& material_fields() {
    static const std::vector<MaterialField> fields = [] {
        std::vector<MaterialField> list;
        for (const Entry& entry : entries()) list.push_back(entry.field);
        return list;
    }();
    return fields;
}

const std::vector<FieldSlot>& field_slots() {
    static const std::vector<FieldSlot> slots = [] {
        std::vector<FieldSlot> list;
        for (const Entry& entry : entries()) list.push_back(entry.slot);
        return list;
    }();
    return slots;
}

}  // namespace rumple
