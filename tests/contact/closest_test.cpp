// Closest points: they are points of the primitives, and a plane proves that nothing is closer.
#include "pair_samples.hpp"

#include <gtest/gtest.h>
#include <rumple/contact/closest.hpp>

namespace rumple::contact {
namespace {

using test::Random;

double size_of(const Vec3d x[4]) {
    double size = 0;
    for (int i = 1; i < 4; ++i) size = std::max(size, norm(x[i] - x[0]));
    return size;
}

// The plane through neither primitive, normal to the separation: how far apart it keeps them.
double proven_distance(PairKind kind, const Vec3d x[4], const Closest& c) {
    const int a_count = kind == PairKind::vertex_face ? 1 : 2;
    double least = HUGE_VAL;
    for (int i = 0; i < a_count; ++i)
        for (int j = a_count; j < 4; ++j)
            least = std::min(least, dot(c.separation, x[i] - x[j]) / c.distance);
    return least;
}

TEST(ClosestPoints, AreOnThePrimitivesAndNothingIsCloser) {
    Random random(1);
    for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge})
        for (int n = 0; n < 40000; ++n) {
            const int shape = n % test::kShapes;
            Vec3d x[4];
            test::sample_shape(shape, random, kind, x);
            const Closest c = closest_points(kind, x);
            const double size = size_of(x);
            const auto place = [&] { return ::testing::Message() << "shape " << shape << ", sample " << n; };

            const int a_count = kind == PairKind::vertex_face ? 1 : 2;
            double sum_a = 0, sum_b = 0;
            Vec3d separation;
            for (int i = 0; i < 4; ++i) {
                const double w = i < a_count ? c.weight[i] : -c.weight[i];
                ASSERT_GE(w, -1e-15) << place();
                (i < a_count ? sum_a : sum_b) += w;
                separation += c.weight[i] * (x[i] - x[0]);
            }
            ASSERT_NEAR(sum_a, 1, 1e-15) << place();
            ASSERT_NEAR(sum_b, 1, 1e-15) << place();
            ASSERT_LE(norm(separation - c.separation), 1e-14 * size) << place();
            ASSERT_NEAR(norm(c.separation), c.distance, 1e-15 * size) << place();

            Vec3<long double> wide[4];
            for (int i = 0; i < 4; ++i) wide[i] = test::wide(x[i]);
            // Primitives flatter than kFlat are taken for their borders: that is the only inexactness.
            const double tolerance = (shape == 3 || shape == 5 ? kFlat : 1e-13) * (size + 1);
            ASSERT_NEAR(c.distance, static_cast<double>(test::distance(kind, wide)), tolerance) << place();
            if (c.distance > 1e-3 * size) {
                ASSERT_GE(proven_distance(kind, x, c), c.distance - 1e3 * tolerance) << place();
            }
        }
}

TEST(ClosestPoints, AreThoseOfDenseSampling) {
    Random random(2);
    constexpr int kSteps = 40;
    for (int n = 0; n < 400; ++n) {
        Vec3d x[4];
        test::sample_shape(n % test::kShapes, random, PairKind::vertex_face, x);
        double face = HUGE_VAL, edge = HUGE_VAL;
        for (int i = 0; i <= kSteps; ++i)
            for (int j = 0; j <= kSteps; ++j) {
                const double s = double(i) / kSteps, t = double(j) / kSteps;
                edge = std::min(edge, norm((1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3]));
                if (i + j <= kSteps)
                    face = std::min(face, norm(x[0] - (1 - s - t) * x[1] - s * x[2] - t * x[3]));
            }
        const double spacing = 2 * size_of(x) / kSteps, rounding = 1e-12;
        const double vf = closest_points(PairKind::vertex_face, x).distance;
        const double ee = closest_points(PairKind::edge_edge, x).distance;
        EXPECT_TRUE(vf <= face + rounding && face <= vf + spacing) << vf << " " << face;
        EXPECT_TRUE(ee <= edge + rounding && edge <= ee + spacing) << ee << " " << edge;
    }
}

TEST(ClosestPoints, OfParallelEdgesAreInTheMiddleOfTheOverlap) {
    const Vec3d x[4] = {{0, 0, 1}, {4, 0, 1}, {6, 0, 0}, {2, 0, 0}};
    const Closest c = closest_points(PairKind::edge_edge, x);
    EXPECT_DOUBLE_EQ(c.weight[1], 0.75);  // x = 3: the overlap is from 2 to 4
    EXPECT_DOUBLE_EQ(-c.weight[3], 0.75);
    EXPECT_DOUBLE_EQ(c.distance, 1);
    const Vec3d apart[4] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
    EXPECT_DOUBLE_EQ(closest_points(PairKind::edge_edge, apart).distance, 1);
}

}  // namespace
}  // namespace rumple::contact
