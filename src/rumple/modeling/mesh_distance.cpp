#include <algorithm>
#include <cmath>
#include <rumple/mesh/edges.hpp>
#include <rumple/modeling/mesh_distance.hpp>

namespace rumple {

MeshDistance::MeshDistance(std::span<const Vec3d> positions, std::span<const std::array<int, 3>> triangles,
                           double cell)
    : positions_(positions.begin(), positions.end()),
      triangles_(triangles.begin(), triangles.end()),
      vertex_normal_(positions.size()),
      edge_normal_(triangles.size()),
      cell_(cell) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        const auto x = [&](std::size_t k) { return positions_[std::size_t(triangles_[t][k % 3])]; };
        const Vec3d n = cross(x(1) - x(0), x(2) - x(0));
        const double length = norm(n);
        face_normal_.push_back(length > 0 ? (1 / length) * n : Vec3d{});
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d a = x(k + 1) - x(k), b = x(k + 2) - x(k);
            const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
            vertex_normal_[std::size_t(triangles_[t][k])] += angle * face_normal_[t];
        }
        std::array<std::int64_t, 3> low{}, high{};
        for (int k = 0; k < 3; ++k) {
            const auto axis = std::size_t(k);
            low[axis] = std::int64_t(std::floor(std::min({x(0)[k], x(1)[k], x(2)[k]}) / cell_));
            high[axis] = std::int64_t(std::floor(std::max({x(0)[k], x(1)[k], x(2)[k]}) / cell_));
        }
        for (auto i = low[0]; i <= high[0]; ++i)
            for (auto j = low[1]; j <= high[1]; ++j)
                for (auto k = low[2]; k <= high[2]; ++k) grid_[key(i, j, k)].push_back(int(t));
    }
    const auto walks = sorted_edge_walks({positions_, triangles_, {}, {}});
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        Vec3d sum;
        for (const EdgeWalk& w : edge) sum += face_normal_[std::size_t(w.triangle)];
        for (const EdgeWalk& w : edge) edge_normal_[std::size_t(w.triangle)][std::size_t(w.corner)] = sum;
    }
}

std::int64_t MeshDistance::key(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (i * 1048576 + j) * 1048576 + k;
}

// Closest point of a triangle by its Voronoi regions (Ericson, "Real-Time Collision Detection", 5.1.5).
void MeshDistance::look_at(std::size_t t, Vec3d p, Nearest& nearest) const {
    const auto& v = triangles_[t];
    const Vec3d a = positions_[std::size_t(v[0])], b = positions_[std::size_t(v[1])],
                c = positions_[std::size_t(v[2])];
    const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                 d6 = dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    Vec3d closest, normal;
    if (d1 <= 0 && d2 <= 0) {
        closest = a, normal = vertex_normal_[std::size_t(v[0])];
    } else if (d3 >= 0 && d4 <= d3) {
        closest = b, normal = vertex_normal_[std::size_t(v[1])];
    } else if (d6 >= 0 && d5 <= d6) {
        closest = c, normal = vertex_normal_[std::size_t(v[2])];
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        closest = a + (d1 / (d1 - d3)) * ab, normal = edge_normal_[t][0];
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        closest = a + (d2 / (d2 - d6)) * ac, normal = edge_normal_[t][2];
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        closest = b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), normal = edge_normal_[t][1];
    } else {
        const double scale = 1 / (va + vb + vc);
        closest = a + (vb * scale) * ab + (vc * scale) * ac, normal = face_normal_[t];
    }
    const Vec3d difference = p - closest;
    const double squared = dot(difference, difference);
    if (squared < nearest.squared) nearest = {squared, difference, normal};
}

double MeshDistance::operator()(Vec3d p, double reach) const {
    Nearest nearest{reach * reach, {}, {}};
    // Outwards in cubes of cells, until what is left is further away than what was found.
    const std::array<std::int64_t, 3> at{std::int64_t(std::floor(p.x / cell_)),
                                         std::int64_t(std::floor(p.y / cell_)),
                                         std::int64_t(std::floor(p.z / cell_))};
    bool found = false;
    for (std::int64_t ring = 0; double(ring - 1) * cell_ < std::sqrt(nearest.squared); ++ring)
        for (std::int64_t i = -ring; i <= ring; ++i)
            for (std::int64_t j = -ring; j <= ring; ++j) {
                const bool whole = std::abs(i) == ring || std::abs(j) == ring;
                for (std::int64_t k = -ring; k <= ring; k += whole || ring == 0 ? 1 : 2 * ring) {
                    const auto cell = grid_.find(key(at[0] + i, at[1] + j, at[2] + k));
                    if (cell == grid_.end()) continue;
                    for (const int t : cell->second) {
                        const double before = nearest.squared;
                        look_at(std::size_t(t), p, nearest);
                        found = found || nearest.squared < before;
                    }
                }
            }
    if (!found) return reach;
    const double distance = std::sqrt(nearest.squared);
    return dot(nearest.difference, nearest.normal) < 0 ? -distance : distance;
}

}  // namespace rumple
