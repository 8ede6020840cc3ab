#include <cmath>
#include <rumple_render/shown_curvature.hpp>

namespace rumple {

namespace {

// Normals of the vertices, the mean of their triangles', each weighted by its angle there.
std::vector<Vec3d> vertex_normals(std::span<const Vec3d> x, std::span<const std::array<int, 3>> triangles) {
    std::vector<Vec3d> normals(x.size());
    for (const auto& t : triangles) {
        const Vec3d face =
            cross(x[std::size_t(t[1])] - x[std::size_t(t[0])], x[std::size_t(t[2])] - x[std::size_t(t[0])]);
        const double twice = norm(face);
        if (!(twice > 0)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d here = x[std::size_t(t[k])];
            const double cosine =
                dot(x[std::size_t(t[(k + 1) % 3])] - here,
                    x[std::size_t(t[(k + 2) % 3])] - here);  // times the lengths, as `twice`
            normals[std::size_t(t[k])] += (std::atan2(twice, cosine) / twice) * face;
        }
    }
    for (Vec3d& n : normals)
        if (const double length = norm(n); length > 0) n = (1 / length) * n;
    return normals;
}

}  // namespace

std::vector<double> shown_curvature(std::span<const Vec3d> x, std::span<const std::array<int, 3>> triangles) {
    const std::vector<Vec3d> normals = vertex_normals(x, triangles);
    std::vector<double> sum(x.size()), area(x.size());
    for (const auto& t : triangles) {
        const std::array<std::size_t, 3> v{std::size_t(t[0]), std::size_t(t[1]), std::size_t(t[2])};
        const Vec3d face = cross(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]);
        const double twice = norm(face);
        if (!(twice > 0)) continue;
        // The hat function of corner k has the gradient face x (opposite edge) / twice^2.
        double divergence = 0;
        for (std::size_t k = 0; k < 3; ++k)
            divergence += dot(cross(face, x[v[(k + 2) % 3]] - x[v[(k + 1) % 3]]), normals[v[k]]);
        divergence /= twice * twice;
        for (const std::size_t k : v) {
            sum[k] += twice * divergence / 2;
            area[k] += twice;
        }
    }
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] = area[i] > 0 ? std::abs(sum[i] / area[i]) : 0;
    return sum;
}

}  // namespace rumple
