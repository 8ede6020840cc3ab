// Pairs are thrown out in single precision: never one that is near, and most of those that are not.
#include <gtest/gtest.h>

#include <rumple/contact/continuous.hpp>
#include <rumple/contact/proximity_filter.hpp>

#include "pair_samples.hpp"

namespace rumple::contact {
namespace {

using test::Random;

// One pair by itself.
bool keeps(const test::MovingPair& m, double distance) {
    Surface surface;
    surface.triangles = {{1, 2, 3}};
    surface.edges = {{0, 1}, {2, 3}};
    surface.body_of_vertex = {0, 0, 0, 0};
    const std::vector<Vec3d> x1(m.x1, m.x1 + 4);
    std::vector<Vec3<float>> back;
    for (int i = 0; i < 4; ++i) back.push_back(single(m.x0[i] - m.x1[i]));
    const double within[] = {distance};
    const ContactPair pair{m.kind, 0, m.kind == PairKind::edge_edge ? 1 : 0};
    return ProximityFilter{surface, x1, back, within}.near({&pair, 1}) != 0;
}

TEST(ProximityFilter, KeepsEveryPairThatComesNearAndFewOthers) {
    Random random(1);
    int near = 0, far = 0, kept_far = 0;
    for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge})
        for (int shape = 0; shape < test::kShapes; ++shape)
            for (int motion = 0; motion < test::kMotions; ++motion)
                for (int n = 0; n < 40; ++n) {
                    const test::MovingPair m = test::sample_motion(shape, motion, random, kind);
                    double most = 0, size = 0;
                    for (int i = 0; i < 4; ++i) {
                        for (int j = 0; j < i; ++j) {
                            const Vec3d apart = (m.x0[i] - m.x1[i]) - (m.x0[j] - m.x1[j]);
                            most = std::max(most, norm(apart));
                            size = std::max(size, norm(m.x1[i] - m.x1[j]));
                        }
                    }
                    const bool kept = keeps(m, 0.1);
                    test::Long smallest = m.distance_at(1);
                    for (int k = 0; k < 16; ++k) smallest = std::min(smallest, m.distance_at(k / 16.0L));
                    if (smallest < 0.1L) {
                        ++near;
                        EXPECT_TRUE(kept) << shape << " " << motion << " " << double(smallest);
                    } else if (m.distance_at(1) > test::Long(0.1 + most + 0.05 * size)) {
                        ++far;
                        kept_far += kept;
                    }
                }
    EXPECT_GT(near, 300);
    EXPECT_GT(far, 300);
    EXPECT_EQ(kept_far, 0);
}

// Detection reports impacts a little early. The filter before it must not change what is reported.
TEST(ProximityFilter, KeepsEveryPairOfWhichAnImpactIsReported) {
    Random random(2);
    int reported = 0, left_out = 0;
    for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge})
        for (int shape = 0; shape < test::kShapes; ++shape)
            for (int motion = 0; motion < test::kMotions; ++motion)
                for (int n = 0; n < 100; ++n) {
                    const test::MovingPair m = test::sample_motion(shape, motion, random, kind);
                    const double separation = random.scale(1e-3, 0.3);
                    const bool impact = time_of_impact(kind, m.x0, m.x1, separation) <= 1;
                    const bool kept = keeps(m, kReported * separation);
                    reported += impact;
                    left_out += !kept;
                    EXPECT_TRUE(kept || !impact) << shape << " " << motion << " " << separation;
                }
    EXPECT_GT(reported, 1000);
    EXPECT_GT(left_out, 1000);
}

// Layers that slide over each other, and those that fly side by side, stay apart in one direction.
TEST(ProximityFilter, LeavesOutWhatSlidesPast) {
    Random random(3);
    for (int n = 0; n < 100; ++n) {
        test::MovingPair m{n % 2 ? PairKind::edge_edge : PairKind::vertex_face, {}, {}};
        const int b = n % 2 ? 2 : 1;
        for (int i = 0; i < 4; ++i) {
            m.x0[i] = random.in_cube(1);
            m.x0[i].z = i < b ? 0.2 : 0.0;
        }
        const Vec3d along{random.between(-5, 5), random.between(-5, 5), 0}, together = random.in_cube(20);
        for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + together + (i < b ? along : Vec3d{});
        if (n % 2 == 0) m.x1[0] = 1.0 / 3 * (m.x1[1] + m.x1[2] + m.x1[3]) + Vec3d{0, 0, 0.2};
        const bool over = n % 2 == 0 || test::Long(0.2001) > m.distance_at(1);
        EXPECT_TRUE(!over || !keeps(m, 0.15)) << n;
        EXPECT_TRUE(!over || keeps(m, 0.25)) << n;
    }
}

}  // namespace
}  // namespace rumple::contact
