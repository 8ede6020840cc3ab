// How wrinkled a cloth is, in numbers: computed from its rest shape, its positions and the angles of a
// reference shape. Knows no solver; the same list of numbers feeds metrics.csv, summary.json and `rumple
// measure`. docs/measures.md says what each number tells.
//
//   h        a hinge: l_h rest length, H_h rest height, theta_h its angle now (0 is flat)
//   dtheta   theta - theta_ref, theta_ref the hinge's angle in the reference shape
//   A        rest area of the whole cloth
//   p99      99th percentile, see statistics.hpp
#pragma once

#include <array>
#include <optional>
#include <rumple/core/vec.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace rumple {

struct WrinkleMeasures {
    // clang-format off
    double angle_change_rms = 0;    // sqrt(mean_h dtheta^2)                                        [rad]
    double angle_change_mean = 0;   // mean_h |dtheta|                                              [rad]
    double angle_change_max = 0;    // max_h |dtheta|                                               [rad]
    double angle_change_p99 = 0;    // p99 of |dtheta|                                              [rad]
    double bending_content = 0;     // sum_h (l/H) dtheta^2 / A                                     [1/m^2]
    double sharpness = 0;           // p99 of |theta|/H                                             [1/m]
    double mean_curvature_rms = 0;  // RMS of the mean curvature, see curvature.hpp                 [1/m]
    // Present when what they need was given.
    std::optional<double> roughness;       // residual of the best quadratic fit, see roughness.hpp [m]
    std::optional<double> crease_density;  // sum_h l |p| / A, p plastic bending strain             [1/m]
    std::optional<double> anchor_rms;      // sqrt(mean_h anchor^2), friction's anchors             [rad]
    // clang-format on

    friend bool operator==(const WrinkleMeasures&, const WrinkleMeasures&) = default;
};

// The one list of measures: calls visit(name, unit, field) for each field, in their order. A field is a
// double, or an optional of one.
template <class Measures, class Visit>
void for_each_measure(Measures& m, Visit&& visit) {
    visit("angle_change_rms", "rad", m.angle_change_rms);
    visit("angle_change_mean", "rad", m.angle_change_mean);
    visit("angle_change_max", "rad", m.angle_change_max);
    visit("angle_change_p99", "rad", m.angle_change_p99);
    visit("bending_content", "1/m^2", m.bending_content);
    visit("sharpness", "1/m", m.sharpness);
    visit("mean_curvature_rms", "1/m", m.mean_curvature_rms);
    visit("roughness", "m", m.roughness);
    visit("crease_density", "1/m", m.crease_density);
    visit("anchor_rms", "rad", m.anchor_rms);
}

// What only some callers have; an empty span means it is not known.
struct MeasureExtras {
    std::span<const Vec3d> reference;  // positions of the reference shape [m], for the roughness
    std::span<const double> plastic;   // plastic bending strain of each hinge [rad]
    std::span<const double> anchor;    // friction anchor of each hinge [rad]
};

// Angle of each hinge at positions x. Throws InputError when a vertex of a hinge has no position. [rad]
std::vector<double> hinge_angles(const RestShape& rest, std::span<const Vec3d> x);

// Throws InputError when a span does not have one entry for each hinge, triangle or vertex of the mesh.
WrinkleMeasures measure_wrinkles(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                                 std::span<const Vec3d> x, std::span<const double> reference_angles,
                                 const MeasureExtras& extras = {});

// Recovery = 1 - RMS dtheta(final)/RMS dtheta(end of hold): 1 when all wrinkles are gone, 0 when all are
// left, negative when there are more. Nothing when there was no wrinkle to recover from. [1]
std::optional<double> recovery(const WrinkleMeasures& end_of_hold, const WrinkleMeasures& final);

struct MeasureEntry {
    std::string_view name;  // the field's name
    std::string_view unit;
    double value;
};

// The measures that are present, always in the order of the fields.
std::vector<MeasureEntry> entries(const WrinkleMeasures& measures);

}  // namespace rumple
