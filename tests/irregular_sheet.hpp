// A flat sheet of irregular triangles whose edges have no preferred direction: random points no nearer to
// each other than an edge, and their Delaunay triangulation (A. Bowyer, D. F. Watson, 1981).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

namespace irregular_detail {

struct Disc {
    double x, y, r2;
    bool contains(Vec2d p) const { return (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) < r2; }
};
inline Disc circumscribed(Vec2d a, Vec2d b, Vec2d c) {
    const Vec2d u = b - a, v = c - a;
    const double d = 2 * cross(u, v), uu = dot(u, u), vv = dot(v, v);
    const double x = (v.y * uu - u.y * vv) / d, y = (u.x * vv - v.x * uu) / d;
    return {a.x + x, a.y + y, x * x + y * y};
}

inline std::vector<std::array<int, 3>> delaunay(std::vector<Vec2d> p) {
    const auto n = static_cast<int>(p.size());
    for (const Vec2d& far : {Vec2d{-50, -50}, Vec2d{100, -50}, Vec2d{-50, 100}}) p.push_back(far);
    const auto at = [&](int i) { return p[static_cast<std::size_t>(i)]; };
    struct Triangle {
        std::array<int, 3> v;
        Disc disc;
    };
    std::vector<Triangle> all{{{n, n + 1, n + 2}, circumscribed(at(n), at(n + 1), at(n + 2))}};
    for (int i = 0; i < n; ++i) {
        std::vector<std::array<int, 2>> border;
        std::erase_if(all, [&](const Triangle& t) {
            if (!t.disc.contains(at(i))) return false;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::array<int, 2> edge{t.v[k], t.v[(k + 1) % 3]};
                const auto twin = std::find(border.begin(), border.end(), std::array{edge[1], edge[0]});
                if (twin == border.end())
                    border.push_back(edge);
                else
                    border.erase(twin);
            }
            return true;
        });
        for (const auto& [a, b] : border) all.push_back({{a, b, i}, circumscribed(at(a), at(b), at(i))});
    }
    std::vector<std::array<int, 3>> triangles;
    for (const Triangle& t : all)
        if (std::max({t.v[0], t.v[1], t.v[2]}) < n) triangles.push_back(t.v);
    return triangles;
}

}  // namespace irregular_detail

// Length along x from 0, width along y about 0 [m]; of about this edge length. UVs are turned by `warp`
// [rad]: that is the angle from the warp to the sheet's length.
constexpr int kSmoothing = 6;

inline TriMesh make_irregular_sheet(double length, double width, double edge, double warp, unsigned seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<Vec2d> p;
    const auto line = [&](Vec2d a, Vec2d b) {  // a border, without its end
        const int pieces = static_cast<int>(std::lround(norm(b - a) / edge));
        for (int i = 0; i < pieces; ++i) p.push_back(a + (double(i) / pieces) * (b - a));
    };
    const Vec2d corner[] = {{0, -width / 2}, {length, -width / 2}, {length, width / 2}, {0, width / 2}};
    for (std::size_t i = 0; i < 4; ++i) line(corner[i], corner[(i + 1) % 4]);
    const std::size_t first_inner = p.size();
    const double nearest = 0.82 * edge;
    for (int misses = 0; misses < 4000;) {
        const Vec2d q{length * uniform(), width * (uniform() - 0.5)};
        const bool room = std::none_of(p.begin(), p.end(),
                                       [&](Vec2d o) { return dot(o - q, o - q) < nearest * nearest; }) &&
                          std::min({q.x, length - q.x, width / 2 - std::abs(q.y)}) > 0.5 * edge;
        if (room)
            p.push_back(q);
        else
            ++misses;
    }
    const std::size_t border = first_inner;
    TriMesh mesh;
    for (int pass = 0; pass < kSmoothing; ++pass) {  // towards equilateral triangles
        std::vector<Vec2d> sum(p.size());
        std::vector<int> count(p.size());
        for (const auto& t : irregular_detail::delaunay(p))
            for (std::size_t k = 0; k < 3; ++k) {
                const auto a = static_cast<std::size_t>(t[k]), b = static_cast<std::size_t>(t[(k + 1) % 3]);
                sum[a] = sum[a] + p[b], ++count[a];
            }
        for (std::size_t i = border; i < p.size(); ++i) p[i] = (1.0 / count[i]) * sum[i];
    }
    mesh.triangles = irregular_detail::delaunay(p);
    mesh.uv_triangles = mesh.triangles;
    for (const Vec2d& q : p) {
        mesh.positions.push_back({q.x, q.y, 0});
        mesh.uvs.push_back(
            {std::cos(warp) * q.x - std::sin(warp) * q.y, std::sin(warp) * q.x + std::cos(warp) * q.y});
    }
    return mesh;
}

}  // namespace rumple
