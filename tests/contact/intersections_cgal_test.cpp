// Exact signs and intersecting triangles against CGAL.
#include "meshes.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangle_3.h>
#include <gtest/gtest.h>
#include <rumple/contact/intersections.hpp>
#include <rumple/contact/orientation.hpp>
#include <rumple/contact/triangle_overlap.hpp>

namespace rumple::contact {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using test::Random;

Kernel::Point_3 point(Vec3d p) { return {p.x, p.y, p.z}; }
Kernel::Triangle_3 triangle(const Vec3d t[3]) { return {point(t[0]), point(t[1]), point(t[2])}; }

Vec3d awkward_point(Random& r, int n) {
    switch (n % 4) {
        case 0:
            return {double(r.below(3)), double(r.below(3)), double(r.below(3))};
        case 1:
            return {double(r.below(3)), double(r.below(3)), 0.1};
        case 2:
            return {0.1 * r.below(7), 0.1 * r.below(7), 0.1 * r.below(7)};  // nearly on a lattice
        default:
            return r.in_cube(1);
    }
}

TEST(Orientation, IsThatOfCgal) {
    Random random(1);
    int zero = 0;
    for (int n = 0; n < 40000; ++n) {
        Vec3d p[4];
        for (Vec3d& q : p) q = awkward_point(random, n);
        if (n % 3 == 0)
            p[3] = p[0] + random.between(0, 1) * (p[1] - p[0]) + random.between(0, 1) * (p[2] - p[0]);
        const int expected = CGAL::orientation(point(p[0]), point(p[1]), point(p[2]), point(p[3]));
        zero += expected == 0;
        // CGAL's sign is that of |b - a, c - a, d - a|.
        ASSERT_EQ(orientation(p[0], p[1], p[2], p[3]), -expected) << n;
        const auto flat = [](Vec3d q) { return Vec2d{q.x, q.y}; };
        const Kernel::Point_2 a{p[0].x, p[0].y}, b{p[1].x, p[1].y}, c{p[3].x, p[3].y};
        ASSERT_EQ(orientation(flat(p[0]), flat(p[1]), flat(p[3])), int(CGAL::orientation(a, b, c))) << n;
    }
    EXPECT_GT(zero, 2000);
}

TEST(TrianglesMeet, WhereCgalSaysSo) {
    Random random(2);
    int meet = 0, count = 0;
    for (int n = 0; n < 60000; ++n) {
        Vec3d a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = awkward_point(random, n);
            b[k] = awkward_point(random, n);
        }
        if (n % 5 == 0) b[0] = 0.5 * (a[0] + a[1]);
        if (triangle(a).is_degenerate() || triangle(b).is_degenerate()) continue;  // CGAL does not take them
        const bool expected = CGAL::do_intersect(triangle(a), triangle(b));
        ++count;
        meet += expected;
        ASSERT_EQ(triangles_meet(a, b), expected) << n;
    }
    EXPECT_GT(meet, count / 5);
    EXPECT_LT(meet, 4 * count / 5);
}

TEST(TrianglesMeet, WithoutAreaAsSegmentsAndPoints) {
    const Vec3d flat[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const auto meets = [&](Vec3d p, Vec3d q, Vec3d r) {
        const Vec3d t[3] = {p, q, r};
        EXPECT_EQ(triangles_meet(t, flat), triangles_meet(flat, t));
        return triangles_meet(t, flat);
    };
    EXPECT_TRUE(meets({1, 1, -1}, {1, 1, 0}, {1, 1, 1}));
    EXPECT_FALSE(meets({1, 1, 3}, {1, 1, 2}, {1, 1, 1}));
    EXPECT_FALSE(meets({3, 3, -1}, {3, 3, 0}, {3, 3, 1}));
    EXPECT_TRUE(meets({1, 1, 0}, {1, 1, 0}, {1, 1, 0}));
    EXPECT_FALSE(meets({1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
    EXPECT_TRUE(meets({1, 1, 0}, {2, 1, 0}, {1.5, 1, 0}));
    const Vec3d needle[3] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}},
                crossing[3] = {{0, 1, 1}, {2, 1, 1}, {2, 1, 1}},
                beyond[3] = {{3, 3, 3}, {4, 4, 4}, {3, 3, 3}},
                along[3] = {{1.5, 1.5, 1.5}, {4, 4, 4}, {3, 3, 3}};
    EXPECT_TRUE(triangles_meet(needle, crossing));
    EXPECT_FALSE(triangles_meet(needle, beyond));
    EXPECT_TRUE(triangles_meet(needle, along));
}

TEST(IntersectingTriangles, AreThoseOfAllPairsByCgal) {
    const auto cloth = test::grid_triangles(12, 10), obstacle = test::grid_triangles(6, 6);
    const BodyMesh bodies[] = {{BodyKind::cloth, 120, cloth, true},
                               {BodyKind::obstacle, 36, obstacle, false},
                               {BodyKind::rigid_body, 36, obstacle, true}};
    const Surface surface = make_surface(bodies);
    for (unsigned seed = 0; seed < 4; ++seed) {
        Random random(seed);
        std::vector<Vec3d> x = test::grid_points(12, 10, 0.1);
        for (int b = 0; b < 2; ++b)
            for (Vec3d p : test::grid_points(6, 6, 0.2, {0, 0, 0.05 * b})) x.push_back(p);
        for (Vec3d& p : x)
            p += random.in_cube(seed == 0 ? 0 : 0.1);  // seed 0: everything in one plane, touching
        const std::uint8_t active[] = {1, 1, seed != 3};
        std::vector<std::pair<int, int>> expected;
        const auto corners = [&](std::size_t t, Vec3d c[3]) {
            for (std::size_t k = 0; k < 3; ++k) c[k] = x[static_cast<std::size_t>(surface.triangles[t][k])];
        };
        for (std::size_t s = 0; s < cloth.size(); ++s)
            for (std::size_t t = s + 1; t < surface.triangles.size(); ++t) {
                const auto &ts = surface.triangles[s], &tt = surface.triangles[t];
                if (!active[surface.body_of_triangle[t]]) continue;
                if (std::ranges::any_of(ts, [&](int v) { return std::ranges::count(tt, v) > 0; })) continue;
                Vec3d a[3], b[3];
                corners(s, a);
                corners(t, b);
                if (CGAL::do_intersect(triangle(a), triangle(b))) expected.emplace_back(int(s), int(t));
            }
        EXPECT_GT(expected.size(), 50u);
        for (int count : {1, 2})
            EXPECT_EQ(intersecting_triangles(Threads(count), surface, x, active), expected);
    }
}

}  // namespace
}  // namespace rumple::contact
