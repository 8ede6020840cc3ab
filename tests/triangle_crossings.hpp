// Triangles that pass through each other, counted with a grid: an oracle for tests, written for clarity.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <rumple/mesh/tri_mesh.hpp>
#include <set>
#include <unordered_map>
#include <vector>

namespace rumple::testing {

// Whether the segment p-q passes through the inside of the triangle (a, b, c).
inline bool pierces(Vec3d p, Vec3d q, Vec3d a, Vec3d b, Vec3d c) {
    const auto volume = [](Vec3d o, Vec3d u, Vec3d v, Vec3d w) { return dot(u - o, cross(v - o, w - o)); };
    const double sp = volume(p, a, b, c), sq = volume(q, a, b, c);
    if ((sp > 0) == (sq > 0)) return false;
    const double s0 = volume(p, q, a, b), s1 = volume(p, q, b, c), s2 = volume(p, q, c, a);
    return (s0 > 0) == (s1 > 0) && (s1 > 0) == (s2 > 0);
}

// Pairs (triangle of `first`, triangle of `second`) that cross; pairs that share a vertex index do not count
// when both meshes are the same.
inline std::vector<std::array<int, 2>> crossings(const TriMesh& first, const TriMesh& second, bool same) {
    using Cell = std::array<std::int64_t, 3>;
    const double size = 0.03;
    const auto span = [&](const TriMesh& m, const std::array<int, 3>& t, Cell& low, Cell& high) {
        for (int k = 0; k < 3; ++k) {
            double a = HUGE_VAL, b = -HUGE_VAL;
            for (const int v : t) {
                a = std::min(a, m.positions[std::size_t(v)][k]);
                b = std::max(b, m.positions[std::size_t(v)][k]);
            }
            low[std::size_t(k)] = std::int64_t(std::floor(a / size));
            high[std::size_t(k)] = std::int64_t(std::floor(b / size));
        }
    };
    const auto each_cell = [&](const TriMesh& m, const std::array<int, 3>& t, auto&& visit) {
        Cell low, high;
        span(m, t, low, high);
        for (auto i = low[0]; i <= high[0]; ++i)
            for (auto j = low[1]; j <= high[1]; ++j)
                for (auto k = low[2]; k <= high[2]; ++k) visit((i * 4096 + j) * 4096 + k);
    };
    std::unordered_map<std::int64_t, std::vector<int>> grid;
    for (std::size_t t = 0; t < second.triangles.size(); ++t)
        each_cell(second, second.triangles[t], [&](std::int64_t cell) { grid[cell].push_back(int(t)); });
    std::set<std::array<int, 2>> found;
    for (std::size_t t = 0; t < first.triangles.size(); ++t)
        each_cell(first, first.triangles[t], [&](std::int64_t cell) {
            const auto bucket = grid.find(cell);
            if (bucket == grid.end()) return;
            const auto& a = first.triangles[t];
            for (const int u : bucket->second) {
                if (same && u <= int(t)) continue;
                const auto& b = second.triangles[std::size_t(u)];
                if (same && std::any_of(a.begin(), a.end(),
                                        [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); }))
                    continue;
                const auto x = [&](std::size_t k) { return first.positions[std::size_t(a[k])]; };
                const auto y = [&](std::size_t k) { return second.positions[std::size_t(b[k])]; };
                bool cross = false;
                for (std::size_t k = 0; k < 3 && !cross; ++k)
                    cross = pierces(x(k), x((k + 1) % 3), y(0), y(1), y(2)) ||
                            pierces(y(k), y((k + 1) % 3), x(0), x(1), x(2));
                if (cross) found.insert({int(t), u});
            }
        });
    return {found.begin(), found.end()};
}

inline std::size_t self_crossings(const TriMesh& mesh) { return crossings(mesh, mesh, true).size(); }

inline double enclosed_volume(const TriMesh& mesh) {
    double six = 0;
    for (const auto& t : mesh.triangles)
        six += dot(mesh.positions[std::size_t(t[0])],
                   cross(mesh.positions[std::size_t(t[1])], mesh.positions[std::size_t(t[2])]));
    return six / 6;
}

}  // namespace rumple::testing
