// Woven looks: threads close by, a plain colour from afar, never moire in between.
#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple_render/colour_map.hpp>
#include <rumple_render/look.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

struct Statistics {
    double mean = 0, deviation = 0;
};

Statistics survey(const Look& look, float footprint, bool front) {
    double sum = 0, squares = 0;
    constexpr int kSide = 160;
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j) {
            const double g =
                woven_colour(look, 0.000137f * float(i), 0.000171f * float(j), footprint, front).y;
            sum += g;
            squares += g * g;
        }
    const double n = kSide * kSide, mean = sum / n;
    return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean))};
}

TEST(Look, ThreadsShowCloseByAndFadeIntoTheMeanFarAway) {
    for (const char* name : {"cotton", "denim", "polyester"}) {
        const Look look = look_by_name(name);
        const Statistics near = survey(look, 0.00002f, true), far = survey(look, 0.02f, true);
        EXPECT_GT(near.deviation, 0.04 * near.mean) << name;
        EXPECT_LT(far.deviation, 1e-6) << name;
        EXPECT_NEAR(far.mean, look.front.y, 1e-5) << name;
        EXPECT_NEAR(near.mean, far.mean, 0.06 * far.mean) << name;  // the same brightness at any distance
    }
}

TEST(Look, ContrastNeverGrowsWithDistance) {
    for (const char* name : {"cotton", "polyester"}) {
        double before = 1;
        for (float footprint = 0.00005f; footprint < 0.01f; footprint *= 1.5f) {
            const double now = survey(look_by_name(name), footprint, true).deviation;
            EXPECT_LE(now, before + 1e-6) << name << " " << footprint;
            before = now;
        }
    }
}

TEST(Look, PresetsHaveTheirColours) {
    const Look cotton = look_for_material("cotton"), denim = look_for_material("denim-garment");
    EXPECT_GT(cotton.front.y, 0.6f);              // white
    EXPECT_GT(denim.front.z, 2 * denim.front.x);  // indigo
    EXPECT_GT(denim.back.x, 3 * denim.front.x);   // paler inside
    const Look polyester = look_for_material("polyester");
    EXPECT_NEAR(polyester.front.x, polyester.front.z, 0.06f);  // grey
    EXPECT_EQ(look_for_material("my own").name, "cotton");
    expect_says(error_of<InputError>([] { look_by_name("coton"); }), {"coton", "cotton"});
}

TEST(ColourMap, LightnessRisesEvenly) {
    double before = oklab_lightness(map_colour(ColourMap::rising, 0));
    for (int i = 1; i <= 50; ++i) {
        const double now = oklab_lightness(map_colour(ColourMap::rising, i / 50.0));
        EXPECT_NEAR(now - before, 0.66 / 50, 0.003) << i;
        before = now;
    }
}

TEST(ColourMap, DivergingIsLightestInTheMiddleAndAlikeOnBothSides) {
    EXPECT_GT(oklab_lightness(map_colour(ColourMap::diverging, 0.5)), 0.94);
    for (const double t : {0.0, 0.1, 0.3})
        EXPECT_NEAR(oklab_lightness(map_colour(ColourMap::diverging, t)),
                    oklab_lightness(map_colour(ColourMap::diverging, 1 - t)), 0.01);
    EXPECT_GT(map_colour(ColourMap::diverging, 0).z, map_colour(ColourMap::diverging, 0).x);
    EXPECT_GT(map_colour(ColourMap::diverging, 1).x, map_colour(ColourMap::diverging, 1).z);
}

TEST(ColourMap, WhatIsNoNumberGetsTheLowestColour) {
    EXPECT_EQ(map_colour(ColourMap::rising, std::nan("")), map_colour(ColourMap::rising, 0));
    EXPECT_EQ(map_colour(ColourMap::rising, 7), map_colour(ColourMap::rising, 1));
}

}  // namespace
}  // namespace rumple
