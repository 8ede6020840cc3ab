// Pairs are thrown out in single precision: never one that is near, and most of those that are not.
#include <gtest/gtest.h>

#include <rumple/contact/proximity_filter.hpp>

#include "pair_samples.hpp"

namespace rumple::contact {
namespace {

using test::Random;

TEST(ProximityFilter, KeepsEveryPairThatComesNearAndFewOthers) {
    Random random(1);
    int near = 0, far = 0, kept_far = 0;
    for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge})
        for (int shape = 0; shape < test::kShapes; ++shape)
            for (int motion = 0; motion < test::kMotions; ++motion)
                for (int n = 0; n < 40; ++n) {
                    const test::MovingPair m = test::sample_motion(shape, motion, random, kind);
                    Surface surface;
                    surface.triangles = {{1, 2, 3}};
                    surface.edges = {{0, 1}, {2, 3}};
                    surface.body_of_vertex = {0, 0, 0, 0};
                    const std::vector<Vec3d> x1(m.x1, m.x1 + 4);
                    std::vector<Vec3<float>> back;
                    double most = 0, size = 0;
                    for (int i = 0; i < 4; ++i) {
                        back.push_back(single(m.x0[i] - m.x1[i]));
                        for (int j = 0; j < i; ++j) {
                            const Vec3d apart = (m.x0[i] - m.x1[i]) - (m.x0[j] - m.x1[j]);
                            most = std::max(most, norm(apart));
                            size = std::max(size, norm(m.x1[i] - m.x1[j]));
                        }
                    }
                    const double within[] = {0.1};
                    const ContactPair pair{kind, 0, kind == PairKind::edge_edge ? 1 : 0};
                    const bool kept = ProximityFilter{surface, x1, back, within}.near({&pair, 1}) != 0;
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

}  // namespace
}  // namespace rumple::contact
