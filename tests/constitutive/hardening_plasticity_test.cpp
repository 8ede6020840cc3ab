// Exact answers of plasticity whose hardening relaxes.
#include <gtest/gtest.h>

#include <cmath>
#include <constitutive/cotton.hpp>
#include <numbers>
#include <rumple/constitutive/hardening_plasticity.hpp>

namespace rumple {
namespace {

using History = PlasticityHistory<double>;

TEST(HardeningPlasticity, HeldFoldFlowsAsTheClosedFormSaysForEveryStep) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    for (const double h : {10.0, 1.0, 0.1, 0.01, 0.001}) {
        History history;
        advance(law, history, 2.5, h);
        EXPECT_NEAR(history.plastic, 0.35, 1e-6) << h;
        const int steps = static_cast<int>(std::lround(500 / h));
        for (int i = 1; i <= steps; ++i) {
            advance(law, history, 2.5, h);
            if (i % (steps / 50) == 0) {
                const double alpha = 1 - 0.99 * (1 - std::exp(-i * h / 30));
                ASSERT_NEAR(history.plastic, 0.7 / (1 + alpha), 1e-9) << h << " after " << i * h;
            }
        }
        EXPECT_NEAR(history.plastic, 0.693069, 1e-6) << h;
        EXPECT_NEAR(history.accumulated, history.plastic, 1e-12);
    }
}

TEST(HardeningPlasticity, VibrationDoesNotStopTheClock) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    for (const double h : {0.01, 0.002}) {
        History history;
        for (int i = 0; i * h <= 500; ++i)
            advance(law, history, 2.5 + 1e-3 * std::sin(2 * std::numbers::pi * 5 * i * h), h);
        EXPECT_NEAR(history.plastic, 0.69406, 5e-6) << h;
        EXPECT_NEAR(history.clock, 500, 0.06) << h;
    }
}

// Ramp to 2.5 rad in 1 s, hold 1 s, back and flat for `flat` seconds, ramp again.
double plastic_after_second_ramp(const HardeningPlasticity<double>& law, double h, double flat) {
    History history;
    const int ramp = static_cast<int>(std::lround(1 / h));
    for (int i = 1; i <= ramp; ++i) advance(law, history, 2.5 * i / ramp, h);
    for (int i = 0; i < ramp; ++i) advance(law, history, 2.5, h);
    for (int i = 1; i <= ramp; ++i) advance(law, history, 2.5 - 2.5 * i / ramp, h);
    for (int i = 0; i < std::lround(flat / h); ++i) advance(law, history, 0.0, h);
    for (int i = 1; i <= ramp; ++i) advance(law, history, 2.5 * i / ramp, h);
    return history.plastic;
}

TEST(HardeningPlasticity, LyingFlatDoesNotAgeIt) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    for (const double h : {0.05, 0.01, 0.001}) {
        const double p = plastic_after_second_ramp(law, h, 500);
        EXPECT_GE(p, 0.357) << h;
        EXPECT_LE(p, 0.358) << h;
        EXPECT_EQ(p, plastic_after_second_ramp(law, h, 0)) << h;
    }
}

TEST(HardeningPlasticity, ClockRunsFromNineteenTwentiethsOfYield) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History history;
    advance(law, history, 2.5, 1.0);  // p = 0.35, Y = 2.15
    EXPECT_TRUE(history.loaded);
    for (const auto& [elastic, runs] : {std::pair{0.951 * 2.15, true}, std::pair{0.949 * 2.15, false}}) {
        History held = history;
        advance(law, held, 0.35 + elastic, 0.0);
        EXPECT_EQ(held.loaded != 0, runs) << elastic;
        const double before = held.clock;
        advance(law, held, 0.35 + elastic, 7.0);
        EXPECT_EQ(held.clock - before, runs ? 7 : 0);
    }
}

TEST(HardeningPlasticity, YieldingTheOtherWaySetsTheClockToZero) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History history;
    for (int i = 0; i < 6; ++i) advance(law, history, 2.5, 10.0);
    EXPECT_NEAR(history.clock, 50, 1e-12);
    const double p = history.plastic, gamma = history.accumulated;

    // the other side is judged with the full hardening alpha(0) = 1: Y = 1.8 + gamma
    History below = history;
    advance(law, below, p - (1.8 + gamma) + 1e-9, 10.0);
    EXPECT_EQ(below.plastic, p);
    EXPECT_EQ(below.direction, 1);
    EXPECT_NEAR(below.clock, 60, 1e-12);  // the strain committed before this step was loaded

    advance(law, history, p - (1.8 + gamma) - 0.2, 10.0);
    EXPECT_NEAR(history.plastic, p - 0.1, 1e-12);  // f/(1 + alpha) = 0.2/2
    EXPECT_NEAR(history.accumulated, gamma + 0.1, 1e-12);
    EXPECT_EQ(history.direction, -1);
    EXPECT_EQ(history.clock, 0);
    EXPECT_TRUE(history.loaded);
}

TEST(HardeningPlasticity, MirroredHistoriesGiveMirroredAnswers) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History plus, minus;
    for (int i = 0; i < 400; ++i) {
        const double e = 3.5 * std::sin(0.037 * i * i / 40);
        const auto a = evaluate(law, plus, e, 0.5), b = evaluate(law, minus, -e, 0.5);
        EXPECT_EQ(a.energy, b.energy);
        EXPECT_EQ(a.stress, -b.stress);
        EXPECT_EQ(a.tangent, b.tangent);
        advance(law, plus, e, 0.5);
        advance(law, minus, -e, 0.5);
        EXPECT_EQ(plus.plastic, -minus.plastic);
        EXPECT_EQ(plus.clock, minus.clock);
    }
    EXPECT_GT(plus.accumulated, 1) << "the path was meant to yield both ways";
}

TEST(HardeningPlasticity, WithoutRelaxationTimeDoesNotMatter) {
    const HardeningPlasticity<double> law = cotton::plasticity(0.0);
    History fast, slow;
    for (int i = 0; i < 400; ++i) {
        const double e = 3.5 * std::sin(0.05 * i);
        EXPECT_EQ(evaluate(law, fast, e, 1e-3).stress, evaluate(law, slow, e, 1e3).stress);
        advance(law, fast, e, 1e-3);
        advance(law, slow, e, 1e3);
        ASSERT_EQ(fast.plastic, slow.plastic);
        ASSERT_EQ(fast.accumulated, slow.accumulated);
    }
    EXPECT_GT(fast.accumulated, 1);
}

TEST(HardeningPlasticity, StressAfterAStepIsElasticInWhatIsNotPlastic) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History history;
    for (int i = 0; i < 300; ++i) {
        const double e = 4 * std::sin(0.05 * i);
        const double stress = evaluate(law, history, e, 0.1).stress;
        advance(law, history, e, 0.1);
        EXPECT_NEAR(stress, law.k * (e - history.plastic), 1e-15 * law.k * 10);
    }
}

TEST(HardeningPlasticity, CommittingTheSameStrainTwiceChangesNothing) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History history;
    for (int i = 0; i < 300; ++i) {
        const double e = 4 * std::sin(0.05 * i);
        advance(law, history, e, 0.1);
        History again = history;
        advance(law, again, e, 0.0);
        EXPECT_NEAR(again.plastic, history.plastic, 2e-15);  // flow of the size of rounding at most
        EXPECT_EQ(again.clock, history.clock);
        EXPECT_EQ(again.direction, history.direction);
        EXPECT_EQ(again.loaded, history.loaded);
    }
}

TEST(HardeningPlasticity, BelowYieldNothingIsRemembered) {
    const HardeningPlasticity<double> law = cotton::plasticity();
    History history;
    for (int i = 0; i < 1000; ++i) advance(law, history, 1.8 * std::sin(0.1 * i), 10.0);
    EXPECT_EQ(history.plastic, 0);
    EXPECT_EQ(history.accumulated, 0);
    EXPECT_EQ(history.clock, 0);
    EXPECT_EQ(history.direction, 0);
}

}  // namespace
}  // namespace rumple
