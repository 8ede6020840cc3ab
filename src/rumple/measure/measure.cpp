#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/measure/curvature.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/measure/require_size.hpp>
#include <rumple/measure/roughness.hpp>
#include <rumple/measure/statistics.hpp>

namespace rumple {

std::vector<double> hinge_angles(const RestShape& rest, std::span<const Vec3d> x) {
    require_positions(rest.hinges, x);
    std::vector<double> angles;
    angles.reserve(rest.hinges.size());
    for (const Hinge& h : rest.hinges)
        angles.push_back(hinge_angle(x[std::size_t(h.x0)], x[std::size_t(h.x1)], x[std::size_t(h.x2)],
                                     x[std::size_t(h.x3)]));
    return angles;
}

WrinkleMeasures measure_wrinkles(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                                 std::span<const Vec3d> x, std::span<const double> reference_angles,
                                 const MeasureExtras& extras) {
    const std::size_t hinges = rest.hinges.size();
    require_size(triangles.size(), rest.area.size(), "triangles", "rest triangles");
    require_size(reference_angles.size(), hinges, "reference angles", "hinges");
    require_positions(triangles, x);
    const double area = std::accumulate(rest.area.begin(), rest.area.end(), 0.0);
    const std::vector<double> angle = hinge_angles(rest, x);

    std::vector<double> change(hinges), curvature(hinges);
    WrinkleMeasures m;
    for (std::size_t h = 0; h < hinges; ++h) {
        change[h] = std::abs(angle[h] - reference_angles[h]);
        curvature[h] = std::abs(angle[h]) / rest.hinge_height[h];
        m.bending_content += rest.hinge_length[h] / rest.hinge_height[h] * change[h] * change[h] / area;
    }
    m.angle_change_rms = root_mean_square(change);
    m.angle_change_mean = mean(change);
    m.angle_change_max = change.empty() ? 0 : *std::max_element(change.begin(), change.end());
    m.angle_change_p99 = percentile(std::move(change), 99);
    m.sharpness = percentile(std::move(curvature), 99);
    m.mean_curvature_rms = mean_curvature_rms(rest.hinges, triangles, x);

    if (!extras.reference.empty()) {
        require_size(extras.reference.size(), x.size(), "reference positions", "vertices");
        m.roughness = roughness(rest.area, triangles, x, extras.reference);
    }
    if (!extras.plastic.empty()) {
        require_size(extras.plastic.size(), hinges, "plastic strains", "hinges");
        double sum = 0;
        for (std::size_t h = 0; h < hinges; ++h) sum += rest.hinge_length[h] * std::abs(extras.plastic[h]);
        m.crease_density = sum / area;
    }
    if (!extras.anchor.empty()) {
        require_size(extras.anchor.size(), hinges, "anchors", "hinges");
        m.anchor_rms = root_mean_square(extras.anchor);
    }
    return m;
}

std::optional<double> recovery(const WrinkleMeasures& end_of_hold, const WrinkleMeasures& final) {
    if (!(end_of_hold.angle_change_rms > 0)) return std::nullopt;
    return 1 - final.angle_change_rms / end_of_hold.angle_change_rms;
}

std::vector<MeasureEntry> entries(const WrinkleMeasures& m) {
    std::vector<MeasureEntry> list;
    for_each_measure(m, [&](std::string_view name, std::string_view unit, const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const double&>)
            list.push_back({name, unit, value});
        else if (value)
            list.push_back({name, unit, *value});
    });
    return list;
}

}  // namespace rumple
