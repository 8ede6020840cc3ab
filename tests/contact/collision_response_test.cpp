// The end of a step without passing through: clouds of triangles thrown at each other, judged by an oracle
// that shares nothing with the response.
#include <gtest/gtest.h>

#include <rumple/contact/collision_response.hpp>
#include <rumple/contact/triangle_overlap.hpp>

#include "distance_oracle.hpp"
#include "meshes.hpp"

namespace rumple::contact {
namespace {

using test::Random;

constexpr double kThickness = 1e-3;
constexpr long double kMet = 1e-5L;  // m: half of what the response keeps; the oracle sees all dips below it

// Loose triangles of about a centimetre that begin apart from each other. Cloth first.
struct Cloud {
    int cloth, obstacles;  // triangles
    std::vector<std::array<int, 3>> cloth_triangles, obstacle_triangles;
    Surface surface;
    std::vector<Vec3d> x0, x1;
    std::vector<double> inverse_mass, thickness;
    std::vector<std::uint8_t> active, penetrating;

    Cloud(unsigned seed, int cloths, int others, double room, double motion, double obstacle_motion)
        : cloth(cloths), obstacles(others) {
        Random random(seed);
        while (static_cast<int>(x0.size()) < 3 * (cloth + obstacles)) {
            const Vec3d centre = random.in_cube(room);
            Vec3d t[3];
            for (Vec3d& p : t) p = centre + random.in_cube(0.008);
            if (!far_from_all(t)) continue;
            x0.insert(x0.end(), t, t + 3);
        }
        for (int k = 0; k < cloth + obstacles; ++k) {
            const Vec3d way = random.in_cube(k < cloth ? motion : obstacle_motion);
            for (std::size_t i = 0; i < 3; ++i)
                x1.push_back(x0[3 * static_cast<std::size_t>(k) + i] + way +
                             random.in_cube(k < cloth ? 0.5 * motion : 0));
        }
        for (int k = 0; k < cloth; ++k) cloth_triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
        for (int k = 0; k < obstacles; ++k) obstacle_triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
        std::vector<BodyMesh> bodies{{BodyKind::cloth, 3 * cloth, cloth_triangles, true}};
        if (obstacles > 0) bodies.push_back({BodyKind::obstacle, 3 * obstacles, obstacle_triangles, true});
        surface = make_surface(bodies);
        for (int v = 0; v < 3 * cloth; ++v) inverse_mass.push_back(1 / random.between(0.5, 2));
        thickness.assign(bodies.size(), kThickness);
        active.assign(bodies.size(), 1);
        penetrating.assign(x0.size(), 0);
    }
    bool far_from_all(const Vec3d t[3]) const {
        for (std::size_t k = 0; k + 2 < x0.size(); k += 3) {
            const Vec3d other[3] = {x0[k], x0[k + 1], x0[k + 2]};
            if (triangles_meet(t, other)) return false;
            for (std::size_t i = 0; i < 3; ++i) {
                const test::Vec3l down[4] = {test::wide(t[i]), test::wide(other[0]), test::wide(other[1]),
                                             test::wide(other[2])};
                const test::Vec3l up[4] = {test::wide(other[i]), test::wide(t[0]), test::wide(t[1]),
                                           test::wide(t[2])};
                if (test::vertex_face_distance(down) < 1e-4L || test::vertex_face_distance(up) < 1e-4L)
                    return false;
                for (std::size_t j = 0; j < 3; ++j) {
                    const test::Vec3l edges[4] = {test::wide(t[i]), test::wide(t[(i + 1) % 3]),
                                                  test::wide(other[j]), test::wide(other[(j + 1) % 3])};
                    if (test::edge_edge_distance(edges) < 1e-4L) return false;
                }
            }
        }
        return true;
    }
    CollisionRules rules() const { return {3 * cloth, inverse_mass, thickness, active, penetrating, true}; }
    CollisionOutcome resolve(int threads = 1) {
        const std::vector<double> reach(thickness.size(), 1.25 * kThickness);
        CandidateCache candidates(surface, reach, 0.5 * kThickness);
        CollisionResponse response(surface, candidates);
        const Threads workers(threads);
        ContactTiming timing;
        std::vector<Collision> found = response.detect(workers, x0, x1, rules(), timing);
        return response.resolve(workers, x0, x1, rules(), std::move(found), timing);
    }
    // Triangles that come within kMet of each other on the way, by the oracle, among all pairs.
    int meetings(bool with_obstacles) const {
        const auto n = static_cast<std::size_t>(cloth + (with_obstacles ? obstacles : 0));
        int found = 0;
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = a + 1; b < n; ++b) {
                if (a >= static_cast<std::size_t>(cloth)) continue;
                found += triangle_meets(a, b);
            }
        return found;
    }
    bool triangle_meets(std::size_t a, std::size_t b) const {
        const auto meets = [&](PairKind kind, std::array<std::size_t, 4> v) {
            test::MovingPair m{kind, {}, {}};
            for (std::size_t i = 0; i < 4; ++i) {
                m.x0[i] = x0[v[i]];
                m.x1[i] = x1[v[i]];
            }
            return test::first_time(m, kMet) <= 1;
        };
        for (std::size_t i = 0; i < 3; ++i) {
            if (meets(PairKind::vertex_face, {3 * a + i, 3 * b, 3 * b + 1, 3 * b + 2})) return true;
            if (meets(PairKind::vertex_face, {3 * b + i, 3 * a, 3 * a + 1, 3 * a + 2})) return true;
            for (std::size_t j = 0; j < 3; ++j)
                if (meets(PairKind::edge_edge,
                          {3 * a + i, 3 * a + (i + 1) % 3, 3 * b + j, 3 * b + (j + 1) % 3}))
                    return true;
        }
        return false;
    }
    Vec3d momentum(const std::vector<Vec3d>& x) const {
        Vec3d sum;
        for (std::size_t v = 0; v < inverse_mass.size(); ++v)
            if (inverse_mass[v] > 0) sum += (1 / inverse_mass[v]) * (x[v] - x0[v]);
        return sum;
    }
};

TEST(CollisionResponse, ClothNeverMeetsClothOnTheWay) {
    int met_before = 0, impulses = 0;
    for (unsigned seed = 0; seed < 24; ++seed) {
        Cloud cloud(seed, 14, 0, 0.012, seed % 2 ? 0.03 : 0.3, 0);
        met_before += cloud.meetings(false);
        const CollisionOutcome outcome = cloud.resolve();
        EXPECT_EQ(cloud.meetings(false), 0) << seed;
        EXPECT_EQ(outcome.unresolved, 0);
        impulses += outcome.impulses;
    }
    EXPECT_GT(met_before, 100);
    EXPECT_GT(impulses, 100);
}

// A stack of layers that are all to be pressed into one plane by handles above and below: impulses cannot
// help.
TEST(CollisionResponse, WhatImpulsesCannotSettleIsPutBack) {
    Cloud cloud(1, 8, 0, 0.5, 0, 0);
    for (std::size_t k = 0; k < 8; ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            Vec3d& p = cloud.x0[3 * k + i];
            p = {0.01 * (i == 1), 0.01 * (i == 2), 5e-4 * static_cast<double>(k)};
            cloud.x1[3 * k + i] = {p.x, p.y, k < 4 ? 3e-3 : 0};  // the halves change places
            if (k == 0 || k == 7) cloud.inverse_mass[3 * k + i] = 0;
        }
    const CollisionOutcome outcome = cloud.resolve();
    EXPECT_GT(outcome.rolled_back, 3);
    EXPECT_GT(outcome.constraints_violated, 0);
    EXPECT_EQ(outcome.unresolved, 0);
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = a + 1; b < 8; ++b)
            if (a > 0 || b < 7) {
                EXPECT_FALSE(cloud.triangle_meets(a, b)) << a << " " << b;
            }
}

// Cloth that lies on the ridge of an obstacle as near as can be, and is drawn over it while it turns: it may
// come nearer on the way and not at the end. Rolled back there, it would be overstretched by what draws it.
TEST(CollisionResponse, ClothDrawnOverARidgeIsNotRolledBack) {
    const double separation = CollisionResponse::separation(kThickness);
    int impulses = 0, rolled_back = 0, met = 0;
    for (unsigned seed = 400; seed < 700; ++seed) {
        Cloud cloud(1, 1, 1, 0.05, 0, 0);
        Random random(seed);
        const double height = random.between(1, 1.3) * separation;
        cloud.x0 = {{-2e-3, -1e-3, height}, {2e-3, -1e-3, height}, {0, 3e-3, height},
                    {0, -0.02, 0},          {0, 0.02, 0},          {0, 0, -0.02}};
        cloud.x1 = cloud.x0;
        for (std::size_t v = 0; v < 3; ++v)
            cloud.x1[v] += Vec3d{2e-3, 0, random.between(-1e-4, 3e-4)} + random.in_cube(5e-4);
        const CollisionOutcome outcome = cloud.resolve();
        impulses += outcome.impulses;
        rolled_back += outcome.rolled_back;
        met += cloud.meetings(true);
    }
    EXPECT_GT(impulses, 100);
    EXPECT_EQ(rolled_back, 0);
    EXPECT_EQ(met, 0);
}

TEST(CollisionResponse, ClothIsKeptFromObstaclesThatMoveFar) {
    int met_before = 0, unresolved = 0, without_trouble = 0;
    for (unsigned seed = 100; seed < 124; ++seed) {
        Cloud cloud(seed, 5, 4, 0.02, 0.02, 0.1);
        met_before += cloud.meetings(true);
        const std::vector<Vec3d> wanted = cloud.x1;
        const CollisionOutcome outcome = cloud.resolve();
        EXPECT_EQ(cloud.meetings(false), 0) << seed;  // cloth and cloth: whatever the obstacles do
        unresolved += outcome.unresolved;
        if (outcome.unresolved == 0) {
            EXPECT_EQ(cloud.meetings(true), 0) << seed;
            ++without_trouble;
        }
        for (std::size_t v = 15; v < cloud.x1.size(); ++v) EXPECT_EQ(cloud.x1[v], wanted[v]);
    }
    EXPECT_GT(met_before, 20);
    EXPECT_GT(without_trouble, 12) << unresolved;
}

TEST(CollisionResponse, ImpulsesBetweenClothKeepMomentum) {
    int checked = 0;
    for (unsigned seed = 200; seed < 240; ++seed) {
        Cloud cloud(seed, 8, 0, 0.025, 0.01, 0);
        const Vec3d before = cloud.momentum(cloud.x1);
        const std::vector<Vec3d> wanted = cloud.x1;
        const CollisionOutcome outcome = cloud.resolve();
        if (outcome.rolled_back > 0 || outcome.impulses == 0) continue;
        ++checked;
        EXPECT_NE(cloud.x1, wanted);
        double size = 0;
        for (std::size_t v = 0; v < cloud.x1.size(); ++v)
            size += norm(cloud.x1[v] - cloud.x0[v]) / cloud.inverse_mass[v];
        EXPECT_LT(norm(cloud.momentum(cloud.x1) - before), 1e-13 * size);
    }
    EXPECT_GT(checked, 8);
}

TEST(CollisionResponse, ChangesNothingWhereNothingMeets) {
    Cloud cloud(7, 8, 2, 0.05, 1e-4, 1e-4);
    const std::vector<Vec3d> wanted = cloud.x1;
    ASSERT_EQ(cloud.meetings(true), 0);
    const CollisionOutcome outcome = cloud.resolve();
    EXPECT_EQ(cloud.x1, wanted);
    EXPECT_EQ(outcome.impulses + outcome.rolled_back + outcome.unresolved, 0);
}

TEST(CollisionResponse, HandlesGoWhereTheyAreToldUnlessClothHasNoOtherWay) {
    int late = 0, met = 0;
    for (unsigned seed = 300; seed < 320; ++seed) {
        Cloud cloud(seed, 8, 0, 0.008, 0.2, 0);
        for (std::size_t v = 0; v < 12; ++v) cloud.inverse_mass[v] = 0;  // four triangles are held
        const std::vector<Vec3d> wanted = cloud.x1;
        const CollisionOutcome outcome = cloud.resolve();
        int moved = 0;
        for (std::size_t v = 0; v < 12; ++v) moved += cloud.x1[v] != wanted[v];
        EXPECT_LE(moved, outcome.constraints_violated);
        EXPECT_EQ(outcome.unresolved, 0);
        late += outcome.constraints_violated;
        // pairs of handles alone are their author's business; all others do not meet
        for (std::size_t a = 0; a < 8; ++a)
            for (std::size_t b = std::max<std::size_t>(a + 1, 4); b < 8; ++b)
                met += cloud.triangle_meets(a, b);
    }
    EXPECT_EQ(met, 0);
    EXPECT_GT(late, 0);
}

TEST(CollisionResponse, WhatIsInsideAnObstacleMayLeaveIt) {
    // a cloth triangle goes through an obstacle's: kept back, unless it is penetrating
    for (const bool penetrating : {false, true}) {
        Cloud cloud(1, 1, 1, 0.05, 0, 0);
        cloud.x0 = {{0, 0, -1e-3}, {1e-3, 0, -1e-3}, {0, 1e-3, -1e-3}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}};
        cloud.x1 = cloud.x0;
        for (std::size_t v = 0; v < 3; ++v) cloud.x1[v].z = 1e-3;
        const std::vector<Vec3d> wanted = cloud.x1;
        cloud.penetrating.assign(6, penetrating);
        cloud.resolve();
        EXPECT_EQ(cloud.x1 == wanted, penetrating);
        if (!penetrating) {
            for (std::size_t v = 0; v < 3; ++v) EXPECT_LT(cloud.x1[v].z, 0);
        }
    }
}

TEST(CollisionResponse, SameBitsForAnyNumberOfThreads) {
    for (unsigned seed : {0u, 104u}) {
        Cloud one(seed, 60, 20, 0.04, 0.05, 0.05), two = one, three = one;
        one.resolve(1);
        two.resolve(2);
        three.resolve(3);
        EXPECT_EQ(one.x1, two.x1);
        EXPECT_EQ(one.x1, three.x1);
    }
}

}  // namespace
}  // namespace rumple::contact
