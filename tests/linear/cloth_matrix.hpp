// Matrices as the implicit cloth step makes them, for tests of the solvers: A = M + h^2 H on a slightly
// crumpled sheet or tube, with membrane (Gauss-Newton plus tension) and hinge (Gauss-Newton) stiffness.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/linear/block_matrix.hpp>

namespace rumple::test {

struct ClothOptions {
    int around = 64, along = 28;  // vertices
    bool tube = true;       // closed around, radius 0.04 m and height 0.11 m; otherwise a sheet of that grid
    bool hold_ends = true;  // constrain the first and last ring
    double membrane = 50, shear = 30;  // N/m
    double bending = 5e-6;             // N m
    double density = 0.06;             // kg/m^2
    double step = 0.01;                // s
    double crumple = 1e-3;             // m, amplitude of the smooth displacement
    double roll_gap = 0;               // m; above 0 a sheet is rolled up with that much between its layers
};

struct ClothSystem {
    BlockPattern pattern;
    BlockMatrix a;  // its pattern pointer is set by matrix()
    std::vector<Vec3d> positions, rest_positions;
    std::vector<std::uint8_t> constrained;
    std::vector<Vec3d> b;    // the held top ring was moved by half a step of the reference twist
    double edge_length = 0;  // mean, m

    const BlockMatrix& matrix() {
        a.pattern = &pattern;
        return a;
    }
};

// A sheet rolled up from radius kRollRadius on: angle at which a point at length u stands.
constexpr double kRollRadius = 0.005;  // m
inline double roll_angle(double u, double gap) {
    const double c = gap / (4 * std::acos(-1.0));
    return (-kRollRadius + std::sqrt(kRollRadius * kRollRadius + 4 * c * u)) / (2 * c);
}
inline double roll_length(double angle, double gap) {
    return kRollRadius * angle + gap / (4 * std::acos(-1.0)) * angle * angle;
}
inline Vec3d rolled(double u, double v, double gap) {
    const double angle = roll_angle(u, gap), r = kRollRadius + gap * angle / (2 * std::acos(-1.0));
    return {r * std::cos(angle), r * std::sin(angle), v};
}

inline ClothSystem make_cloth(const ClothOptions& o) {
    const double pi = std::acos(-1.0);
    ClothSystem s;
    const int nu = o.around, nv = o.along, n = nu * nv;
    auto id = [&](int i, int j) { return (i % nu) + nu * j; };
    const double du = 2 * pi * 0.04 / nu, dv = nv > 1 ? 0.11 / (nv - 1) : du;

    // Positions: the reference shape moved by a few random waves, longer than the coarsest mesh's edges.
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    struct Wave {
        Vec3d k, d;
        double phase;
    };
    std::vector<Wave> waves(12);
    for (Wave& w : waves)
        w = {{300 * unit(random), 300 * unit(random), 300 * unit(random)},
             {unit(random), unit(random), unit(random)},
             pi * unit(random)};
    s.positions.resize(static_cast<std::size_t>(n));
    s.rest_positions.resize(static_cast<std::size_t>(n));
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) {
            const double angle = 2 * pi * i / nu;
            const Vec3d p = o.tube           ? Vec3d{0.04 * std::cos(angle), 0.04 * std::sin(angle), dv * j}
                            : o.roll_gap > 0 ? rolled(du * i, dv * j, o.roll_gap)
                                             : Vec3d{du * i, dv * j, 0};
            s.rest_positions[static_cast<std::size_t>(id(i, j))] = o.tube ? p : Vec3d{du * i, dv * j, 0};
            Vec3d moved = p;
            for (const Wave& w : waves) moved += (o.crumple * std::sin(dot(w.k, p) + w.phase) / 3) * w.d;
            s.positions[static_cast<std::size_t>(id(i, j))] = moved;
        }

    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j + 1 < nv; ++j)
        for (int i = 0; i < (o.tube ? nu : nu - 1); ++i) {
            triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
            triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
        }
    struct Element {
        std::array<int, 4> v{};
        int size = 0;
        std::array<Mat3d, 16> h{};
    };
    std::vector<Element> elements;
    std::vector<double> mass(static_cast<std::size_t>(n), 0.0);
    std::vector<double> area_of(triangles.size());
    std::map<std::pair<int, int>, std::array<int, 2>> wing;  // edge (i < j) -> triangle, opposite vertex
    auto x = [&](int i) { return s.positions[static_cast<std::size_t>(i)]; };
    double length_sum = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& tri = triangles[t];
        const Vec3d e1 = x(tri[1]) - x(tri[0]), e2 = x(tri[2]) - x(tri[0]);
        const double area = 0.5 * norm(cross(e1, e2));
        area_of[t] = area;
        // Material frame: u along the first edge, slightly strained so that there is tension to see.
        const Vec3d u = normalized(e1), nrm = normalized(cross(e1, e2)), v = cross(nrm, u);
        const double strain_u = 2e-3 * unit(random), strain_v = 2e-3 * unit(random);
        const double x1 = norm(e1) * (1 - strain_u), x2 = dot(e2, u) * (1 - strain_u),
                     y2 = dot(e2, v) * (1 - strain_v);
        const std::array<Vec2d, 3> g = {Vec2d{-1 / x1, (x2 / x1 - 1) / y2}, Vec2d{1 / x1, -x2 / x1 / y2},
                                        Vec2d{0, 1 / y2}};
        Vec3d fu, fv;
        for (std::size_t i = 0; i < 3; ++i) {
            fu += g[i].x * x(tri[i]);
            fv += g[i].y * x(tri[i]);
        }
        // Tension alone: the compressive part of a diagonal stress is its negative entries.
        const double su = std::max(0.0, o.membrane * 0.5 * (dot(fu, fu) - 1));
        const double sv = std::max(0.0, o.membrane * 0.5 * (dot(fv, fv) - 1));
        Element e;
        e.size = 3;
        for (std::size_t i = 0; i < 3; ++i) {
            e.v[i] = tri[i];
            mass[static_cast<std::size_t>(tri[i])] += o.density * area / 3;
            length_sum += norm(x(tri[i]) - x(tri[(i + 1) % 3]));
            for (std::size_t j = 0; j < 3; ++j) {
                const Vec3d ui = g[i].x * fu, uj = g[j].x * fu, vi = g[i].y * fv, vj = g[j].y * fv;
                const Vec3d si = 0.5 * (g[i].x * fv + g[i].y * fu), sj = 0.5 * (g[j].x * fv + g[j].y * fu);
                Mat3d h = o.membrane * outer(ui, uj);
                h += o.membrane * outer(vi, vj);
                h += (2 * o.shear) * outer(si, sj);
                h += Mat3d::identity(su * g[i].x * g[j].x + sv * g[i].y * g[j].y);
                e.h[4 * i + j] = area * h;
            }
        }
        elements.push_back(e);
        for (std::size_t c = 0; c < 3; ++c) {
            const int p = tri[c], q = tri[(c + 1) % 3], w = tri[(c + 2) % 3];
            const std::pair<int, int> key = std::minmax(p, q);
            const auto found = wing.find(key);
            if (found == wing.end()) {
                wing[key] = {static_cast<int>(t), w};
                continue;
            }
            const double l = norm(x(p) - x(q));
            const double height = (area + area_of[static_cast<std::size_t>(found->second[0])]) / l;
            // This triangle is on the left of p -> q; the other one on its right.
            const auto grad = hinge_angle_gradient(x(p), x(q), x(w), x(found->second[1]));
            Element hinge;
            hinge.size = 4;
            hinge.v = {p, q, w, found->second[1]};
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j)
                    hinge.h[4 * i + j] = (o.bending * l / height) * outer(grad[i], grad[j]);
            elements.push_back(hinge);
        }
    }
    s.edge_length = triangles.empty() ? 1e-3 : length_sum / (3 * static_cast<double>(triangles.size()));

    std::vector<std::pair<int, int>> couplings;
    for (const Element& e : elements)
        for (int i = 0; i < e.size; ++i)
            for (int j = 0; j < i; ++j)
                couplings.emplace_back(e.v[static_cast<std::size_t>(i)], e.v[static_cast<std::size_t>(j)]);
    s.pattern = make_block_pattern(n, couplings);
    s.constrained.assign(static_cast<std::size_t>(n), 0);
    if (o.hold_ends)
        for (int i = 0; i < nu; ++i)
            s.constrained[static_cast<std::size_t>(id(i, 0))] =
                s.constrained[static_cast<std::size_t>(id(i, nv - 1))] = 1;

    s.a = BlockMatrix(s.pattern);
    s.b.assign(static_cast<std::size_t>(n), Vec3d{});
    const double h2 = o.step * o.step;
    for (const Element& e : elements)
        for (int i = 0; i < e.size; ++i)
            for (int j = 0; j < e.size; ++j) {
                const int vi = e.v[static_cast<std::size_t>(i)], vj = e.v[static_cast<std::size_t>(j)];
                const Mat3d h = h2 * e.h[static_cast<std::size_t>(4 * i + j)];
                if (s.constrained[static_cast<std::size_t>(vi)]) continue;
                if (s.constrained[static_cast<std::size_t>(vj)]) {  // the moved ring pulls
                    if (vj >= n - nu) {
                        const Vec3d p = x(vj);
                        s.b[static_cast<std::size_t>(vi)] -= h * Vec3d{0.0157 * p.y, -0.0157 * p.x, -2e-4};
                    }
                    continue;
                }
                if (vi <= vj)
                    s.a.block[s.a.place(static_cast<std::size_t>(vi), find_block(s.pattern, vi, vj))] += h;
            }
    for (int i = 0; i < n; ++i) {
        const auto v = static_cast<std::size_t>(i);
        Mat3d& d = s.a.diagonal(v);
        if (s.constrained[v]) {
            d = Mat3d::identity();
            continue;
        }
        const double m = mass[v] > 0 ? mass[v] : 1e-8;
        d += Mat3d::identity(m);
        // Inertia and unbalanced forces, smooth and rough.
        const Vec3d p = x(i);
        s.b[v] += m * Vec3d{2e-4 * std::sin(60 * p.z), 2e-4 * std::cos(80 * p.x), -1e-3};
        s.b[v] += (0.1 * m) * Vec3d{1e-3 * unit(random), 1e-3 * unit(random), 1e-3 * unit(random)};
    }
    return s;
}

// Number (r, c) of entry k of a row of the pattern.
inline double entry(const BlockMatrix& a, int row, int k, std::size_t r, std::size_t c) {
    const Mat3d& block = a.block[a.place(std::size_t(row), k)];
    return k < a.pattern->diagonal[std::size_t(row)] ? block(int(c), int(r)) : block(int(r), int(c));
}

}  // namespace rumple::test
