#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>

namespace rumple {

namespace {

constexpr double kPi = std::numbers::pi;

void require_count(const char* where, const char* what, int count, int least) {
    if (count < least)
        throw InputError(where, fmt::format("{} is {}", what, count),
                         fmt::format("it must be at least {}", least));
}

void require_length(const char* where, const char* what, double length) {
    if (!(length > 0) || !std::isfinite(length))
        throw InputError(where, fmt::format("{} is {}", what, length),
                         "it must be a positive length in metres");
}

int rounded(double x, int least) { return std::max(least, int(std::lround(x))); }

using Corners = std::array<int, 4>;  // of a quad, counter-clockwise from (i, j)

// Splits a quad by the diagonal from (i,j) to (i+1,j+1), or, where `turned`, by the other one.
void add_quad(std::vector<std::array<int, 3>>& triangles, const Corners& q, bool turned) {
    if (turned) {
        triangles.push_back({q[0], q[1], q[3]});
        triangles.push_back({q[1], q[2], q[3]});
    } else {
        triangles.push_back({q[0], q[1], q[2]});
        triangles.push_back({q[0], q[2], q[3]});
    }
}

bool turned(Layout layout, int i, int j) { return layout == Layout::alternating && (i + j) % 2 != 0; }

// Triangles between a row of n and a row of n + 1 vertices, whose inner ones lie half a cell off: index(row,
// i).
template <class Long, class Short>
void add_shifted_strip(std::vector<std::array<int, 3>>& triangles, int n, bool long_above, Long long_row,
                       Short short_row) {
    const auto add = [&](int a, int b, int c) {
        if (long_above)
            triangles.push_back({a, b, c});
        else
            triangles.push_back({b, a, c});
    };
    for (int i = 0; i < n; ++i) {
        add(long_row(i + 1), long_row(i), short_row(i));
        if (i + 1 < n) add(short_row(i), short_row(i + 1), long_row(i + 1));
    }
}

// In the plane z = 0 the UVs are the positions, moved so that they start at 0.
void copy_positions_to_uvs(TriMesh& mesh, double left, double bottom) {
    for (const Vec3d& x : mesh.positions) mesh.uvs.push_back({x.x + left, x.y + bottom});
    mesh.uv_triangles = mesh.triangles;
}

TriMesh make_shifted_grid(int nx, int ny, double width, double height) {
    TriMesh mesh;
    std::vector<int> first;  // vertex of each row
    for (int j = 0; j < ny; ++j) {
        first.push_back(int(mesh.positions.size()));
        const double y = height * (double(j) / (ny - 1) - 0.5);
        const int count = j % 2 == 0 ? nx : nx + 1;
        for (int i = 0; i < count; ++i) {
            const double cell = j % 2 == 0 ? i : std::clamp(i - 0.5, 0.0, double(nx - 1));
            mesh.positions.push_back({width * (cell / (nx - 1) - 0.5), y, 0});
        }
    }
    for (int j = 0; j + 1 < ny; ++j) {
        const bool long_above = j % 2 == 0;
        const int long_first = first[std::size_t(long_above ? j + 1 : j)];
        const int short_first = first[std::size_t(long_above ? j : j + 1)];
        add_shifted_strip(
            mesh.triangles, nx, long_above, [&](int i) { return long_first + i; },
            [&](int i) { return short_first + i; });
    }
    copy_positions_to_uvs(mesh, width / 2, height / 2);
    return mesh;
}

TriMesh make_ring_disc(double radius, int rings) {
    TriMesh mesh;
    mesh.positions.push_back({0, 0, 0});
    for (int k = 1; k <= rings; ++k)
        for (int s = 0; s < 6 * k; ++s) {
            const double r = radius * k / rings, angle = 2 * kPi * s / (6 * k);
            mesh.positions.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
    const auto index = [](int k, int s) { return k == 0 ? 0 : 1 + 3 * k * (k - 1) + s % (6 * k); };
    for (int k = 1; k <= rings; ++k)
        for (int sector = 0; sector < 6; ++sector)
            for (int i = 0; i < k; ++i) {
                const int outer = sector * k + i, inner = sector * (k - 1) + i;
                mesh.triangles.push_back({index(k, outer), index(k, outer + 1), index(k - 1, inner)});
                if (i + 1 < k)
                    mesh.triangles.push_back(
                        {index(k, outer + 1), index(k - 1, inner + 1), index(k - 1, inner)});
            }
    return mesh;
}

// The square [-1,1]^2 with its sides bulged (1: the unit disc; the sides' midpoints stay). Smooth inside, so
// that no line of the grid has a kink; the corners open from 90 towards 180 degrees.
Vec2d bulged_square(double a, double b, double bulge) {
    return {a * std::sqrt(1 - bulge * b * b / 2), b * std::sqrt(1 - bulge * a * a / 2)};
}

TriMesh make_quad_disc(double radius, double edge_length, Layout layout) {
    // Proportions found by trial: all edges near one length, no triangle thin (the tests say how near).
    constexpr double kHalfWidth = 0.6, kBulge = 0.5;
    const int n = rounded(1.4 * radius / edge_length, 1);  // cells along a side of the middle part
    const int m = rounded(0.4 * radius / edge_length, 1);  // layers around it
    TriMesh mesh;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const Vec2d p = bulged_square(2.0 * i / n - 1, 2.0 * j / n - 1, kBulge);
            mesh.positions.push_back({radius * kHalfWidth * p.x, radius * kHalfWidth * p.y, 0});
        }
    const auto core = [n](int i, int j) { return j * (n + 1) + i; };
    // Ring 0 is the middle part's border, counter-clockwise from its lower right corner.
    const auto ring = [&](int k, int s) {
        s %= 4 * n;
        if (k > 0) return (n + 1) * (n + 1) + (k - 1) * 4 * n + s;
        const int side = s / n, i = s % n;
        return side == 0 ? core(n, i) : side == 1 ? core(n - i, n) : side == 2 ? core(0, n - i) : core(i, 0);
    };
    for (int k = 1; k <= m; ++k)
        for (int s = 0; s < 4 * n; ++s) {
            const double angle = kPi / 2 * (double(s) / n - 0.5), f = double(k) / m;
            const Vec3d rim{radius * std::cos(angle), radius * std::sin(angle), 0};
            mesh.positions.push_back((1 - f) * mesh.positions[std::size_t(ring(0, s))] + f * rim);
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            add_quad(mesh.triangles, {core(i, j), core(i + 1, j), core(i + 1, j + 1), core(i, j + 1)},
                     turned(layout, i, j));
    for (int k = 0; k < m; ++k)
        for (int s = 0; s < 4 * n; ++s)
            add_quad(mesh.triangles, {ring(k, s), ring(k + 1, s), ring(k + 1, s + 1), ring(k, s + 1)},
                     turned(layout, k, s));
    return mesh;
}

}  // namespace

TriMesh make_grid(int nx, int ny, double width, double height, Layout layout) {
    require_count("grid", "the number of vertices along x", nx, 2);
    require_count("grid", "the number of vertices along y", ny, 2);
    require_length("grid", "width", width);
    require_length("grid", "height", height);
    if (layout == Layout::equilateral) return make_shifted_grid(nx, ny, width, height);
    TriMesh mesh;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            mesh.positions.push_back(
                {width * (double(i) / (nx - 1) - 0.5), height * (double(j) / (ny - 1) - 0.5), 0});
    for (int j = 0; j + 1 < ny; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const int a = j * nx + i;
            add_quad(mesh.triangles, {a, a + 1, a + nx + 1, a + nx}, turned(layout, i, j));
        }
    copy_positions_to_uvs(mesh, width / 2, height / 2);
    return mesh;
}

int equilateral_rows(int nx, double width, double height) {
    require_count("grid", "the number of vertices along x", nx, 2);
    const double row = width / (nx - 1) * std::numbers::sqrt3 / 2;
    return 1 + rounded(height / row, 1);
}

TriMesh make_equilateral_grid(double width, double height, double edge) {
    require_length("grid", "edge length", edge);
    const int nx = 1 + rounded(width / edge, 1);
    return make_grid(nx, equilateral_rows(nx, width, height), width, height, Layout::equilateral);
}

TriMesh make_tube(int around, int up, double radius, double height, Layout layout) {
    require_count("tube", "the number of vertices around", around, 3);
    require_count("tube", "the number of rings", up, 2);
    require_length("tube", "radius", radius);
    require_length("tube", "height", height);
    const bool shifted = layout == Layout::equilateral;
    const double chord = 2 * radius * std::sin(kPi / around), dz = height / (up - 1);
    const double sagitta =
        radius * (1 - std::cos(kPi / around));  // a shifted ring's vertex above a chord's middle
    const double row = shifted ? std::hypot(dz, sagitta) : dz;
    TriMesh mesh;
    for (int j = 0; j < up; ++j)
        for (int i = 0; i <= around; ++i) {
            const double cell = i + (shifted && j % 2 ? 0.5 : 0.0), angle = 2 * kPi * cell / around;
            mesh.uvs.push_back({chord * cell, row * j});
            if (i < around)
                mesh.positions.push_back(
                    {radius * std::cos(angle), radius * std::sin(angle), height * j / (up - 1)});
        }
    const int columns = around + 1;
    for (int j = 0; j + 1 < up; ++j)
        for (int i = 0; i < around; ++i) {
            const int a = j * columns + i;
            // In odd rings of the shifted layout, which stand half a cell further, the diagonal leans the
            // other way.
            add_quad(mesh.uv_triangles, {a, a + 1, a + columns + 1, a + columns},
                     shifted ? j % 2 == 0 : turned(layout, i, j));
        }
    for (const auto& t : mesh.uv_triangles) {
        const auto vertex = [&](int uv) { return uv / columns * around + uv % columns % around; };
        mesh.triangles.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])});
    }
    return mesh;
}

TriMesh make_disc(double radius, double edge_length, Layout layout) {
    require_length("disc", "radius", radius);
    require_length("disc", "edge length", edge_length);
    TriMesh mesh = layout == Layout::equilateral ? make_ring_disc(radius, rounded(radius / edge_length, 1))
                                                 : make_quad_disc(radius, edge_length, layout);
    copy_positions_to_uvs(mesh, radius, radius);
    return mesh;
}

}  // namespace rumple
