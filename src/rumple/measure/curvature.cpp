#include <cmath>
#include <rumple/measure/curvature.hpp>

namespace rumple {

namespace {

// A vertex is inside when its triangles close around it: as many hinges as triangles meet there.
std::vector<char> inside(std::span<const Hinge> hinges, std::span<const std::array<int, 3>> triangles,
                         std::size_t vertices) {
    std::vector<int> open(vertices);
    for (const auto& t : triangles)
        for (const int v : t) ++open[std::size_t(v)];
    std::vector<char> result(vertices);
    for (std::size_t v = 0; v < vertices; ++v) result[v] = open[v] > 0;
    for (const Hinge& h : hinges) --open[std::size_t(h.x0)], --open[std::size_t(h.x1)];
    for (std::size_t v = 0; v < vertices; ++v) result[v] = result[v] && open[v] == 0;
    return result;
}

}  // namespace

VertexCurvature mean_curvature(std::span<const Hinge> hinges, std::span<const std::array<int, 3>> triangles,
                               std::span<const Vec3d> x) {
    std::vector<Vec3d> sum(x.size());  // of (cot alpha + cot beta)(x_i - x_j)
    std::vector<double> mixed(x.size());
    for (const auto& t : triangles) {
        const std::array<std::size_t, 3> v{std::size_t(t[0]), std::size_t(t[1]), std::size_t(t[2])};
        const double twice = norm(cross(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]));
        if (!(twice > 0)) continue;
        std::array<double, 3> cot;
        std::size_t obtuse = 3;
        for (std::size_t k = 0; k < 3; ++k) {
            cot[k] = dot(x[v[(k + 1) % 3]] - x[v[k]], x[v[(k + 2) % 3]] - x[v[k]]) / twice;
            if (cot[k] < 0) obtuse = k;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;  // the edge opposite to corner k
            const Vec3d e = x[v[a]] - x[v[b]];
            sum[v[a]] += cot[k] * e;
            sum[v[b]] -= cot[k] * e;
            if (obtuse < 3) {
                mixed[v[k]] += twice / (obtuse == k ? 4 : 8);
            } else {
                const double share = cot[k] * dot(e, e) / 8;
                mixed[v[a]] += share;
                mixed[v[b]] += share;
            }
        }
    }
    VertexCurvature result{std::vector<double>(x.size()), std::vector<double>(x.size())};
    const std::vector<char> is_inside = inside(hinges, triangles, x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        if (is_inside[i] && mixed[i] > 0) {
            result.area[i] = mixed[i];
            result.magnitude[i] = norm(sum[i]) / (4 * mixed[i]);
        }
    return result;
}

double mean_curvature_rms(std::span<const Hinge> hinges, std::span<const std::array<int, 3>> triangles,
                          std::span<const Vec3d> x) {
    const VertexCurvature c = mean_curvature(hinges, triangles, x);
    double area = 0, sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        area += c.area[i];
        sum += c.area[i] * c.magnitude[i] * c.magnitude[i];
    }
    return area > 0 ? std::sqrt(sum / area) : 0;
}

}  // namespace rumple
