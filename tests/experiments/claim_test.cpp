#include <gtest/gtest.h>

#include <experiments/claim.hpp>
#include <limits>

namespace rumple {
namespace {

Claim claim(std::vector<double> values, std::string relation, double bound) {
    return {"statement", "quantity", std::move(values), std::move(relation), bound, ""};
}

TEST(Claim, IsJudgedByItsMean) {
    EXPECT_EQ(claim({2, 4}, ">=", 0.5).mean(), 3);
    EXPECT_EQ(claim({3}, ">=", 3).verdict(), Verdict::holds);
    EXPECT_EQ(claim({2.9}, ">=", 3).verdict(), Verdict::does_not_hold);
    EXPECT_EQ(claim({3}, "<=", 3).verdict(), Verdict::holds);
    EXPECT_EQ(claim({3.1}, "<=", 3).verdict(), Verdict::does_not_hold);
    EXPECT_EQ(claim({0.96}, "within", 0.05).verdict(), Verdict::holds);
    EXPECT_EQ(claim({1.06}, "within", 0.05).verdict(), Verdict::does_not_hold);
}

TEST(Claim, IsNotDecidedWhenTheNoiseIsLargerThanTheDistance) {
    // standard error of {2, 4}: sqrt(2)/sqrt(2) = 1; the mean 3 is 1.5 from the bound
    EXPECT_DOUBLE_EQ(claim({2, 4}, ">=", 1.5).noise(), 1);
    EXPECT_EQ(claim({2, 4}, ">=", 1.5).verdict(), Verdict::undecided);
    EXPECT_EQ(claim({2, 4}, ">=", 0.9).verdict(), Verdict::holds);
    EXPECT_EQ(claim({2, 4}, ">=", 5.1).verdict(), Verdict::does_not_hold);
}

TEST(Claim, IsATieWhenItIsNearerToTheBoundThanItsResolution) {
    Claim tie = claim({1e-12}, ">=", 0);
    EXPECT_EQ(tie.verdict(), Verdict::holds);
    tie.resolution = 1e-3;
    EXPECT_EQ(tie.verdict(), Verdict::undecided);
    tie.values = {2e-3};
    EXPECT_EQ(tie.verdict(), Verdict::holds);
}

TEST(Claim, NanDecidesNothing) {
    EXPECT_EQ(claim({std::numeric_limits<double>::quiet_NaN()}, ">=", 1).verdict(), Verdict::undecided);
}

TEST(Claim, InfinityIsWrittenInWordsBecauseJsonHasNone) {
    const auto j = to_json(claim({std::numeric_limits<double>::infinity()}, ">=", 1));
    EXPECT_EQ(j["values"][0], "inf");
    EXPECT_EQ(j["verdict"], "holds");
}

TEST(Claim, RatiosGoElementByElement) {
    EXPECT_EQ(ratios({2, 9}, {1, 3}), (std::vector<double>{2, 3}));
    EXPECT_EQ(ratios({2}, {0})[0], std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace rumple
