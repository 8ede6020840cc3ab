#include <gtest/gtest.h>

#include <cmath>
#include <experiments/claim.hpp>
#include <limits>

namespace rumple {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Claim claim(std::vector<double> values, std::string relation, double bound) {
    return {"statement", "quantity", std::move(values), std::move(relation), bound};
}
Claim ratio_claim(std::vector<double> values, std::string relation, double bound) {
    Claim c = claim(std::move(values), std::move(relation), bound);
    c.scale = Scale::logarithmic;
    return c;
}

TEST(Statistics, IntervalIsStudents) {
    // {1, 2, 3, 4, 5}: mean 3, s^2 = 2.5, standard error sqrt(0.5); t for 4 degrees of freedom is 2.776
    const MeanEstimate e = estimate_mean({1, 2, 3, 4, 5});
    EXPECT_DOUBLE_EQ(e.mean, 3);
    EXPECT_NEAR(e.standard_error, std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(e.interval.high - 3, 2.776 * std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(3 - e.interval.low, 2.776 * std::sqrt(0.5), 1e-12);
    EXPECT_EQ(estimate_mean({2}).interval.high, kInfinity);
    EXPECT_TRUE(std::isnan(estimate_mean({}).mean));
    EXPECT_EQ(estimate_mean({7, 7, 7}).interval.low, 7);
}

TEST(Statistics, QuantilesFallTowardsThoseOfTheNormalDistribution) {
    for (std::size_t n = 2; n < 200; ++n) EXPECT_LT(student_quantile(n), student_quantile(n - 1)) << n;
    EXPECT_NEAR(student_quantile(120), 1.980, 5e-4);  // any textbook's table
    EXPECT_NEAR(student_quantile(40), 2.021, 5e-4);
    EXPECT_NEAR(student_quantile(100000), 1.95996, 1e-4);
}

// 2000 samples of five: the interval of 95 % contains the true mean about that often.
TEST(Statistics, IntervalContainsTheTrueMeanAsOftenAsItSays) {
    std::uint64_t state = 1;
    const auto uniform = [&state] {  // a multiplicative generator is enough for this
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
    };
    const auto normal = [&] {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307 * uniform());
    };
    int contains = 0;
    constexpr int samples = 2000;
    for (int i = 0; i < samples; ++i) {
        const Interval interval = estimate_mean({normal(), normal(), normal(), normal(), normal()}).interval;
        contains += interval.low < 0 && interval.high > 0;
    }
    EXPECT_NEAR(contains, 0.95 * samples, 4 * std::sqrt(0.95 * 0.05 * samples));
}

TEST(Claim, OneRunDecidesNothing) {
    for (const double value : {2.0, 4.0}) EXPECT_EQ(claim({value}, ">=", 3).verdict(), Verdict::one_run);
    EXPECT_EQ(to_string(claim({4}, ">=", 3).verdict()), "one run");
    EXPECT_TRUE(claim({4}, ">=", 3).meets_bound());
    EXPECT_FALSE(claim({2}, ">=", 3).meets_bound());
}

TEST(Claim, IsJudgedByItsInterval) {
    // {1 ... 5}: 3 +- 1.963
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, ">=", 1.0).verdict(), Verdict::holds);
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, ">=", 1.1).verdict(), Verdict::undecided);
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, ">=", 4.9).verdict(), Verdict::undecided);
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, ">=", 5.0).verdict(), Verdict::does_not_hold);
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, "<=", 5.0).verdict(), Verdict::holds);
    EXPECT_EQ(claim({1, 2, 3, 4, 5}, "<=", 1.0).verdict(), Verdict::does_not_hold);
    EXPECT_EQ(claim({3, 3}, ">=", 3).verdict(), Verdict::holds);
}

TEST(Claim, WithinHoldsWhenTheWholeIntervalIs) {
    EXPECT_EQ(claim({0.99, 1.0, 1.01}, "within", 0.05).verdict(), Verdict::holds);
    EXPECT_EQ(claim({0.9, 1.0, 1.1}, "within", 0.05).verdict(), Verdict::undecided);  // wider than the bound
    EXPECT_EQ(claim({1.09, 1.1, 1.11}, "within", 0.05).verdict(), Verdict::does_not_hold);
    EXPECT_EQ(claim({0.89, 0.9, 0.91}, "within", 0.05).verdict(), Verdict::does_not_hold);
}

TEST(Claim, RatiosAreJudgedOnTheirLogarithms) {
    const Claim there = ratio_claim({0.5, 2, 1, 4, 0.25}, ">=", 1);
    const Claim back = ratio_claim({2, 0.5, 1, 0.25, 4}, ">=", 1);
    EXPECT_NEAR(there.mean(), 1, 1e-12);
    EXPECT_NEAR(there.interval().low * back.interval().high, 1, 1e-12);
    // one wild seed: the mean of the ratios is 21, that of their logarithms below 3
    EXPECT_EQ(ratio_claim({1, 1, 1, 1, 100}, ">=", 3).verdict(), Verdict::undecided);
    EXPECT_LT(ratio_claim({1, 1, 1, 1, 100}, ">=", 3).mean(), 3);
    EXPECT_EQ(ratio_claim({3.1, 3.2, 3.3}, ">=", 3).verdict(), Verdict::undecided);  // 2.96 to 3.46
    EXPECT_EQ(ratio_claim({3.4, 3.5, 3.6}, ">=", 3).verdict(), Verdict::holds);
    EXPECT_EQ(ratio_claim({-1, 2, 3}, ">=", 1).verdict(), Verdict::undecided);  // no ratio
}

TEST(Claim, IsATieWhenItIsNearerToTheBoundThanItsResolution) {
    Claim tie = claim({1e-12, 1e-12}, ">=", 0);
    EXPECT_EQ(tie.verdict(), Verdict::holds);
    tie.resolution = 1e-3;
    EXPECT_EQ(tie.verdict(), Verdict::undecided);
    tie.values = {2e-3, 2e-3};
    EXPECT_EQ(tie.verdict(), Verdict::holds);
}

TEST(Claim, NanDecidesNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(claim({nan, 2, 3}, ">=", 1).verdict(), Verdict::undecided);
    EXPECT_EQ(claim({2, 3, nan}, ">=", 1).verdict(), Verdict::undecided);
}

TEST(Claim, SaysInJsonWhyItsBoundIsWhatItIs) {
    const Claim c = make_claim("s", ratio_of("content", {2, 9}, {1, 3}),
                               at_least(1.5, "half as much again is visible", "2 before: ..."), "note");
    const auto j = to_json(c);
    EXPECT_EQ(j["why"], "half as much again is visible");
    EXPECT_EQ(j["changed"], "2 before: ...");
    EXPECT_EQ(j["note"], "note");
    EXPECT_EQ(j["quantity"], "content, ratio");
    EXPECT_EQ(j["scale"], "logarithmic");
    EXPECT_NEAR(j["mean"].get<double>(), std::sqrt(6.0), 1e-12);
    EXPECT_LT(j["interval"][0].get<double>(), 2);
}

TEST(Claim, InfinityIsWrittenInWordsBecauseJsonHasNone) {
    const auto j = to_json(claim({kInfinity, kInfinity}, ">=", 1));
    EXPECT_EQ(j["values"][0], "inf");
    EXPECT_EQ(j["verdict"], "holds");
    EXPECT_EQ(to_json(claim({1}, ">=", 1))["interval"][1], "inf");
}

TEST(Claim, RatiosAndDifferencesGoElementByElement) {
    EXPECT_EQ(ratios({2, 9}, {1, 3}), (std::vector<double>{2, 3}));
    EXPECT_EQ(ratios({2}, {0})[0], kInfinity);
    EXPECT_EQ(ratios({0}, {0})[0], 1);  // nothing and nothing
    EXPECT_EQ(differences({2, 9}, {1, 3}), (std::vector<double>{1, 6}));
}

}  // namespace
}  // namespace rumple
