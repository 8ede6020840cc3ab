// Lists of pairs that are kept while things move: complete at every moment, whatever was searched before.
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/contact/candidate_cache.hpp>

#include "distance_oracle.hpp"
#include "meshes.hpp"

namespace rumple::contact {
namespace {

using test::Random;

constexpr int kN = 5;
constexpr double kReach = 1.25e-3, kObstacleReach = 2.5e-3;

// Two sheets of cloth over a sheet that is an obstacle.
struct Sheets {
    test::Triangles triangles = test::grid_triangles(kN, kN);
    Surface surface;
    std::vector<Vec3d> x;

    Sheets() {
        const BodyMesh bodies[] = {{BodyKind::cloth, kN * kN, triangles, true},
                                   {BodyKind::cloth, kN * kN, triangles, true},
                                   {BodyKind::obstacle, kN * kN, triangles, true}};
        surface = make_surface(bodies);
        for (int b = 0; b < 3; ++b)
            for (Vec3d p : test::grid_points(kN, kN, 0.006, {0.001 * b, 0, 0.003 * (2 - b)})) x.push_back(p);
    }
    // All pairs of which cloth is one that are within reach at some of the times on the way, by the oracle.
    std::vector<ContactPair> within_reach(const std::vector<Vec3d>& x0, const std::vector<Vec3d>& x1,
                                          bool cloth_on_cloth) const {
        std::vector<ContactPair> found;
        const auto look = [&](ContactPair pair) {
            const auto v = pair_vertices(surface, pair);
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = i + 1; j < 4; ++j)
                    if (v[i] == v[j]) return;
            const bool obstacle = v[0] >= 2 * kN * kN || v[3] >= 2 * kN * kN;
            if (v[0] >= 2 * kN * kN && v[3] >= 2 * kN * kN) return;
            if (!obstacle && !cloth_on_cloth) return;
            test::MovingPair m{pair.kind, {}, {}};
            for (std::size_t i = 0; i < 4; ++i) {
                m.x0[i] = x0[static_cast<std::size_t>(v[i])];
                m.x1[i] = x1[static_cast<std::size_t>(v[i])];
            }
            const test::Long reach = 0.999L * (obstacle ? kObstacleReach : kReach);
            for (const test::Long t : {0.0L, 0.5L, 1.0L})
                if (m.distance_at(t) < reach) {
                    found.push_back(pair);
                    return;
                }
        };
        for (int v = 0; v < surface.vertex_count; ++v)
            for (int t = 0; t < static_cast<int>(surface.triangles.size()); ++t)
                look({PairKind::vertex_face, v, t});
        for (int a = 0; a < static_cast<int>(surface.edges.size()); ++a)
            for (int b = a + 1; b < static_cast<int>(surface.edges.size()); ++b)
                look({PairKind::edge_edge, a, b});
        return found;
    }
};

TEST(CandidateCache, HoldsEveryPairWithinReachHoweverThingsMoved) {
    Sheets sheets;
    Random random(1);
    CandidateCache candidates(sheets.surface, std::vector{kReach, kReach, kObstacleReach}, 1e-3);
    std::vector<std::uint8_t> active{1, 1, 1};
    std::size_t most = 0;
    for (int n = 0; n < 10; ++n) {
        // mostly little steps, now and then a large one, there and back
        const double size = n % 4 == 3 ? 4e-3 : 1e-4;
        const std::vector<Vec3d> x0 = sheets.x;
        std::vector<Vec3d> x1 = x0;
        for (Vec3d& p : x1) p += random.in_cube(size);
        const bool cloth_on_cloth = n % 5 != 4;
        active[2] = n % 6 != 5;
        for (int search = 0; search < 2; ++search) {  // an iterate that changes within the step
            const auto found = candidates.find(Threads(1 + n % 2), x0, x1, active, cloth_on_cloth);
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
            std::vector<ContactPair> expected = sheets.within_reach(x0, x1, cloth_on_cloth);
            if (!active[2])
                std::erase_if(expected, [&](ContactPair p) {
                    const auto v = pair_vertices(sheets.surface, p);
                    return v[0] >= 2 * kN * kN || v[3] >= 2 * kN * kN;
                });
            most = std::max(most, expected.size());
            EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()))
                << n << " " << search;
            for (Vec3d& p : x1) p += random.in_cube(0.3 * size);
        }
        sheets.x = x1;
    }
    EXPECT_GT(most, 100u);
}

// One vertex far from the rest is looked for by itself; the list of the others is kept.
TEST(CandidateCache, HoldsThePairsOfADisplacedVertex) {
    Random random(2);
    constexpr int kSide = 13;
    const test::Triangles triangles = test::grid_triangles(kSide, kSide);
    const BodyMesh bodies[] = {{BodyKind::cloth, kSide * kSide, triangles, true},
                               {BodyKind::obstacle, kSide * kSide, triangles, true}};
    const Surface surface = make_surface(bodies);
    std::vector<Vec3d> x;
    for (int b = 0; b < 2; ++b)
        for (Vec3d p : test::grid_points(kSide, kSide, 0.006, {0.001 * b, 0, 0.01 * b})) x.push_back(p);
    CandidateCache candidates(surface, std::vector{kReach, kObstacleReach}, 1e-3);
    const std::vector<std::uint8_t> active{1, 1};
    const Threads threads(1);
    candidates.find(threads, x, x, active, true);
    const auto near_pairs = [&](const std::vector<Vec3d>& x1) {
        CandidateCache anew(surface, std::vector{kReach, kObstacleReach}, 1e-3);
        std::vector<ContactPair> near;
        for (ContactPair pair : anew.find(threads, x, x1, active, true)) {
            const auto v = pair_vertices(surface, pair);
            test::MovingPair m{pair.kind, {}, {}};
            for (std::size_t i = 0; i < 4; ++i) {
                m.x0[i] = x[static_cast<std::size_t>(v[i])];
                m.x1[i] = x1[static_cast<std::size_t>(v[i])];
            }
            const bool obstacle = v[0] >= kSide * kSide || v[3] >= kSide * kSide;
            for (const test::Long t : {0.0L, 0.25L, 0.5L, 0.75L, 1.0L})
                if (m.distance_at(t) < 0.999L * (obstacle ? kObstacleReach : kReach)) {
                    near.push_back(pair);
                    break;
                }
        }
        return near;
    };
    std::size_t all = 0, alone = 0;
    for (int n = 0; n < 20; ++n) {
        std::vector<Vec3d> x1 = x;
        const int displaced = random.below(kSide * kSide), other = random.below(2 * kSide * kSide);
        x1[static_cast<std::size_t>(displaced)] += Vec3d{0, 0, random.between(0.006, 0.011)};
        x1[static_cast<std::size_t>(other)] += random.in_cube(0.01);
        const auto kept = candidates.find(threads, x, x1, active, true);
        const std::vector<ContactPair> near = near_pairs(x1);
        all += near.size();
        EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
        EXPECT_TRUE(std::includes(kept.begin(), kept.end(), near.begin(), near.end())) << n;
        // they move on, and are looked for alone
        const std::vector<int> moved{displaced, other};
        x1[static_cast<std::size_t>(displaced)] += random.in_cube(n % 2 ? 1e-4 : 0.004);
        const auto with = candidates.find_with(threads, moved, x, x1);
        std::vector<ContactPair> theirs = near_pairs(x1);
        std::erase_if(theirs, [&](ContactPair pair) {
            return std::ranges::none_of(pair_vertices(surface, pair),
                                        [&](int v) { return v == displaced || v == other; });
        });
        EXPECT_TRUE(std::ranges::includes(with, theirs)) << n;
        alone += theirs.size();
    }
    EXPECT_GT(all, 100u);
    EXPECT_GT(alone, 20u);
}

}  // namespace
}  // namespace rumple::contact
