// Woven looks: threads close by, a plain colour from afar, never moire in between.
#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple_render/colour_map.hpp>
#include <rumple_render/fabric.hpp>
#include <rumple_render/look.hpp>
#include <rumple_render/surface.hpp>
#include <rumple_render/weave.hpp>
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
                woven_at(look, 0.003371f * float(i), 0.004177f * float(j), footprint, front).colour.y;
            sum += g;
            squares += g * g;
        }
    const double n = kSide * kSide, mean = sum / n;
    return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean))};
}

TEST(Look, ThreadsShowCloseByAndFadeIntoTheMeanFarAway) {
    for (const char* name : {"cotton", "denim", "polyester"}) {
        const Look look = look_by_name(name);
        const Statistics near = survey(look, 0.00002f, true), far = survey(look, 0.5f, true);
        EXPECT_GT(near.deviation, 0.04 * near.mean) << name;
        EXPECT_LT(far.deviation, 1e-6) << name;
        EXPECT_NEAR(far.mean, look.front.y, 1e-5) << name;
        EXPECT_NEAR(near.mean, far.mean, 0.06 * far.mean) << name;  // the same brightness at any distance
    }
}

// Over whole repeats of the weave, without uneven yarn, the mean is exact.
TEST(Look, ARepeatOfTheWeaveHasExactlyTheMeanColour) {
    for (const char* name : {"cotton", "denim", "polyester"})
        for (const bool front : {true, false}) {
            Look look = look_by_name(name);
            look.yarn.slub = 0;
            for (const float threads_a_pixel : {0.01f, 0.4f, 0.6f, 1.2f, 3.0f}) {
                Vec3f sum;
                constexpr int kSteps = 400;  // four threads each way
                for (int i = 0; i < kSteps; ++i)
                    for (int j = 0; j < kSteps; ++j) {
                        const float u = (float(i) + 0.5f) * 4 * look.yarn.pitch / kSteps,
                                    v = (float(j) + 0.5f) * 4 * look.yarn.pitch / kSteps;
                        sum += woven_at(look, u, v, threads_a_pixel * look.yarn.pitch, front).colour;
                    }
                const Vec3f mean = (1.0f / (kSteps * kSteps)) * sum,
                            expected = front ? look.front : look.back;
                for (int c = 0; c < 3; ++c)
                    EXPECT_NEAR(mean[c], expected[c], 0.004f * expected[c]) << name << " " << threads_a_pixel;
            }
        }
}

TEST(Look, SlopesThatCannotBeSeenWidenHighlights) {
    const Look look = look_by_name("cotton");
    const WovenPoint near = woven_at(look, 0.3f * look.yarn.pitch, 0.1f, 1e-5f, true),
                     far = woven_at(look, 0.3f * look.yarn.pitch, 0.1f, 1e-2f, true);
    EXPECT_EQ(near.spread, 0);
    EXPECT_GT(near.slope_u * near.slope_u + near.slope_v * near.slope_v, 0);
    EXPECT_GT(far.spread, 0);
    EXPECT_EQ(far.slope_u, 0);
    EXPECT_EQ(far.slope_v, 0);
}

TEST(Look, DenimHasDiagonalLines) {
    Look denim = look_by_name("denim");
    denim.yarn.slub = 0;
    // One step along both threads leads to the same place of the pattern; one along one of them does not.
    const float p = denim.yarn.pitch;
    double same = 0, other = 0;
    for (int i = 0; i < 64; ++i) {
        const float u = 0.13f * float(i) * p, v = 0.29f * float(i) * p;
        const float here = woven_at(denim, u, v, 0.05f * p, true).colour.x;
        same += std::abs(here - woven_at(denim, u + p, v + p, 0.05f * p, true).colour.x);
        other += std::abs(here - woven_at(denim, u + p, v, 0.05f * p, true).colour.x);
    }
    EXPECT_LT(same, 0.01 * other);
}

// On a mesh of vertices of four and of eight edges subdivision moves vertices sideways. Threads go with them,
// or they would be bent around every vertex.
TEST(Look, ThreadsAreStraightOnAnUnevenMesh) {
    RenderObject sheet;
    sheet.name = "sheet";
    sheet.mesh = make_grid(9, 9, 0.02, 0.02, Layout::alternating);
    sheet.mesh.uvs.clear();
    for (const Vec3d& p : sheet.mesh.positions) sheet.mesh.uvs.push_back({p.x, p.y});
    sheet.mesh.uv_triangles = sheet.mesh.triangles;
    sheet.look = look_by_name("cotton");
    sheet.look.hem = {};
    const ShadedSurface surface(sheet, 0.0001);
    const RayScene::Mesh drawn = surface.ray_mesh();
    ASSERT_GT(drawn.triangles.size(), 16 * sheet.mesh.triangles.size());
    double off = 0, contrast = 0;
    for (std::size_t t = 0; t < drawn.triangles.size(); ++t) {
        const Hit hit{1, 0, static_cast<int>(t), 0.3f, 0.4f, {0, 0, 1}};
        const SurfacePoint s = surface.at(hit, {{0, 0, 1}, {0, 0, -1}}, 1e-5f);
        const Vec3f straight = woven_at(sheet.look, s.position.x, s.position.y, 1e-5f, true).colour;
        off += std::abs(double(s.colour.y - straight.y));
        contrast += std::abs(double(straight.y - sheet.look.front.y));
    }
    EXPECT_LT(off, 0.1 * contrast);
}

TEST(Hem, LinesCoverTheirShareOfAPixelOfAnySize) {
    for (const float footprint : {1e-4f, 1e-3f, 5e-3f}) {
        double sum = 0;  // across the line
        constexpr int kSteps = 40000;
        for (int i = 0; i < kSteps; ++i)
            sum += line_coverage((float(i) / kSteps - 0.5f) * 0.02f, 0.0004f, footprint) * 0.02 / kSteps;
        EXPECT_NEAR(sum, 0.0008, 4e-6) << footprint;
    }
    const Hem hem = look_by_name("denim").hem;
    const Vec3f cloth{0.1f, 0.1f, 0.2f};
    EXPECT_EQ(hem_colour(hem, cloth, 0.05f, 0, 1e-4f), cloth);                 // far from the border
    EXPECT_GT(hem_colour(hem, cloth, hem.width - 0.0022f, 0, 1e-4f).x, 0.3f);  // on the stitches
    EXPECT_LT(hem_colour(hem, cloth, hem.width, 0, 1e-4f).x, 0.08f);           // in the groove
}

// Even light from all sides: nothing sends back more than it gets, from any side, at any roughness.
TEST(Fabric, LobesKeepEnergy) {
    for (const float roughness : {0.2f, 0.35f, 0.5f, 0.8f, 1.0f}) {
        const LobeAlbedo sheen(LobeAlbedo::Lobe::sheen, roughness), gloss(LobeAlbedo::Lobe::gloss, roughness);
        for (float n_v = 0.02f; n_v <= 1; n_v += 0.02f) {
            EXPECT_GE(sheen.at(n_v), 0);
            EXPECT_LE(sheen.at(n_v), 1) << roughness << " " << n_v;
            EXPECT_GE(gloss.at(n_v), 0);
            EXPECT_LE(gloss.at(n_v), 1) << roughness << " " << n_v;
        }
        EXPECT_GT(sheen.at(0.15f), sheen.at(1.0f)) << roughness;  // bright at grazing angles
    }
    for (const std::string& name : look_names()) {
        const Look look = look_by_name(name);
        const LobeAlbedo sheen(LobeAlbedo::Lobe::sheen, look.shine.sheen_roughness),
            gloss(LobeAlbedo::Lobe::gloss, look.shine.gloss_roughness, look.shine.gloss_head_on);
        for (float n_v = 0.02f; n_v <= 1; n_v += 0.02f) {
            const float s = look.shine.sheen * sheen.at(n_v), g = look.shine.gloss * gloss.at(n_v);
            const float white = (1 - s) * (1 - g) + s + g * (1 - s);
            EXPECT_LE(white, 1 + 1e-6f);
            EXPECT_LE((1 - s) * (1 - g) * look.front.x + s + g, 1.0f) << name;
        }
    }
}

// A band changes where the highlight goes, not how much of it there is.
TEST(Fabric, ABandIsNarrowAlongThreadsAndKeepsTheLight) {
    constexpr float kRoughness = 0.6f, kPi = 3.14159265f;
    const float a2 = kRoughness * kRoughness * kRoughness * kRoughness;
    for (const float band : {0.0f, 0.5f, 0.75f}) {
        double sum = 0;  // of the distribution's projected area over half vectors
        constexpr int kRings = 2000, kSectors = 64;
        for (int i = 0; i < kRings; ++i)
            for (int j = 0; j < kSectors; ++j) {
                const float z = (float(i) + 0.5f) / kRings, r = std::sqrt(1 - z * z);
                const float t = r * std::cos(2 * kPi * (float(j) + 0.5f) / kSectors);
                const float d = z * z * (a2 - 1) + 1;
                sum += double(a2 / (kPi * d * d) * band_ratio(z, t, kRoughness, band) * z);
            }
        EXPECT_NEAR(sum * 2 * double(kPi) / (kRings * kSectors), 1, 2e-3) << band;
    }
    const float z = std::cos(0.5f), r = std::sin(0.5f);
    EXPECT_NEAR(band_ratio(z, r, kRoughness, 0), 1, 1e-5f);
    EXPECT_LT(band_ratio(z, r, kRoughness, 0.75f), 0.5f * band_ratio(z, 0, kRoughness, 0.75f));
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

// A pixel wider than half a thread shows none: less would be moire (Nyquist).
TEST(Look, ThreadsBelowTwoPixelsShowNothing) {
    for (const char* name : {"cotton", "polyester"}) {
        Look look = look_by_name(name);
        look.yarn.slub = 0;
        const float half = 0.5f * look.yarn.pitch;
        EXPECT_LT(survey(look, half, true).deviation, 1e-6) << name;
        EXPECT_GT(survey(look, half / 4, true).deviation, 0.04 * look.front.y) << name;
        for (int i = 0; i < 50; ++i) EXPECT_EQ(woven_at(look, 0.00013f * float(i), 0, half, true).slope_u, 0);
    }
}

TEST(Look, PresetsHaveTheirColours) {
    const Look cotton = look_for_material("cotton"), denim = look_for_material("denim-garment");
    EXPECT_GT(cotton.front.y, 0.6f);              // white
    EXPECT_GT(denim.front.z, 2 * denim.front.x);  // indigo
    EXPECT_GT(denim.back.x, 3 * denim.front.x);   // paler inside
    const Look polyester = look_for_material("polyester");
    EXPECT_GT(polyester.shine.gloss, 0.5f);  // satin; the others are matt
    EXPECT_EQ(cotton.shine.gloss, 0);
    EXPECT_EQ(denim.shine.gloss, 0);
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
