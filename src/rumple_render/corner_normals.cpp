#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/corner_normals.hpp>

namespace rumple {

namespace {

struct Corner {
    int triangle;
    double angle;  // rad, of the triangle at this vertex
};

double angle_between(Vec3d a, Vec3d b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// 1 while the cosine says "nearly the same direction", 0 for a crease.
double smoothness(double cosine) {
    static const double sharp = std::cos(kSharpAbove * std::numbers::pi / 180);
    static const double smooth = std::cos(kSmoothBelow * std::numbers::pi / 180);
    const double s = std::clamp((cosine - sharp) / (smooth - sharp), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

Vec3d unit_or(Vec3d v, Vec3d fallback) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : fallback;
}

}  // namespace

std::vector<std::array<Vec3d, 3>> corner_normals(std::span<const Vec3d> positions,
                                                 std::span<const std::array<int, 3>> triangles) {
    const std::size_t count = triangles.size();
    std::vector<Vec3d> face(count);  // unit, or zero without area
    std::vector<std::size_t> begin(positions.size() + 1);
    for (std::size_t t = 0; t < count; ++t) {
        const auto [a, b, c] = triangles[t];
        const Vec3d x = positions[std::size_t(a)];
        face[t] = unit_or(cross(positions[std::size_t(b)] - x, positions[std::size_t(c)] - x), {});
        for (const int v : triangles[t]) ++begin[std::size_t(v) + 1];
    }
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    std::vector<Corner> around(3 * count);
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const auto v = std::size_t(triangles[t][i]);
            const Vec3d to_1 = positions[std::size_t(triangles[t][(i + 1) % 3])] - positions[v];
            const Vec3d to_2 = positions[std::size_t(triangles[t][(i + 2) % 3])] - positions[v];
            around[next[v]++] = {int(t), angle_between(to_1, to_2)};
        }

    std::vector<std::array<Vec3d, 3>> normals(count);
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const auto v = std::size_t(triangles[t][i]);
            const bool flat = face[t] == Vec3d{};
            Vec3d sum;
            for (std::size_t k = begin[v]; k < begin[v + 1]; ++k) {
                const Vec3d other = face[std::size_t(around[k].triangle)];
                const double weight = flat ? 1 : smoothness(dot(face[t], other));
                sum += (weight * around[k].angle) * other;
            }
            normals[t][i] = unit_or(sum, flat ? Vec3d{0, 0, 1} : face[t]);
        }
    return normals;
}

}  // namespace rumple
