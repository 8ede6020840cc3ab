#include <gtest/gtest.h>

#include <cmath>
#include <rumple/measure/statistics.hpp>

namespace rumple {
namespace {

TEST(Percentile, InterpolatesBetweenNeighbours) {
    const std::vector<double> values{40, 10, 30, 20, 50};
    EXPECT_DOUBLE_EQ(percentile(values, 0), 10);
    EXPECT_DOUBLE_EQ(percentile(values, 25), 20);
    EXPECT_DOUBLE_EQ(percentile(values, 50), 30);
    EXPECT_DOUBLE_EQ(percentile(values, 60), 34);
    EXPECT_DOUBLE_EQ(percentile(values, 99), 49.6);
    EXPECT_DOUBLE_EQ(percentile(values, 100), 50);
    EXPECT_DOUBLE_EQ(percentile({7}, 99), 7);
}

TEST(Means, OfListsAndOfNothing) {
    const std::vector<double> values{3, -4};
    EXPECT_DOUBLE_EQ(mean(values), -0.5);
    EXPECT_DOUBLE_EQ(root_mean_square(values), std::sqrt(12.5));
    EXPECT_EQ(mean({}), 0);
    EXPECT_EQ(root_mean_square({}), 0);
    EXPECT_EQ(percentile({}, 50), 0);
}

}  // namespace
}  // namespace rumple
