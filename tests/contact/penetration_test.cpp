// Cloth inside obstacles: who is, and which way out is.
#include <gtest/gtest.h>

#include <rumple/contact/penetration.hpp>
#include <rumple/contact/triangle_overlap.hpp>
#include <set>

#include "meshes.hpp"
#include "solids.hpp"

namespace rumple::contact {
namespace {

using test::Random;
using test::Solid;

constexpr int kN = 21;
constexpr double kRadius = 0.04, kSpacing = 0.006;

// A flat sheet, across a ball about the origin at this height.
struct SheetInBall {
    Solid ball;
    Surface surface;
    std::vector<Vec3d> x;
    std::vector<std::uint8_t> active{1, 1};

    explicit SheetInBall(double height, Solid solid = test::ball(kRadius, 2)) : ball(std::move(solid)) {
        const auto sheet = test::grid_triangles(kN, kN);
        const BodyMesh bodies[] = {
            {BodyKind::cloth, kN * kN, sheet, true},
            {BodyKind::obstacle, static_cast<int>(ball.vertices.size()), ball.triangles, false}};
        surface = make_surface(bodies);
        const double half = 0.5 * (kN - 1) * kSpacing;
        x = test::grid_points(kN, kN, kSpacing, {-half + 1e-4, -half + 2e-4, height});
        x.insert(x.end(), ball.vertices.begin(), ball.vertices.end());
    }
    // Height over the nearest of the ball's planes: of a convex solid the largest of all; > 0 outside.
    double height(Vec3d p) const {
        double most = -1e9;
        for (const auto& t : ball.triangles) {
            const Vec3d a = ball.vertices[static_cast<std::size_t>(t[0])],
                        n = cross(ball.vertices[static_cast<std::size_t>(t[1])] - a,
                                  ball.vertices[static_cast<std::size_t>(t[2])] - a);
            const Vec3d out = dot(n, a) < 0 ? -n : n;
            most = std::max(most, dot(p - a, normalized(out)));
        }
        return most;
    }
    std::vector<int> expected() const {
        std::set<int> all;
        const std::size_t cloth = static_cast<std::size_t>(surface.bodies[0].triangle_end);
        for (int v = 0; v < kN * kN; ++v)
            if (height(x[static_cast<std::size_t>(v)]) < 0) all.insert(v);
        for (std::size_t s = 0; s < cloth; ++s)
            for (std::size_t t = cloth; t < surface.triangles.size(); ++t) {
                Vec3d a[3], b[3];
                for (std::size_t k = 0; k < 3; ++k) {
                    a[k] = x[static_cast<std::size_t>(surface.triangles[s][k])];
                    b[k] = x[static_cast<std::size_t>(surface.triangles[t][k])];
                }
                if (triangles_meet(a, b))
                    all.insert(surface.triangles[s].begin(), surface.triangles[s].end());
            }
        return {all.begin(), all.end()};
    }
};

std::vector<int> found_in(const SheetInBall& s) {
    Penetration penetration(s.surface);
    penetration.place(Threads(1), s.x, s.active);
    return penetration.find(Threads(1));
}

TEST(Penetration, FindsExactlyWhatIsInsideOrCut) {
    for (const double height : {0.0, 0.013, 0.03, 0.037}) {
        const SheetInBall s(height);
        Penetration penetration(s.surface);
        const std::vector<int> expected = s.expected();
        EXPECT_GT(expected.size(), 3u);
        for (const int threads : {1, 3}) {
            penetration.place(Threads(threads), s.x, s.active);
            EXPECT_EQ(penetration.find(Threads(threads)), expected) << height;
        }
    }
}

TEST(Penetration, FindsTheSameWhereFacesAreTurnedInwards) {
    const SheetInBall s(0.013, test::turned(test::ball(kRadius, 2)));
    EXPECT_EQ(found_in(s), s.expected());
}

TEST(Penetration, FindsNothingOutsideNorInWhatIsNotThere) {
    const SheetInBall outside(0.05);
    EXPECT_TRUE(found_in(outside).empty());
    SheetInBall vanished(0.013);
    vanished.active[1] = 0;
    EXPECT_TRUE(found_in(vanished).empty());
}

TEST(Penetration, ShortestWayOutIsThatOfTheNearestPlane) {
    SheetInBall s(0);
    Random random(1);
    Penetration penetration(s.surface);
    penetration.place(Threads(1), s.x, s.active);
    for (int n = 0; n < 300; ++n) {
        s.x[0] = random.in_cube(0.03);
        const double height = s.height(s.x[0]);
        const NearestFace face = penetration.nearest(0, 0.1);
        ASSERT_GE(face.triangle, 0);
        if (height < 0) {
            EXPECT_NEAR(face.height, height, 1e-12);
            EXPECT_NEAR(norm(face.outward), 1, 1e-12);
            EXPECT_GT(dot(face.outward, normalized(s.x[0])), 0.9 - 1e-3 / norm(s.x[0]));
            // gone that way by the depth, it is on the surface
            EXPECT_NEAR(s.height(s.x[0] - (height)*face.outward), 0, 1e-12);
        } else {
            EXPECT_GE(face.height, height - 1e-12);
            EXPECT_GT(dot(face.outward, s.x[0]), 0);
        }
    }
    EXPECT_EQ(penetration.nearest(0, 1e-9).triangle, -1);
}

TEST(Penetration, SignIsRightBesideSharpEdgesAndCorners) {
    SheetInBall s(0, test::box({0.05, 0.04, 0.03}));
    Random random(2);
    Penetration penetration(s.surface);
    penetration.place(Threads(1), s.x, s.active);
    for (int n = 0; n < 2000; ++n) {
        s.x[0] = random.in_cube(0.04);
        EXPECT_EQ(penetration.nearest(0, 0.1).height < 0, s.height(s.x[0]) < 0) << n;
    }
}

// The point by which a triangle is drawn off what sticks out through it.
TEST(Penetration, TrianglesThatCutASolidAreKnownByAPointInside) {
    int pierced_only = 0;  // no corner inside
    for (const Solid& solid : {test::box({0.002, 0.0015, 0.004}), test::ball(0.012, 2), test::ball(0.0015, 1),
                               test::ball(0.003, 2)}) {
        SheetInBall s(0.001, solid);
        for (std::size_t v = 0; v < kN * kN; ++v) s.x[v] += Vec3d{0.0021, 0.0012, 0};
        Penetration penetration(s.surface);
        penetration.place(Threads(1), s.x, s.active);
        for (int t = 0; t < s.surface.bodies[0].triangle_end; ++t) {
            const auto& v = s.surface.triangles[static_cast<std::size_t>(t)];
            bool cut = false, corner_inside = false;
            Vec3d a[3], b[3], point;
            const PiercedPoint found = penetration.pierced(t, 0.1);
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                a[k] = s.x[static_cast<std::size_t>(v[k])];
                corner_inside |= s.height(a[k]) < 0;
                EXPECT_GE(found.weight[k], 0);
                sum += found.weight[k];
                point += found.weight[k] * a[k];
            }
            for (std::size_t o = static_cast<std::size_t>(s.surface.bodies[1].triangle_begin);
                 o < s.surface.triangles.size(); ++o) {
                for (std::size_t k = 0; k < 3; ++k)
                    b[k] = s.x[static_cast<std::size_t>(s.surface.triangles[o][k])];
                cut |= triangles_meet(a, b);
            }
            ASSERT_EQ(found.face.triangle >= 0, cut) << t;
            if (!cut) continue;
            pierced_only += !corner_inside;
            EXPECT_NEAR(sum, 1, 1e-12);
            EXPECT_NEAR(s.height(point), found.face.height, 1e-12);
            EXPECT_LT(found.face.height, 1e-15) << t;
        }
    }
    EXPECT_GT(pierced_only, 3);
}

TEST(Penetration, NearestIsThatOfAllTrianglesAndOfEqualsTheFirst) {
    SheetInBall s(0);
    Random random(3);
    Penetration penetration(s.surface);
    penetration.place(Threads(2), s.x, s.active);
    for (int n = 0; n < 300; ++n) {
        s.x[0] = n % 3 ? random.in_cube(0.06) : s.x[s.x.size() - 1 - static_cast<std::size_t>(n) % 20];
        const NearestFace found = penetration.nearest(0, 1);
        int best = -1;
        double distance = 1;
        for (std::size_t t = 0; t < s.surface.triangles.size(); ++t) {
            if (s.surface.body_of_triangle[t] == 0) continue;
            const auto& v = s.surface.triangles[t];
            const Vec3d q[4] = {s.x[0], s.x[static_cast<std::size_t>(v[0])],
                                s.x[static_cast<std::size_t>(v[1])], s.x[static_cast<std::size_t>(v[2])]};
            const double here = closest_vertex_face(q).distance;
            if (here < distance) best = static_cast<int>(t), distance = here;
        }
        EXPECT_EQ(found.triangle, best) << n;
        EXPECT_EQ(found.closest.distance, distance);
    }
}

}  // namespace
}  // namespace rumple::contact
