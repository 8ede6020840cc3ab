// Exact answers of Dahl's friction.
#include <gtest/gtest.h>

#include <cmath>
#include <constitutive/cotton.hpp>
#include <random>
#include <rumple/constitutive/dahl_friction.hpp>

namespace rumple {
namespace {

// Work over one steady cycle between -A and A; the energy of a step is its exact work, so any steps will do.
double loop_area(const DahlFriction<double>& law, double A, int steps_per_half) {
    DahlHistory<double> history;
    double area = 0;
    for (int cycle = 0; cycle < 60; ++cycle)
        for (const double side : {1.0, -1.0})
            for (int i = 1; i <= steps_per_half; ++i) {
                const double e = side * A * (2.0 * i / steps_per_half - 1);
                if (cycle == 59) area += evaluate(law, history, e).energy;
                advance(law, history, e);
            }
    return area;
}

TEST(DahlFriction, LoopAreaIsExactForAnyStep) {
    const DahlFriction<double> law = cotton::dahl();
    for (const double A : {0.02, 0.1, 0.5, 2.0})
        for (const int steps : {1, 2, 7, 100}) {
            const double sc = law.sigma_c;
            const double exact = 4 * sc * A - 4 * sc * sc / law.k0 * std::tanh(law.k0 * A / sc);
            EXPECT_NEAR(loop_area(law, A, steps) / exact, 1, 1e-6) << A << " in " << steps;
        }
}

TEST(DahlFriction, SplittingAMonotonicStepChangesNothing) {
    const DahlFriction<double> law = cotton::dahl();
    DahlHistory<double> whole{0.3e-6, 0.2}, split = whole;
    advance(law, whole, 0.5);
    for (int i = 1; i <= 30; ++i) advance(law, split, 0.2 + 0.01 * i);
    EXPECT_NEAR(split.stress, whole.stress, 1e-12 * law.sigma_c);
}

TEST(DahlFriction, StressNeverExceedsItsSaturationAndTangentIsNeverNegative) {
    const DahlFriction<double> law = cotton::dahl();
    std::mt19937 random(3);
    std::normal_distribution<double> strain(0, 3);
    DahlHistory<double> history;
    for (int i = 0; i < 100000; ++i) {
        const double e = strain(random);
        const Response<double> r = evaluate(law, history, e);
        EXPECT_LE(std::abs(r.stress), law.sigma_c * (1 + 1e-15));
        EXPECT_GE(r.tangent, 0);
        EXPECT_GE(evaluate(law, history, e + 1e-3).tangent, 0);
        advance(law, history, e);
    }
}

TEST(DahlFriction, StandingStillChangesNothing) {
    const DahlFriction<double> law = cotton::dahl();
    DahlHistory<double> history{0.4e-6, 0.7};
    advance(law, history, 0.7);
    EXPECT_EQ(history.stress, 0.4e-6);
    EXPECT_EQ(history.strain, 0.7);
}

// A fold that vibrates loses the set that Dahl's friction gave it. Under strain control, cycles of amplitude
// a shrink it by exp(-4 a N/eps_c), eps_c = sigma_c/k0, whatever its size: exact.
TEST(DahlFriction, SetFadesExponentiallyUnderStrainControl) {
    const DahlFriction<double> law = cotton::dahl();
    const double eps_c = law.sigma_c / law.k0, a = 0.03 * eps_c;
    const auto stress_after = [&](double start, int cycles) {
        DahlHistory<double> history{start, 0.5};
        for (int i = 0; i < cycles; ++i)
            for (const double e : {0.5 + a, 0.5 - a, 0.5}) advance(law, history, e);
        return history.stress;
    };
    const double steady = stress_after(0, 1000);
    for (const double start : {0.9, 0.3, -0.5})
        for (const int cycles : {1, 7, 40}) {
            const double set = stress_after(start * law.sigma_c, cycles) - steady;
            EXPECT_NEAR(set / (start * law.sigma_c - steady), std::exp(-4 * a * cycles / eps_c), 1e-9);
        }
}

// Under load control an elastic spring k beside it answers: exp(-4 a N/(eps_c (1 + k0/k))), for small cycles
// and a small set.
TEST(DahlFriction, SetFadesMoreSlowlyUnderLoadControl) {
    const DahlFriction<double> law = cotton::dahl();
    const double eps_c = law.sigma_c / law.k0;
    for (const double k : {0.5 * law.k0, law.k0, 4 * law.k0}) {
        DahlHistory<double> history{0.2 * law.sigma_c, -0.2 * law.sigma_c / k};  // in balance without load
        const double a = 0.01 * eps_c, load = (k + law.k0) * a;
        const auto set_to = [&](double wanted) {  // Newton's method; the response is monotonic
            double e = history.strain;
            for (int i = 0; i < 50; ++i) {
                const auto r = evaluate(law, history, e);
                e -= (k * e + r.stress - wanted) / (k + r.tangent);
            }
            advance(law, history, e);
        };
        constexpr int cycles = 100;
        for (int i = 0; i < cycles; ++i)
            for (const double share : {1.0, -1.0, 0.0}) set_to(share * load);
        // what is left at no load is that of the set, and the half width of the last small loop
        const double set = -k * history.strain / law.sigma_c;
        EXPECT_NEAR(set / 0.2, std::exp(-4 * a * cycles / (eps_c * (1 + law.k0 / k))), 0.03) << k / law.k0;
    }
}

}  // namespace
}  // namespace rumple
