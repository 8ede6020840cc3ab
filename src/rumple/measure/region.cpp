#include <cmath>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/measure/region.hpp>
#include <rumple/measure/require_size.hpp>

namespace rumple {

RegionMeasures measure_region(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                              std::span<const Vec3d> x, std::span<const double> reference_angles,
                              std::span<const int> vertices, std::span<const double> plastic) {
    require_size(triangles.size(), rest.area.size(), "triangles", "rest triangles");
    require_size(reference_angles.size(), rest.hinges.size(), "reference angles", "hinges");
    if (!plastic.empty()) require_size(plastic.size(), rest.hinges.size(), "plastic strains", "hinges");
    require_positions(triangles, x);
    require_positions(rest.hinges, x);
    std::vector<char> in(x.size(), 0);
    for (const int v : vertices) {
        require_position(v, x);
        in[std::size_t(v)] = 1;
    }
    RegionMeasures m;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        if (in[std::size_t(a)] && in[std::size_t(b)] && in[std::size_t(c)]) m.area += rest.area[t];
    }
    if (m.area == 0) return m;
    double squares = 0;
    std::size_t count = 0;
    for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
        const Hinge& hinge = rest.hinges[h];
        if (!in[std::size_t(hinge.x0)] || !in[std::size_t(hinge.x1)]) continue;
        const double change = hinge_angle(x[std::size_t(hinge.x0)], x[std::size_t(hinge.x1)],
                                          x[std::size_t(hinge.x2)], x[std::size_t(hinge.x3)]) -
                              reference_angles[h];
        squares += change * change;
        ++count;
        m.bending_content += rest.hinge_length[h] / rest.hinge_height[h] * change * change / m.area;
        if (!plastic.empty()) m.crease_density += rest.hinge_length[h] * std::abs(plastic[h]) / m.area;
    }
    if (count > 0) m.angle_change_rms = std::sqrt(squares / static_cast<double>(count));
    return m;
}

}  // namespace rumple
