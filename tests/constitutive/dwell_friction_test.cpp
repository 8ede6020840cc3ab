// Exact answers of internal friction with dwell.
#include <gtest/gtest.h>

#include <array>
#include <constitutive/cotton.hpp>
#include <functional>
#include <random>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/core/lanes.hpp>

namespace rumple {
namespace {

// Work done on the friction over one steady cycle of a triangle wave of amplitude A, by the trapezoidal rule.
double loop_area(const DwellFriction<double>& law, double A, double rate, int steps_per_cycle) {
    const double h = 4 * A / rate / steps_per_cycle;
    DwellFrictionHistory<double> history;
    double area = 0, last_e = 0, last_stress = 0;
    for (int i = 1; i <= 3 * steps_per_cycle; ++i) {
        const double phase = 4.0 * (i % steps_per_cycle) / steps_per_cycle;  // 0..4
        const double e = A * (phase < 1 ? phase : (phase < 3 ? 2 - phase : phase - 4));
        const double stress = evaluate(law, history, e).stress;
        if (i > 2 * steps_per_cycle) area += 0.5 * (stress + last_stress) * (e - last_e);
        advance(law, history, e, h);
        last_e = e;
        last_stress = stress;
    }
    return area;
}

TEST(DwellFriction, ConstantThresholdLoopIsAParallelogram) {
    DwellFriction<double> law = cotton::friction();
    law.eps_inf = law.eps_0;
    for (const double A : {0.5, 1.0, 2.0})
        for (const double d_c : {0.0, 0.05}) {
            law.d_c = d_c;
            const double exact = 4 * law.k * law.eps_0 * (A - law.eps_0);
            EXPECT_NEAR(loop_area(law, A, 0.1, 400) / exact, 1, 1e-6) << "A " << A << " d_c " << d_c;
        }
}

TEST(DwellFriction, LoopWithinTheThresholdCostsNothing) {
    DwellFriction<double> law = cotton::friction();
    EXPECT_NEAR(loop_area(law, 0.09, 0.1, 400), 0, 1e-12 * law.k);
}

// After a reversal friction sticks for t*, its threshold growing, and breaks away at Y* = r t* - eps_0.
double breakaway_loop_area(const DwellFriction<double>& law, double A, double rate) {
    double t = 0;
    for (int i = 0; i < 200; ++i) t = (law.eps_0 + stick_threshold(law, t)) / rate;
    const double Y = stick_threshold(law, t), s = rate * t;
    return 2 * law.k * (law.eps_0 * (2 * A - s) + (Y * Y - law.eps_0 * law.eps_0) / 2);
}

TEST(DwellFriction, DwellWidensTheLoopToItsBreakawayThreshold) {
    const DwellFriction<double> law = cotton::friction(0.0, DwellGate::none);  // ages unloaded, too
    const double exact = breakaway_loop_area(law, 1, 0.1);
    EXPECT_NEAR(exact / law.k, 0.399792, 1e-6);
    const double fine = loop_area(law, 1, 0.1, 40000);  // h = 1e-3
    EXPECT_NEAR(fine / law.k, 0.399792, 1e-4 * 0.399792);
    const double coarse = loop_area(law, 1, 0.1, 4000);  // first order in h
    EXPECT_NEAR(coarse / exact, 1, 1e-3);
}

// Strain at which elasticity and friction balance; both grow with e, so bisection finds it.
double equilibrium(double k, const DwellFriction<double>& law, const DwellFrictionHistory<double>& history) {
    double low = -4, high = 4;
    for (int i = 0; i < 200; ++i) {
        const double e = 0.5 * (low + high);
        (k * e + evaluate(law, history, e).stress > 0 ? high : low) = e;
    }
    return 0.5 * (low + high);
}

// Bent to 2.5 rad, held, released without inertia: where does it come to rest?
double rest_after_hold(const DwellFriction<double>& law, double hold) {
    const double k = 5e-6;
    DwellFrictionHistory<double> history;
    for (int i = 1; i <= 250; ++i) advance(law, history, 0.01 * i, 1e-3);
    for (int i = 0; i < 100; ++i) advance(law, history, 2.5, hold / 100);
    double e = 2.5;
    for (int i = 0; i < 1000; ++i) {
        e = equilibrium(k, law, history);
        advance(law, history, e, 1e-6);
    }
    return e;
}

TEST(DwellFriction, ReleasedHingeRestsAtOneOfTwoAngles) {
    const double critical = 30 * std::log(16.0 / 9);  // threshold 0.8 = 1.7 - 1.6 exp(-t/30)
    EXPECT_NEAR(critical, 17.26, 0.005);
    for (const DwellGate gate : {DwellGate::none, DwellGate::load}) {
        const DwellFriction<double> law = cotton::friction(0.0, gate);
        for (const double hold : {0.1, 5.0, 15.0, 17.25})
            EXPECT_NEAR(rest_after_hold(law, hold), 0.2, 1e-6) << hold;
        for (const double hold : {17.27, 20.0, 500.0})
            EXPECT_NEAR(rest_after_hold(law, hold), 1.6, 1e-6) << hold;
    }
}

TEST(DwellFriction, SlipDistanceMakesRecoverySmoothInHoldTime) {
    DwellFriction<double> law = cotton::friction(2.0);  // stable: (1 + k_f/k)(eps_inf - eps_0)/2.718 = 1.77
    double last = rest_after_hold(law, 1);
    for (double hold = 2; hold < 40; hold += 1) {
        const double rest = rest_after_hold(law, hold);
        EXPECT_GE(rest, last - 1e-9) << hold;
        EXPECT_LT(rest - last, 0.25) << hold;  // no jump of 1.4 rad
        last = rest;
    }
}

// On the slip surface, then pushed on at 1e-4 rad/s for 100 s.
DwellFrictionHistory<double> crept(const DwellFriction<double>& law, double h) {
    DwellFrictionHistory<double> history;
    double e = 0;
    while (e < 1) advance(law, history, e += 0.01, 0.01);
    for (double t = 0.5 * h; t < 100; t += h) advance(law, history, e += 1e-4 * h, h);
    return history;
}

TEST(DwellFriction, CreepingHingeEndsUpStuck) {
    const DwellFriction<double> law = cotton::friction();
    for (const double h : {1.0, 0.1, 0.01, 0.001}) {
        const DwellFrictionHistory<double> history = crept(law, h);
        const double threshold = stick_threshold(law, history.stick_time);
        EXPECT_GT(threshold, 1.6) << h;
        EXPECT_LT(history.anchor, 1.0) << h;
        EXPECT_FALSE(slips(law, history, history.anchor + 0.5)) << h;
    }
}

TEST(DwellFriction, ThePapersClockNeverDwellsWhileCreeping) {
    const DwellFriction<double> law = cotton::friction(0.0);
    for (const double h : {1.0, 0.1, 0.01, 0.001}) {
        const DwellFrictionHistory<double> history = crept(law, h);
        EXPECT_EQ(history.stick_time, 0) << h;
        EXPECT_NEAR(history.anchor, 1.01 - 0.1, 1e-6) << h;
    }
}

TEST(DwellFriction, AgeingIsTheExactFlowOfItsRateEquation) {
    const DwellFriction<double> law = cotton::friction();
    for (const double slip : {1e-4, 1e-3, 0.05, 0.4})
        for (const double s0 : {0.0, 3.0, 100.0}) {
            const double h = 2, rate = slip / h;
            const double exact =  // ds/dt = 1 - rate s/d_c
                law.d_c / rate + (s0 - law.d_c / rate) * std::exp(-rate * h / law.d_c);
            for (const int pieces : {1, 2, 7, 1000}) {
                DwellFrictionHistory<double> history{0.3, s0};
                for (int i = 0; i < pieces; ++i) {
                    const double edge = history.anchor + stick_threshold(law, history.stick_time);
                    advance(law, history, edge + slip / pieces, h / pieces);
                }
                EXPECT_NEAR(history.stick_time, exact, 1e-9 * (s0 + h)) << slip << " " << s0 << " " << pieces;
                EXPECT_NEAR(history.anchor, 0.3 + slip, 1e-12);
            }
        }
}

TEST(DwellFriction, SteadySlipSettlesAtSlipDistanceOverRate) {
    const DwellFriction<double> law = cotton::friction();
    DwellFrictionHistory<double> history;
    double e = 0;
    for (const double rate :
         {10.0, 1.0, 0.1}) {  // below (eps_inf - eps_0)/tau = 0.053 rad/s it sticks and slips
        for (int i = 0; i < 5000; ++i) advance(law, history, e += rate * 1e-2, 1e-2);
        EXPECT_NEAR(history.stick_time, 0.05 / rate, 1e-6) << rate;
    }
}

TEST(DwellFriction, StuckAtTheSameStrainOnlyTimePasses) {
    const DwellFriction<double> law = cotton::friction(0.05, DwellGate::none);
    DwellFrictionHistory<double> history{0.2, 5};
    advance(law, history, 0.3, 0.0);
    EXPECT_EQ(history.anchor, 0.2);
    EXPECT_EQ(history.stick_time, 5);
    advance(law, history, 0.3, 2.5);
    EXPECT_EQ(history.anchor, 0.2);
    EXPECT_EQ(history.stick_time, 7.5);
}

// The stick time after `seconds` at strain `delta` beyond the anchor, in steps of any length.
double aged(DwellGate gate, double delta, double seconds, int steps) {
    const DwellFriction<double> law = cotton::friction(0.05, gate);
    DwellFrictionHistory<double> history{0.5, 0};
    for (int i = 0; i < steps; ++i) advance(law, history, 0.5 + delta, seconds / steps);
    EXPECT_EQ(history.anchor, 0.5);
    return history.stick_time;
}

TEST(DwellFriction, AgesWithTheSquareOfItsLoad) {
    for (const int steps : {1, 7, 1000})
        for (const double share : {-0.999, -0.5, 0.201, 0.25, 0.5, 0.75})
            EXPECT_NEAR(aged(DwellGate::load, 0.1 * share, 500, steps), 500 * share * share, 500e-12)
                << share << " " << steps;
    EXPECT_NEAR(aged(DwellGate::load, 0.05, 500, 50), 125, 1e-9);  // half of eps_0: a quarter of the pace
    for (const double share : {-0.999, 0.0, 0.5})
        EXPECT_NEAR(aged(DwellGate::none, 0.1 * share, 500, 50), 500, 1e-9);
}

// Below a fifth of eps_0 no time adds up, in any type of numbers.
TEST(DwellFriction, SmallLoadsDoNotAgeItInAWeek) {
    constexpr double week = 7 * 86400;
    for (const double share : {-0.199, -0.05, 0.0, 1e-6, 0.1, 0.199}) {
        EXPECT_EQ(aged(DwellGate::load, 0.1 * share, week, 50), 0) << share;
        EXPECT_EQ(aged(DwellGate::none, 0.1 * share, week, 7), week) << share;
    }
    EXPECT_NEAR(aged(DwellGate::load, 0.0201, week, 50) / (week * 0.201 * 0.201), 1, 1e-12);

    const std::array<double, 8> shares{0, 0.1, -0.199, 0.201, -0.5, 0.75, 0.999, 2};
    const DwellFriction<Lanes> law_8 = law_for<Lanes>(cotton::bending(FrictionKind::dwell)).friction;
    const DwellFriction<float> law_f = law_for<float>(cotton::bending(FrictionKind::dwell)).friction;
    DwellFrictionHistory<Lanes> history_8{};
    const Lanes e_8 = Lanes::gather([&](std::size_t k) { return 0.1 * shares[k]; });
    advance(law_8, history_8, e_8, Lanes(week));
    for (std::size_t k = 0; k < 8; ++k) {
        DwellFrictionHistory<double> alone;
        advance(cotton::friction(), alone, 0.1 * shares[k], week);
        EXPECT_NEAR(history_8.stick_time.numbers()[k], alone.stick_time, 1e-12 * week) << shares[k];
        DwellFrictionHistory<float> single;
        advance(law_f, single, float(0.1 * shares[k]), float(week));
        EXPECT_NEAR(single.stick_time, alone.stick_time, 1e-5 * week) << shares[k];
    }
}

// Held on the slip surface the load is whole: both gates have the same clock.
TEST(DwellFriction, OnTheSlipSurfaceTheGateIsOpen) {
    const DwellFriction<double> gated = cotton::friction(), paper = cotton::friction(0.05, DwellGate::none);
    DwellFrictionHistory<double> a, b;
    double e = 0;
    for (int i = 0; i < 10; ++i) {  // slips in every step
        e += 0.2;
        advance(gated, a, e, 0.3);
        advance(paper, b, e, 0.3);
        EXPECT_EQ(a.stick_time, b.stick_time);
        EXPECT_EQ(a.anchor, b.anchor);
    }
    for (int i = 0; i < 100; ++i) {
        advance(gated, a, e, 5.0);
        advance(paper, b, e, 5.0);
    }
    EXPECT_EQ(a.stick_time, b.stick_time);
    EXPECT_GT(a.stick_time, 499);
}

TEST(DwellFriction, WithoutAThresholdItIsAlwaysLoaded) {
    DwellFriction<double> law = cotton::friction();
    law.eps_0 = 0;
    DwellFrictionHistory<double> history{0.2, 5};
    advance(law, history, 0.2, 3.0);
    EXPECT_EQ(history.stick_time, 8);
}

// After a slip |e - anchor| is the threshold up to rounding: it must count as stuck, or the clock never runs.
TEST(DwellFriction, SlipIsOverOnceItIsCommitted) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> strain(-3, 3);
    DwellFriction<double> law = cotton::friction(0.0);
    law.eps_inf = law.eps_0;
    for (int i = 0; i < 100000; ++i) {
        DwellFrictionHistory<double> history{strain(random), 0};
        const double e = strain(random);
        advance(law, history, e, 0.0);
        EXPECT_FALSE(slips(law, history, e));
        EXPECT_EQ(evaluate(law, history, e).tangent, law.k);
        const DwellFrictionHistory<double> once = history;
        advance(law, history, e, 0.0);
        EXPECT_EQ(history.anchor, once.anchor);
    }
}

TEST(DwellFriction, ThresholdGrowsFromEps0ToEpsInf) {
    const DwellFriction<double> law = cotton::friction();
    EXPECT_NEAR(stick_threshold(law, 0.0), 0.1, 1e-15);
    EXPECT_NEAR(stick_threshold(law, 30.0), 1.7 - 1.6 / std::exp(1.0), 1e-12);
    EXPECT_DOUBLE_EQ(stick_threshold(law, 1e9), 1.7);
    const double initial_growth = (stick_threshold(law, 1e-6) - 0.1) / 1e-6;
    EXPECT_NEAR(initial_growth, 0.053, 5e-4);
}

}  // namespace
}  // namespace rumple
