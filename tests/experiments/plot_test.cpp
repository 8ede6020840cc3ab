// Plots: axes that fit, units, curves where they belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <experiments/curves.hpp>
#include <limits>
#include <rumple/core/error.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

Plot sample_plot() {
    Plot plot;
    plot.title = "Torque < angle & \"more\"";
    plot.x = {"angle", "degrees", false, {}};
    plot.y = {"torque", "N m", false, {}};
    plot.series = {{"brief", {0, 10, 20}, {0, 0.5, 0.7}, false, false},
                   {"held", {0, 10, 20}, {0, 0.6, 0.9}, true, false}};
    return plot;
}

TEST(Plot, SvgNamesAxesUnitsAndCurves) {
    const std::string svg = plot_svg(sample_plot());
    for (const char* part :
         {"angle [degrees]", "torque [N m]", ">brief<", ">held<", "Torque &lt; angle &amp;",
          "stroke-dasharray", "prefers-color-scheme: dark", "</svg>"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(Plot, LogarithmicAxesHaveDecadesAndLeaveOutWhatHasNoLogarithm) {
    Plot plot = sample_plot();
    plot.x.logarithmic = true;
    plot.series = {{"s", {0, 0.1, 10, 1000}, {5, 1, 2, 3}, false, false}};
    const std::string svg = plot_svg(plot);
    for (const char* tick : {">0.1<", ">1<", ">10<", ">100<", ">1000<"})
        EXPECT_NE(svg.find(tick), std::string::npos) << tick;
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, GapsBreakTheLineAndRangesCutIt) {
    Plot plot = sample_plot();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    plot.series = {{"", {0, 1, 2, 3, 4}, {0, 1, nan, 1, 0}, false, false}};
    const std::string svg = plot_svg(plot);
    std::size_t curves = 0;
    for (std::size_t at = svg.find("class=\"c0\""); at != std::string::npos;
         at = svg.find("class=\"c0\"", at + 1))
        ++curves;
    EXPECT_EQ(curves, 2u);
    plot.series = {{"", {0, 100}, {0, 100}, false, false}};
    plot.x.range = {0, 10};
    plot.y.range = {0, 10};
    EXPECT_NO_THROW(plot_svg(plot));
}

TEST(Plot, PictureShowsTheCurvesInTheirColours) {
    const Font font;
    const Picture picture = plot_picture(sample_plot(), font, 1);
    EXPECT_EQ(picture.width, 640);
    EXPECT_EQ(picture.height, 420);
    for (const Rgb colour : {Rgb{31, 95, 168}, Rgb{196, 78, 28}})
        EXPECT_GT(std::count(picture.pixels.begin(), picture.pixels.end(), colour), 100);
}

TEST(Plot, LongNamesGoBelowAndLeaveTheAxesTheirWidth) {
    Plot plot = sample_plot();
    plot.series[0].name = "friction with a slip distance of 0.05 rad";
    const Font font;
    const Picture below = plot_picture(plot, font, 1);
    EXPECT_EQ(below.width, 640);
    EXPECT_GT(below.height, 420);
    EXPECT_NE(plot_svg(plot).find(plot.series[0].name), std::string::npos);
}

TEST(Plot, ShortLogarithmicAxesHaveTicksBetweenTheDecades) {
    Plot plot = sample_plot();
    plot.x.logarithmic = true;
    plot.series = {{"", {1500, 7000}, {1, 2}, false, false}};
    EXPECT_NE(plot_svg(plot).find(">2000<"), std::string::npos);
    EXPECT_NE(plot_svg(plot).find(">5000<"), std::string::npos);
    plot.series = {{"", {1, 1e5}, {1, 2}, false, false}};
    EXPECT_EQ(plot_svg(plot).find(">2000<"), std::string::npos);
}

TEST(Plot, PowersInUnitsAreRaised) {
    Plot plot = sample_plot();
    plot.y.unit = "1/m^2";
    EXPECT_NE(plot_svg(plot).find("[1/m²]"), std::string::npos);
}

TEST(Plot, SaysWhatIsWrong) {
    Plot plot = sample_plot();
    plot.series[0].y.pop_back();
    expect_says(error_of<InputError>([&] { plot_svg(plot); }), {"brief", "3 x and 2 y"});
    plot = sample_plot();
    plot.series.clear();
    expect_says(error_of<InputError>([&] { plot_svg(plot); }), {"no curves"});
    plot = sample_plot();
    plot.x.range = {3, 3};
    expect_says(error_of<InputError>([&] { plot_svg(plot); }), {"angle", "empty"});
    plot = sample_plot();
    plot.y.logarithmic = true;
    for (Series& s : plot.series) s.y = {-1, -1, 0};
    expect_says(error_of<InputError>([&] { plot_svg(plot); }), {"no value"});
    ScratchFolder folder;
    expect_says(error_of<InputError>([&] { write_plot(folder / "x.pdf", sample_plot()); }),
                {"x.pdf", ".svg"});
}

TEST(Plot, ConstantDataStillHasAnAxis) {
    Plot plot = sample_plot();
    plot.series = {{"", {0, 1}, {2, 2}, false, false}};
    const std::string svg = plot_svg(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Curves, MaterialsRememberAsTheirLawsSay) {
    const Material cotton = *find_preset("cotton");
    const Plot threshold = threshold_plot({cotton}, 500), hardening = hardening_plot({cotton}, 500);
    EXPECT_NEAR(threshold.series[0].y.front(), cotton.friction.eps_0, 1e-12);
    EXPECT_NEAR(threshold.series[0].y.back(), cotton.friction.eps_inf, 1e-5);
    EXPECT_TRUE(std::is_sorted(threshold.series[0].y.begin(), threshold.series[0].y.end()));
    EXPECT_NEAR(hardening.series[0].y.front(), 1, 1e-12);  // K_h0 / k of cotton
    EXPECT_NEAR(hardening.series[0].y.back(), 0.01, 1e-4);
    EXPECT_EQ(threshold.y.unit, "rad");
}

TEST(Curves, ColumnsKnowTheirUnits) {
    EXPECT_EQ(column_unit("time"), "s");
    EXPECT_EQ(column_unit("top.torque"), "N m");
    EXPECT_EQ(column_unit("shirt.sharpness"), "1/m");
    EXPECT_EQ(column_unit("slipping"), "");
}

TEST(Curves, BarsNeedOneValueForEachPart) {
    BarPlot plot;
    plot.parts = {"solve", "output"};
    plot.unit = "s";
    plot.rows = {{"held", {3, 1}}, {"brief", {2}}};
    expect_says(error_of<InputError>([&] { plot_svg(plot); }), {"brief", "1 values for 2"});
    plot.rows[1].values = {2, 0.5};
    const std::string svg = plot_svg(plot);
    EXPECT_NE(svg.find(">solve<"), std::string::npos);
}

}  // namespace
}  // namespace rumple
