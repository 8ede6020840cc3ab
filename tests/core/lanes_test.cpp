// Eight numbers at once: each lane is what the number alone would be.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <rumple/core/lanes.hpp>

namespace rumple {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Distance in units of the last place of what is expected.
double ulps(double got, double expected) {
    return std::abs(got - expected) / (std::nextafter(std::abs(expected), HUGE_VAL) - std::abs(expected));
}

// Largest error of f over many random arguments, eight at a time.
template <class Draw, class F, class Exact>
double largest_error(Draw&& draw, F&& f, Exact&& exact) {
    double worst = 0;
    for (int i = 0; i < 50000; ++i) {
        std::array<double, Lanes::kCount> x;
        for (double& e : x) e = draw();
        const auto y = f(Lanes::gather([&](std::size_t k) { return x[k]; })).numbers();
        for (std::size_t k = 0; k < x.size(); ++k) worst = std::max(worst, ulps(y[k], exact(x[k])));
    }
    return worst;
}

TEST(Lanes, ExpIsWithinTwoUnitsInTheLastPlace) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> small(-2, 2), large(-700, 700);
    for (auto* range : {&small, &large})
        EXPECT_LE(largest_error([&] { return (*range)(random); }, [](Lanes x) { return exp(x); },
                                [](double x) { return std::exp(x); }),
                  2);
    EXPECT_EQ(exp(Lanes(0.0)).numbers()[3], 1.0);
    EXPECT_LT(exp(Lanes(-1e300)).numbers()[0], 1e-300);
    EXPECT_LT(exp(Lanes(-HUGE_VAL)).numbers()[0], 1e-300);
    EXPECT_TRUE(std::isnan(exp(Lanes(std::nan(""))).numbers()[7]));
}

TEST(Lanes, Expm1KeepsItsDigitsNearZero) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> power(-40, 1), sign(-1, 1), large(-600, 600);
    const auto tiny = [&] { return std::copysign(std::exp2(power(random)), sign(random)); };
    const auto lanes = [](Lanes x) { return expm1(x); };
    const auto exact = [](double x) { return std::expm1(x); };
    EXPECT_LE(largest_error(tiny, lanes, exact), 3);
    EXPECT_LE(largest_error([&] { return large(random); }, lanes, exact), 3);
    EXPECT_EQ(expm1(Lanes(0.0)).numbers()[0], 0.0);
    EXPECT_EQ(expm1(Lanes(-HUGE_VAL)).numbers()[0], -1.0);
}

TEST(Lanes, Atan2IsWithinTwoUnitsInTheLastPlaceInEveryOctant) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi), power(-30, 30);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        double y[Lanes::kCount], x[Lanes::kCount];
        for (std::size_t k = 0; k < Lanes::kCount; ++k) {
            const double a = angle(random), r = std::exp2(power(random));
            y[k] = r * std::sin(a);
            x[k] = r * std::cos(a);
        }
        const auto got = atan2(Lanes::gather([&](std::size_t k) { return y[k]; }),
                               Lanes::gather([&](std::size_t k) { return x[k]; }))
                             .numbers();
        for (std::size_t k = 0; k < Lanes::kCount; ++k)
            worst = std::max(worst, ulps(got[k], std::atan2(y[k], x[k])));
    }
    EXPECT_LE(worst, 2);
}

TEST(Lanes, Atan2OnTheAxes) {
    const auto at = [](double y, double x) { return atan2(Lanes(y), Lanes(x)).numbers()[5]; };
    for (const double y : {0.0, -0.0, 1.0, -1.0, 1e-300, -1e-300})
        for (const double x : {0.0, 1.0, -1.0, 1e300, -1e300})
            EXPECT_NEAR(at(y, x), std::atan2(y, x), 2 * kEpsilon) << y << " " << x;
    EXPECT_EQ(at(0.0, 2.0), 0.0);
    EXPECT_EQ(at(0.0, 0.0), 0.0);
    EXPECT_EQ(at(0.0, -1.0), std::numbers::pi);
    EXPECT_TRUE(std::isnan(at(std::nan(""), 1.0)));
    EXPECT_TRUE(std::isnan(at(1.0, std::nan(""))));
}

TEST(Lanes, SignsSizesAndRoots) {
    const Lanes a = Lanes::gather([](std::size_t k) { return (k % 2 ? -1.0 : 1.0) * double(k * k); });
    for (std::size_t k = 0; k < Lanes::kCount; ++k) {
        const double x = a.numbers()[k];
        EXPECT_EQ(abs(a).numbers()[k], std::abs(x));
        EXPECT_EQ(sqrt(abs(a)).numbers()[k], std::sqrt(std::abs(x)));
        EXPECT_EQ(copysign(Lanes(3.0), a).numbers()[k], std::copysign(3.0, x));
        EXPECT_EQ(copysign(Lanes(-3.0), a).numbers()[k], std::copysign(3.0, x));
        EXPECT_EQ((-a).numbers()[k], -x);
    }
}

TEST(Lanes, EveryLaneChoosesForItself) {
    const Lanes a = Lanes::gather([](std::size_t k) { return double(k); });
    const auto chosen = select((a > 2.0) & !(a >= 6.0), Lanes(1.0), Lanes(-1.0)).numbers();
    for (std::size_t k = 0; k < Lanes::kCount; ++k) EXPECT_EQ(chosen[k], k > 2 && k < 6 ? 1.0 : -1.0) << k;
    EXPECT_TRUE(any(a == 7.0));
    EXPECT_FALSE(any(a == 8.0));
    EXPECT_TRUE(any((a < 0.0) | (a != 3.0)));
    EXPECT_FALSE(any(Lanes(std::nan("")) > 0.0));
}

}  // namespace
}  // namespace rumple
