// The parameters of one cloth: density, elasticity, friction and plasticity, with units and ranges.
#pragma once

#include <array>
#include <optional>
#include <rumple/constitutive/laws.hpp>
#include <string>
#include <vector>

namespace rumple {

// Do thresholds act on curvature (a hinge of rest height H uses eps H/H_ref, so that finer meshes converge to
// the same cloth) or on the bare dihedral angle, as the paper's authors ran it? docs/theory/strain_metric.md.
enum class StrainMetric { curvature, angle };

struct MembraneStiffness {  // N/m
    double k11 = 50;        // warp
    double k22 = 50;        // weft
    double k12 = 0.2;       // coupling: a stiffness, not a ratio
    double k33 = 30;        // shear
};

// Friction of the three membrane components; k per component, the thresholds alike.
struct TensileFriction {
    std::array<double, 3> k{200, 200, 5};  // N/m: warp, weft, shear
    double eps_0 = 0.005, eps_inf = 0.05;  // 1
    double tau = 30;                       // s
    double d_c = 0.0025;                   // 1; default half of eps_0
};

struct TensilePlasticity {
    std::array<double, 3> K_h0{10, 10, 5};  // N/m: warp, weft, shear
    double g = 0.5;
    double tau = 30;        // s
    double eps_Y0 = 0.033;  // 1
};

// Relaxation of bending or of the membrane: which share of the stiffness sits in branches, and how long they
// take (constitutive/relaxation.hpp).
struct RelaxationLadder {
    double share = 0;                     // 1; 0: off
    double tau_min = 0.1, tau_max = 1e6;  // s

    bool on() const { return share > 0; }
    RelaxationTimes times() const;  // one branch a decade, both ends included
};

// The defaults are those of cotton.
struct Material {
    std::string name;
    double density = 0.06;  // kg/m^2
    MembraneStiffness membrane;
    double bending = 5e-6;  // k = 3 K_b, N m; of all directions together where they differ
    // Where stiffness differs between warp, weft and bias: of `bending`, friction.k and plasticity.K_h0,
    // which then are the mean over all directions (set_directions).
    struct Directions {
        std::optional<DirectionalStiffness> bending, friction, hardening;
        bool any() const { return bending || friction || hardening; }
    } directions;

    FrictionKind friction_kind = FrictionKind::dwell;
    // of bending: k = 3 K_Friction [N m], thresholds and d_c [rad] at H_ref; its gate is also that of the
    // membrane
    DwellFriction<double> friction{.k = 1e-5, .eps_0 = 0.1, .eps_inf = 1.7, .tau = 30, .d_c = 0.05};
    std::optional<double> dahl_sigma_c;  // Dahl baseline: saturation [rad N m at H_ref]; default k eps_0

    bool plastic = true;
    // of bending; its k is ignored, `bending` is used
    HardeningPlasticity<double> plasticity{.k = 5e-6, .K_h0 = 5e-6, .g = 0.99, .tau = 30, .eps_Y0 = 1.8};

    StrainMetric metric = StrainMetric::curvature;
    double H_ref = 2.5e-3;  // m: rest hinge height at which the angles above hold

    // Off in all presets; a scene turns them on.
    std::optional<TensileFriction> tensile_friction;
    std::optional<TensilePlasticity> tensile_plasticity;

    // Off in the paper's presets.
    RelaxationLadder relaxation, tensile_relaxation;

    // The law of bending at hinges of rest height H, thresholds scaled; and of membrane component c = 0, 1, 2
    // (uu, vv, uv), which never scales.
    ComponentLaw<double> bending_law(double H) const;
    ComponentLaw<double> membrane_law(int c) const;
    // By how much the stiffnesses of a hinge differ from those of bending_law(), if its fold runs across the
    // direction phi from the warp.
    StiffnessFactors<double> factors(double cos_2phi) const;
    void set_directions(const Directions& values);
};

// Default slip distance of bending friction, at H_ref. docs/theory/friction.md.
inline constexpr double kDefaultSlipDistance = 0.05;  // rad

// Presets: "cotton", "denim", "polyester" (the paper's specimen table, H_ref 2.5 mm) and "cotton-garment",
// "denim-garment", "polyester-garment" (its trousers table, H_ref 4.65 mm); and "cotton-relaxing", which is
// not measured: cotton whose friction does not age and whose elasticity relaxes.
const std::vector<Material>& material_presets();
const Material* find_preset(const std::string& name);  // nullptr when there is none

// Every field of a material with its JSON key, unit, meaning and allowed range, in one list: the reader, the
// writer, the validation and `rumple materials` all go by it.
struct MaterialField {
    std::string key;      // e.g. "friction.eps_inf"
    std::string unit;     // e.g. "rad"
    std::string meaning;  // what it is and what a larger value does
    double min, max;
    bool min_open = false;  // must be larger than min, not equal
    bool max_open = false;
    std::string if_small{}, if_large{};  // likely mistake when out of range: "is it in g/m^2?"; may be empty
};
const std::vector<MaterialField>& material_fields();

// Every range of material_fields(), and what fields ask of each other: eps_inf >= eps_0, k12^2 < k11 k22, ...
void validate(const Material& material, const std::string& where);

}  // namespace rumple
