// Continuous detection against bisection in long double.
#include "pair_samples.hpp"

#include <gtest/gtest.h>
#include <rumple/contact/continuous.hpp>

namespace rumple::contact {
namespace {

using test::MovingPair;
using test::Random;

double impact(const MovingPair& m, double separation) {
    return time_of_impact(m.kind, m.x0, m.x1, separation);
}

double longest_edge(const MovingPair& m) {
    const Vec3d* x = m.x0;
    if (m.kind == PairKind::edge_edge) return std::max(norm(x[1] - x[0]), norm(x[3] - x[2]));
    return std::max({norm(x[2] - x[1]), norm(x[3] - x[2]), norm(x[1] - x[3])});
}

TEST(TimeOfImpact, IsNeverLateNeverMissedAndNotFarTooEarly) {
    Random random(3);
    int impacts = 0, clear = 0, early = 0;
    for (int n = 0; n < 24000; ++n) {
        const int shape = n % test::kShapes, motion = n / test::kShapes % test::kMotions;
        const PairKind kind =
            n / (test::kShapes * test::kMotions) % 2 ? PairKind::edge_edge : PairKind::vertex_face;
        const MovingPair m = test::sample_motion(shape, motion, random, kind);
        const double separation = random.scale(1e-4, 0.1);
        const auto place = [&] {
            return ::testing::Message() << "shape " << shape << ", motion " << motion << ", sample " << n;
        };
        const double time = impact(m, separation);
        ASSERT_TRUE((time >= 0 && time <= 1) || time == kNoImpact) << place();
        if (m.distance_at(0) <= 1.001 * separation) continue;  // see the tests of those below

        const long double oracle = test::first_time(m, separation);
        if (oracle <= 1) {
            ++impacts;
            ASSERT_LE(time, static_cast<double>(oracle) + 1e-12) << place();
        }
        if (test::first_time(m, 2.0L * separation) > 1) {
            ++clear;
            ASSERT_EQ(time, kNoImpact) << place();
        }
        if (time <= 1 && m.distance_at(time) > 1.25 * separation) ++early;
    }
    EXPECT_GT(impacts, 4000);
    EXPECT_GT(clear, 4000);
    EXPECT_LT(early, 5);  // rounds ran out
}

// Plain contact: without a separation the answer must still come before the primitives meet.
TEST(TimeOfImpact, OfPlainContactComesBeforeTheyMeet) {
    Random random(4);
    int impacts = 0;
    for (int n = 0; n < 6000; ++n) {
        const int motion = n % 2 ? 7 : n / 2 % test::kMotions;
        const PairKind kind = n / 32 % 2 ? PairKind::edge_edge : PairKind::vertex_face;
        MovingPair m = test::sample_motion(n / 16 % test::kShapes, motion, random, kind);
        const long double start = m.distance_at(0);
        if (start < 1e-4) continue;
        const double time = impact(m, n % 3 ? 0 : -1);
        const long double contact = 1e-7L * longest_edge(m);  // a tenth of what the library keeps
        if (time > 1) {
            ASSERT_GT(test::first_time(m, contact), 1) << "sample " << n;
        } else {
            ++impacts;
            ASSERT_GT(m.distance_at(time), 0) << "sample " << n;
            ASSERT_GE(test::first_time(m, contact), time) << "sample " << n;
        }
    }
    EXPECT_GT(impacts, 1000);
}

TEST(TimeOfImpact, OfAPairThatBeginsWithinTheSeparation) {
    Random random(5);
    int allowed = 0, stopped = 0;
    for (int n = 0; n < 12000; ++n) {
        const int motion = n % test::kMotions;
        const PairKind kind = n / 64 % 2 ? PairKind::edge_edge : PairKind::vertex_face;
        const MovingPair m = test::sample_motion(n / 8 % test::kShapes, motion, random, kind);
        const long double start = m.distance_at(0);
        if (start == 0) {
            EXPECT_EQ(impact(m, 0.1), 0);
        }
        if (start < 1e-4L * (1 + m.speed())) continue;  // or the oracle could overlook a dip
        const double separation = static_cast<double>(start) * random.between(1.01, 3),
                     time = impact(m, separation);
        ASSERT_TRUE(time == 0 || time == kNoImpact);
        (time == 0 ? stopped : allowed) += 1;
        if (time == kNoImpact) {
            ASSERT_GT(test::first_time(m, 0.89L * start), 1) << "sample " << n;
        } else {
            ASSERT_LE(test::first_time(m, 0.95L * start), 1) << "sample " << n;
        }
    }
    EXPECT_GT(allowed, 1000);
    EXPECT_GT(stopped, 1000);
}

TEST(TimeOfImpact, LetsTouchingPairsPartSlideAndRest) {
    const auto moved = [](Vec3d by) {
        MovingPair m{PairKind::vertex_face, {{0.3, 0.3, 1e-4}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}};
        for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + (i == 0 ? by : Vec3d{});
        return impact(m, 1e-3);
    };
    EXPECT_EQ(moved({0, 0, 1}), kNoImpact);
    EXPECT_EQ(moved({0.5, 0, 0}), kNoImpact);
    EXPECT_EQ(moved({0, 0, 0}), kNoImpact);
    EXPECT_EQ(moved({0, 0, -1e-4}), 0);
    EXPECT_EQ(moved({0, 0, -1}), 0);
}

// Two crossing edges a little further apart than the separation turn together: no plane that stands still
// separates them for long, but they come no nearer.
TEST(TimeOfImpact, LetsAPairThatBeginsJustOutsideTurn) {
    const double separation = 2e-5;
    for (const double apart : {1.03, 1.1, 1.2, 1.4}) {
        MovingPair m;
        m.kind = PairKind::edge_edge;
        const Vec3d begin[4] = {
            {-0.01, 0, apart * separation}, {0.01, 0, apart * separation}, {0, -0.01, 0}, {0, 0.01, 0}};
        const double angle = 0.01, c = std::cos(angle), s = std::sin(angle);
        for (int i = 0; i < 4; ++i) {
            m.x0[i] = begin[i];
            m.x1[i] = {c * begin[i].x + s * begin[i].z, begin[i].y, c * begin[i].z - s * begin[i].x};
        }
        EXPECT_EQ(impact(m, separation), kNoImpact) << apart;
    }
}

TEST(TimeOfImpact, OfNoNumberIsAtOnce) {
    MovingPair m{PairKind::edge_edge,
                 {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {0, 1, 0}},
                 {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {0, 1, 0}}};
    EXPECT_EQ(impact(m, 0.1), kNoImpact);
    m.x1[2].y = std::nan("");
    EXPECT_EQ(impact(m, 0.1), 0);
}

}  // namespace
}  // namespace rumple::contact
