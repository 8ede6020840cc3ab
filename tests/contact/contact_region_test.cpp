// Which near pairs count: a vertex touches a smooth surface once, wherever it is over it.
#include <gtest/gtest.h>

#include <rumple/contact/contact_region.hpp>

#include "meshes.hpp"
#include "solids.hpp"

namespace rumple::contact {
namespace {

using test::Random;
using test::Triangles;

// A triangle whose first corner is the probe, and a surface.
struct Probe {
    Surface surface;
    std::vector<Vec3d> x;

    Probe(const std::vector<Vec3d>& vertices, const Triangles& triangles) : x(3) {
        const Triangles one = {{0, 1, 2}};
        const BodyMesh bodies[] = {{BodyKind::cloth, 3, one, true},
                                   {BodyKind::obstacle, static_cast<int>(vertices.size()), triangles, true}};
        surface = make_surface(bodies);
        x.insert(x.end(), vertices.begin(), vertices.end());
    }
    // Sum of the weights of all faces with the probe at p: how often it touches.
    double touches(Vec3d p) {
        x[0] = p;
        const ContactRegion region(surface);
        double sum = 0;
        for (int t = 1; t < static_cast<int>(surface.triangles.size()); ++t) {
            const ContactPair pair{PairKind::vertex_face, 0, t};
            const auto v = pair_vertices(surface, pair);
            Vec3d q[4];
            for (int i = 0; i < 4; ++i) q[i] = x[static_cast<std::size_t>(v[static_cast<std::size_t>(i)])];
            sum += region.weight(pair, closest_points(pair.kind, q), x);
        }
        return sum;
    }
};

constexpr int kN = 5;
constexpr double kSpacing = 0.01;

Mat3d some_turn(unsigned seed) {
    Random random(seed);
    return rotation(normalized(random.in_cube(1)), random.between(0, 3));
}

std::vector<Vec3d> turned_by(const Mat3d& r, std::vector<Vec3d> x) {
    for (Vec3d& p : x) p = r * p;
    return x;
}

TEST(ContactRegion, VertexOverAFlatSheetTouchesItOnce) {
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Mat3d turn = seed == 0 ? Mat3d::identity() : some_turn(seed);
        Probe probe(turned_by(turn, test::grid_points(kN, kN, kSpacing)), test::grid_triangles(kN, kN));
        Random random(10 + seed);
        for (int n = 0; n < 300; ++n) {
            const double span = (kN - 1) * kSpacing;
            const Vec3d p{random.between(0, span), random.between(0, span), random.between(1e-5, 1e-3)};
            EXPECT_EQ(probe.touches(turn * p), 1) << seed << " " << n;
        }
    }
}

TEST(ContactRegion, VertexExactlyOverAnEdgeOrACornerTouchesOnce) {
    int wrong = 0, count = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Mat3d turn = seed == 0 ? Mat3d::identity() : some_turn(seed);
        Probe probe(turned_by(turn, test::grid_points(kN, kN, kSpacing)), test::grid_triangles(kN, kN));
        Random random(20 + seed);
        for (const auto& [a, b] : probe.surface.edges) {
            if (a < 3) continue;
            for (const double s : {0.0, 0.5, random.between(0, 1), random.between(0, 1)}) {
                const Vec3d foot =
                    probe.x[static_cast<std::size_t>(a)] +
                    s * (probe.x[static_cast<std::size_t>(b)] - probe.x[static_cast<std::size_t>(a)]);
                const Vec3d up = turn * Vec3d{0, 0, 1};
                ++count;
                wrong += probe.touches(foot + random.between(1e-5, 1e-3) * up) != 1;
            }
        }
    }
    EXPECT_EQ(wrong, 0) << "of " << count;
}

TEST(ContactRegion, VertexBesideABorderTouchesItOnce) {
    const Mat3d turn = some_turn(3);
    Probe probe(turned_by(turn, test::grid_points(kN, kN, kSpacing)), test::grid_triangles(kN, kN));
    Random random(4);
    const double span = (kN - 1) * kSpacing;
    for (int n = 0; n < 300; ++n) {
        const double beyond = random.between(1e-6, 1e-3), up = random.between(-1e-3, 1e-3);
        EXPECT_EQ(probe.touches(turn * Vec3d{random.between(0, span), -beyond, up}), 1);  // an edge
        EXPECT_EQ(probe.touches(turn * Vec3d{span + beyond, -beyond * 0.5, up}), 1);      // a corner
    }
}

TEST(ContactRegion, VertexOverAConvexSolidTouchesItOnce) {
    // over faces, in the cones of ridges and of corners
    for (const test::Solid& solid : {test::box({0.02, 0.03, 0.01}), test::ball(0.01, 1)}) {
        const Mat3d turn = some_turn(5);
        Probe probe(turned_by(turn, solid.vertices), solid.triangles);
        Random random(6);
        for (int n = 0; n < 1000; ++n) {
            Vec3d p = random.in_cube(0.03);
            bool outside = false;
            for (const auto& t : solid.triangles) {
                const Vec3d a = solid.vertices[static_cast<std::size_t>(t[0])],
                            b = solid.vertices[static_cast<std::size_t>(t[1])],
                            c = solid.vertices[static_cast<std::size_t>(t[2])];
                outside |= dot(p - a, normalized(cross(b - a, c - a))) > 1e-6;
            }
            if (!outside) continue;
            // the nearest point alone may count: of a convex body there is one; others are far, out of reach
            probe.x[0] = turn * p;
            const ContactRegion region(probe.surface);
            double nearest = 1e9, weights = 0;
            std::vector<std::pair<double, double>> found;
            for (int t = 1; t < static_cast<int>(probe.surface.triangles.size()); ++t) {
                const ContactPair pair{PairKind::vertex_face, 0, t};
                const auto v = pair_vertices(probe.surface, pair);
                Vec3d q[4];
                for (std::size_t i = 0; i < 4; ++i) q[i] = probe.x[static_cast<std::size_t>(v[i])];
                const Closest c = closest_points(pair.kind, q);
                found.push_back({c.distance, region.weight(pair, c, probe.x)});
                nearest = std::min(nearest, c.distance);
            }
            for (const auto& [distance, weight] : found)
                if (distance < nearest + 1e-9) weights += weight;
            EXPECT_EQ(weights, 1) << n;
        }
    }
}

TEST(ContactRegion, VertexInAValleyTouchesBothSlopes) {
    const std::vector<Vec3d> x = {{0, -1, 0}, {0, 1, 0}, {1, 0, 1}, {-1, 0, 1}};
    Probe probe(x, {{0, 2, 1}, {0, 1, 3}});
    EXPECT_EQ(probe.touches({0, 0, 0.3}), 2);   // over both faces
    EXPECT_EQ(probe.touches({0, 0, -0.3}), 1);  // under the ridge
}

// Two roofs, one over the other, their ridges crossing at a right angle; s: where along the upper ridge.
double weight_of_ridges(double s, double slope, double angle = 1.5707963267948966) {
    std::vector<Vec3d> x;
    for (const double side : {1.0, -1.0}) {  // 1: below, 0.001 apart
        const double turn = side > 0 ? 0 : angle, top = side > 0 ? 0 : 1e-3, shift = side > 0 ? 0 : 0.5 - s;
        const Vec3d along{std::cos(turn), std::sin(turn), 0}, across{-along.y, along.x, 0};
        x.push_back(Vec3d{0, 0, top} + (shift - 0.5) * along);
        x.push_back(Vec3d{0, 0, top} + (shift + 0.5) * along);
        x.push_back(Vec3d{0, 0, top - side * slope} + across);
        x.push_back(Vec3d{0, 0, top - side * slope} - across);
    }
    const Triangles roof = {{0, 1, 2}, {0, 3, 1}};
    const BodyMesh bodies[] = {{BodyKind::cloth, 4, roof, true}, {BodyKind::cloth, 4, roof, true}};
    const Surface surface = make_surface(bodies);
    ContactPair pair{PairKind::edge_edge, -1, -1};
    for (std::size_t e = 0; e < surface.edges.size(); ++e) {
        if (surface.edges[e] == std::array<int, 2>{0, 1}) pair.a = static_cast<int>(e);
        if (surface.edges[e] == std::array<int, 2>{4, 5}) pair.b = static_cast<int>(e);
    }
    const auto v = pair_vertices(surface, pair);
    Vec3d q[4];
    for (std::size_t i = 0; i < 4; ++i) q[i] = x[static_cast<std::size_t>(v[i])];
    return ContactRegion(surface).weight(pair, closest_points(pair.kind, q), x);
}

TEST(ContactRegion, CrossingRidgesTouchAndFadeTowardsTheirEnds) {
    EXPECT_EQ(weight_of_ridges(0.5, 0.3), 1);
    EXPECT_EQ(weight_of_ridges(0.2, 0.3), 1);
    EXPECT_EQ(weight_of_ridges(0, 0.3), 0);
    EXPECT_EQ(weight_of_ridges(-0.1, 0.3), 0);
    double before = 0;
    for (double s = 0; s < 0.2; s += 0.002) {  // no jump
        const double here = weight_of_ridges(s, 0.3);
        EXPECT_GE(here, before - 1e-12);
        EXPECT_LT(here - before, 0.03);
        before = here;
    }
}

TEST(ContactRegion, EdgesOfValleysAndParallelEdgesLeaveItToVertices) {
    EXPECT_EQ(weight_of_ridges(0.5, -0.3), 0);    // each lies over the other's faces
    EXPECT_EQ(weight_of_ridges(0.5, 0.3, 0), 0);  // side by side
    EXPECT_LT(weight_of_ridges(0.5, 0.3, 0.01), 0.2);
    EXPECT_EQ(weight_of_ridges(0.5, 0.3, 0.5), 1);
    double before = weight_of_ridges(0.5, 0.1);
    for (double slope = 0.1; slope > -0.3; slope -= 0.002) {
        const double here = weight_of_ridges(0.5, slope);
        EXPECT_LT(std::abs(here - before), 0.05);
        before = here;
    }
}

}  // namespace
}  // namespace rumple::contact
