// Plots of a sweep: means over seeds and their intervals.
#include <gtest/gtest.h>

#include <cmath>
#include <experiments/sweep_plot.hpp>
#include <numeric>
#include <rumple/core/error.hpp>

#include "scratch_folder.hpp"

namespace rumple {
namespace {

// t = 4.303 for two degrees of freedom; the standard error of 1, 2, 3 is 1/sqrt(3).
TEST(ConfidenceInterval, IsStudents) {
    EXPECT_EQ(confidence_half_interval({7}), 0);
    EXPECT_NEAR(confidence_half_interval({1, 2, 3}), 4.303 / std::sqrt(3.0), 1e-12);
    // 41 and 1001 values: quantiles 2.0211 and 1.9623.
    for (const auto& [n, t] : {std::pair(41, 2.0211), std::pair(1001, 1.9623)}) {
        std::vector<double> values(static_cast<std::size_t>(n));
        std::iota(values.begin(), values.end(), 0.0);
        const double variance = n * (n + 1.0) / 12;  // of 0 ... n - 1, divided by n - 1
        EXPECT_NEAR(confidence_half_interval(values), t * std::sqrt(variance / n),
                    1e-4 * std::sqrt(variance / n));
    }
}

farm::ResultTable table_of(const std::vector<std::string>& presets) {
    farm::ResultTable table;
    table.keys = {"cloths.tube.material.preset", "phases.hold.hold", "cloths.tube.imperfection.seed"};
    table.seed_key = table.keys.back();
    table.columns = {"folder", table.keys[0], table.keys[1], table.keys[2], "status", "bending_content"};
    table.measures = {"bending_content"};
    for (const std::string& preset : presets)
        for (const char* hold : {"10", "20"})
            for (const char* value : {"1", "2", "3"})
                table.rows.push_back({"jobs/x", preset, hold, value, "complete", value});
    return table;
}

TEST(SweepPlot, HasACurveForEachCombinationAndIntervalsOverSeeds) {
    const Plot plot = sweep_plot(table_of({"cotton", "denim"}), "bending_content", "phases.hold.hold");
    ASSERT_EQ(plot.series.size(), 2u);
    EXPECT_EQ(plot.series[0].name, "cotton");
    const Series& curve = plot.series[1];
    ASSERT_GE(curve.x.size(), 2u);
    EXPECT_EQ(curve.x[0], 10);
    EXPECT_EQ(curve.x[1], 20);
    EXPECT_EQ(curve.y[0], 2);
    double top = 0;
    for (const double y : curve.y)
        if (!std::isnan(y)) top = std::max(top, y);
    EXPECT_NEAR(top, 2 + 4.303 / std::sqrt(3.0), 1e-12);
    expect_says(error_of<InputError>([] { sweep_plot(table_of({"cotton"}), "bending", "phases.hold.hold"); }),
                {"bending_content"});
}

// Names, and numbers over many decades with a zero among them.
TEST(SweepPlot, WritesNamesAtThePlacesOfAnAxis) {
    farm::ResultTable table = table_of({"cotton", "denim"});
    for (auto& row : table.rows) row[2] = row[2] == "10" ? "0" : "1000";
    EXPECT_EQ(values_of_key(table, table.keys[1]), (std::vector<std::string>{"0", "1000"}));
    const Plot by_cloth = sweep_plot(table, "bending_content", table.keys[0]),
               by_hold = sweep_plot(table, "bending_content", table.keys[1]);
    EXPECT_EQ(by_cloth.x.names, (std::vector<std::string>{"cotton", "denim"}));
    EXPECT_EQ(by_hold.x.names, (std::vector<std::string>{"0", "1000"}));
    EXPECT_EQ(by_hold.series[0].x[1], 1);
    EXPECT_EQ(by_hold.x.unit, "s");
    const std::string svg = plot_svg(by_cloth);
    for (const char* name : {">cotton<", ">denim<"}) EXPECT_NE(svg.find(name), std::string::npos) << name;
    EXPECT_EQ(svg.find(">0.5<"), std::string::npos);
}

TEST(SweepPlot, KnowsTheUnitsOfMaterials) {
    farm::ResultTable table = table_of({"1e-3", "2e-3"});
    table.keys[0] = table.columns[1] = "cloths.tube.material.friction.eps_inf";
    EXPECT_EQ(sweep_plot(table, "bending_content", table.keys[0]).x.unit, "rad");
}

TEST(SweepPlot, IsDrawnAgainstKeysThatVary) {
    const std::vector<std::pair<std::string, std::string>> one{{"bending_content", "phases.hold.hold"}};
    EXPECT_EQ(default_sweep_plots(table_of({"cotton"})), one);
    EXPECT_EQ(default_sweep_plots(table_of({"cotton", "denim"})).size(), 2u);
}

TEST(SweepPlot, OfManyCombinationsStillHasIntervals) {
    std::vector<std::string> presets;
    for (int i = 0; i < 12; ++i) presets.push_back("cloth" + std::to_string(i));
    const Plot plot = sweep_plot(table_of(presets), "bending_content", "phases.hold.hold");
    ASSERT_EQ(plot.series.size(), 1u);
    double top = 0;
    for (const double y : plot.series[0].y)
        if (!std::isnan(y)) top = std::max(top, y);
    EXPECT_NEAR(top, 2 + 4.303 / std::sqrt(3.0), 1e-12);
}

}  // namespace
}  // namespace rumple
