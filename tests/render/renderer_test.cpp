// The ray tracer against what is known exactly, and against bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple_render/renderer.hpp>
#include "scratch_folder.hpp"

#include "sample_scene.hpp"

namespace rumple {
namespace {

TEST(Renderer, SameBitsForAnyNumberOfThreads) {
    RenderScene scene{{wrinkled_tube("cotton")}, 0.0};
    const Image one = shoot(scene, View::three_quarter, LightKind::studio, 97, 71, 8, 1);
    for (const int threads : {2, 3, 8}) {
        const Image many = shoot(scene, View::three_quarter, LightKind::studio, 97, 71, 8, threads);
        EXPECT_TRUE(one.pixels == many.pixels) << threads;
    }
}

// Nothing is in the way of a sheet in free space: every pixel is exactly the light that falls on it.
TEST(Renderer, OpenSheetGetsAllItsLight) {
    RenderScene scene{{flat_sheet(1, 0)}, std::nullopt};
    const Camera camera = framed(scene, View::top, 1);
    const Lighting light = make_lighting(LightKind::studio, camera);
    const Image image = render(scene, camera, light, {32, 32, 4}, Threads(2));
    const Vec3f n{0, 0, 1}, colour = scene.objects[0].look.front;
    const Vec3f expected = tint(colour, light.on(n));
    for (int y = 8; y < 24; ++y)
        for (int x = 8; x < 24; ++x)
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(x, y)[c], expected[c], 1e-4) << x << " " << y;
}

TEST(Renderer, BothSidesOfClothAreLit) {
    RenderScene scene{{flat_sheet(1, 0)}, std::nullopt};
    const Camera camera{{0, -2, -2}, {0, 0, 0}, {0, 0, 1}, 24};  // from below: the back of every triangle
    const Lighting light = make_lighting(LightKind::studio, camera);
    const Image image = render(scene, camera, light, {24, 24, 4}, Threads(2));
    const Vec3f n{0, 0, -1};
    const Vec3f expected = tint(scene.objects[0].look.back, light.on(n));
    EXPECT_GT(brightness(expected), 0.05f);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(12, 12)[c], expected[c], 1e-4);
}

// No ray can tell whether the lamp reaches a side that looks away from it: it must not count there at all, or
// patches of different brightness meet where some pixels know and others do not.
TEST(Renderer, FuzzOnTheSideAwayFromTheLampGetsNothingOfIt) {
    RenderScene scene{{flat_sheet(1, 0)}, std::nullopt};
    scene.objects[0].look.shine.sheen = 0.5f;
    const Camera camera{{0, -3, -0.6}, {0, 0, 0}, {0, 0, 1}, 12};  // from below, grazing
    Lighting light = make_lighting(LightKind::studio, camera);
    light.key.direction = light.rim.direction = {0, 0, 1};
    const Image lit = render(scene, camera, light, {24, 24, 4}, Threads(2));
    light.key.colour = light.rim.colour = {0, 0, 0};
    const Image unlit = render(scene, camera, light, {24, 24, 4}, Threads(2));
    EXPECT_GT(brightness(unlit.at(12, 12)), 0.01f);
    for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(lit.at(12, 12)[c], unlit.at(12, 12)[c]);
}

TEST(Renderer, GroundCatchesShadowOnlyNearTheCloth) {
    RenderScene scene{{flat_sheet(0.3, 0.15)}, 0.0};
    Camera camera{{0, -0.01, 4}, {0, 0, 0}, {0, 1, 0}, 24};
    Lighting light = make_lighting(LightKind::studio, camera);
    const Image with = render(scene, camera, light, {64, 64, 8}, Threads(2));
    scene.objects[0].mesh.positions.assign(scene.objects[0].mesh.positions.size(), Vec3d{900, 900, 900});
    scene.objects[0].mesh.positions[1].x += 1;
    scene.objects[0].mesh.positions[9].y += 1;
    const Image without = render(scene, camera, light, {64, 64, 8}, Threads(2));
    // The lamp is on the upper left: the shadow falls to the lower right.
    EXPECT_LT(brightness(with.at(40, 38)), 0.75f * brightness(without.at(40, 38)));
    EXPECT_NEAR(brightness(with.at(3, 3)), brightness(without.at(3, 3)), 0.03f);
}

// An outline in front of the backdrop, and one in front of another surface, are as even as with many samples.
TEST(Renderer, OutlinesHaveNoSteps) {
    RenderScene scene{{wrinkled_tube("cotton"), flat_sheet(0.4, -0.05, "clay")}, std::nullopt};
    const Image few = shoot(scene, View::three_quarter, LightKind::overhead, 96, 72, 8);
    const Image many = shoot(scene, View::three_quarter, LightKind::overhead, 96, 72, 512);
    double sum = 0, worst = 0;
    for (std::size_t i = 0; i < few.pixels.size(); ++i) {
        const double d = std::abs(srgb_encode(std::min(1.0f, brightness(few.pixels[i]))) -
                                  srgb_encode(std::min(1.0f, brightness(many.pixels[i]))));
        sum += d * d;
        worst = std::max(worst, d);
    }
    EXPECT_LT(worst, 0.08);
    EXPECT_LT(std::sqrt(sum / double(few.pixels.size())), 0.006);
}

// A convex thing does not shadow itself: no dark specks where the lamp shines, however coarse its facets.
TEST(Renderer, CoarseTubeHasNoAcne) {
    RenderObject tube = wrinkled_tube("clay", 24, 5);
    tube.mesh.positions = tube.rest;
    RenderScene scene{{tube}, std::nullopt};
    for (const LightKind kind : {LightKind::studio, LightKind::raking}) {
        const Image image = shoot(scene, View::front, kind, 120, 120, 16);
        for (int y = 40; y < 80; ++y)
            for (int x = 36; x < 84; ++x) {
                const float here = brightness(image.at(x, y));
                const float around = (brightness(image.at(x - 1, y)) + brightness(image.at(x + 1, y))) / 2;
                EXPECT_NEAR(here, around, 0.05f) << x << " " << y;
                EXPECT_GT(here, 0.03f) << x << " " << y;
            }
    }
}

// A sharp ridge that runs askew to the mesh is a staircase of edges; the end of its shade must not be one.
TEST(Renderer, ShadeEndsInAStraightLineAlongASkewRidge) {
    RenderObject roof = flat_sheet(1, 0);
    roof.mesh = make_grid(25, 25, 1, 1, Layout::right);
    roof.rest = roof.mesh.positions;
    for (Vec3d& p : roof.mesh.positions) p.z = -0.9 * std::max(0.0, p.x - 0.3 * p.y);
    const Camera camera{{0, 0, 4}, {0, 0, 0}, {0, 1, 0}, 12};
    const int size = 200;
    const Image image =
        render({{roof}, {}}, camera, make_lighting(LightKind::raking, camera), {size, size, 16}, Threads(2));
    const float half =
        (brightness(image.at(size / 4, size / 2)) + brightness(image.at(3 * size / 4, size / 2))) / 2;
    const double pixel = 8 * std::tan(6 * std::numbers::pi / 180) / size;
    double low = 1e9, high = -1e9;  // how far the line lies to the right of the ridge [pixels]
    for (int y = size / 4; y < 3 * size / 4; ++y) {
        int x = size / 4;
        while (x < size && brightness(image.at(x, y)) > half) ++x;
        const float before = brightness(image.at(x - 1, y)), after = brightness(image.at(x, y));
        const double crossing = x - 0.5 + (before - half) / (before - after);
        const double ridge = size / 2.0 + 0.3 * (size / 2.0 - (y + 0.5));
        low = std::min(low, crossing - ridge);
        high = std::max(high, crossing - ridge);
    }
    const double edge = 1.0 / 24 / pixel;  // 9.5 pixels
    EXPECT_LT(high - low, 0.2 * edge);
}

// Valleys behind a wall: slopes that look away from the lamp know nothing of its shadow, and those beside
// them must not take that for light.
TEST(Renderer, NoLampLightLeaksIntoValleysInShadow) {
    RenderObject sheet = flat_sheet(1, 0), wall = flat_sheet(1, 0);
    sheet.mesh = make_grid(41, 9, 1, 1, Layout::alternating);
    for (Vec3d& p : sheet.mesh.positions) p.z = 0.06 * std::abs(std::sin(12 * p.x));
    for (Vec3d& p : wall.mesh.positions) p = {-0.7, 6 * p.y, 3 * p.x + 1};
    const Camera camera{{0, 0, 4}, {0, 0, 0}, {0, 1, 0}, 16};
    const RenderScene scene{{sheet, wall}, {}};
    Lighting light = make_lighting(LightKind::raking, camera);
    const Image lit = render(scene, camera, light, {96, 96, 16}, Threads(2));
    light.key.colour = {0, 0, 0};
    const Image sky_alone = render(scene, camera, light, {96, 96, 16}, Threads(2));
    for (std::size_t i = 0; i < lit.pixels.size(); ++i)
        ASSERT_NEAR(brightness(lit.pixels[i]), brightness(sky_alone.pixels[i]), 0.01) << i;
}

// The inside of a tube is darker than its outside under the same light.
TEST(Renderer, InsideOfAGarmentIsDarker) {
    RenderObject tube = wrinkled_tube("clay");
    tube.mesh.positions = tube.rest;
    tube.look.back = tube.look.front;
    const Camera camera{{0, -1, 0.75}, {0, 0, 0.18}, {0, 0, 1}, 20};
    const Lighting light = make_lighting(LightKind::studio, camera);
    const Image image = render({{tube}, {}}, camera, light, {80, 80, 16}, Threads(2));
    const Vec3d inside = project(camera, 1, {0, 0.099, 0.235}), outside = project(camera, 1, {0, -0.1, 0.18});
    const auto seen = [&](Vec3d p) { return brightness(image.at(int(40 + 40 * p.x), int(40 - 40 * p.y))); };
    EXPECT_LT(seen(inside), 0.5f * seen(outside));
}

// Light on the outside of thin cloth comes through: its inside is not black, even without any ray of light.
TEST(Renderer, LightComesThroughThinCloth) {
    const auto inside = [](float through) {
        RenderObject tube = wrinkled_tube("clay");
        tube.mesh.positions = tube.rest;
        tube.look.through = through;
        const Camera camera{{0, -1, 0.75}, {0, 0, 0.18}, {0, 0, 1}, 20};
        const Image image =
            render({{tube}, {}}, camera, make_lighting(LightKind::studio, camera), {80, 80, 16}, Threads(2));
        const Vec3d at = project(camera, 1, {0, 0.099, 0.235});
        return brightness(image.at(int(40 + 40 * at.x), int(40 - 40 * at.y)));
    };
    EXPECT_GT(inside(0.25f), inside(0) + 0.02f);
}

// Facets are gone: a tube of few sides has a round outline, and its mesh stays what it was.
TEST(Renderer, OutlinesAreRound) {
    RenderObject tube = wrinkled_tube("clay", 10, 4);
    tube.mesh.positions = tube.rest;
    const Camera camera{{0, 0, 2}, {0, 0, 0}, {0, 1, 0}, 8};
    const RenderScene scene{{tube}, {}};
    Lighting light = make_lighting(LightKind::studio, camera);
    light.backdrop.centre = light.backdrop.edge = {0, 0, 5};
    const Image image = render(scene, camera, light, {200, 200, 16}, Threads(2));
    double smallest = 1e9, largest = 0;
    for (int i = 0; i < 60; ++i) {  // from outside along each direction until something is there
        const double a = i * 6 * std::numbers::pi / 180;
        double r = 99;
        while (r > 20 && image.at(int(100 + r * std::cos(a)), int(100 - r * std::sin(a))).z > 2.5f) r -= 0.25;
        smallest = std::min(smallest, r);
        largest = std::max(largest, r);
    }
    EXPECT_GT(smallest, 0.975 * largest);  // the decagon itself: 0.951
}

TEST(Renderer, RakingLightShowsWrinklesMoreThanStudioLight) {
    RenderScene flat{{flat_sheet(0.5, 0)}, std::nullopt};
    RenderScene wavy = flat;
    wavy.objects[0].mesh = make_grid(81, 81, 0.5, 0.5, Layout::alternating);
    for (Vec3d& p : wavy.objects[0].mesh.positions) p.z = 0.002 * std::sin(p.x * 60);
    const auto contrast = [&](LightKind kind) {
        const Image image = shoot(wavy, View::top, kind, 60, 60, 16);
        float low = 1e9f, high = 0;
        for (int y = 20; y < 40; ++y)
            for (int x = 20; x < 40; ++x) {
                low = std::min(low, brightness(image.at(x, y)));
                high = std::max(high, brightness(image.at(x, y)));
            }
        return high / low;
    };
    EXPECT_GT(contrast(LightKind::raking), 1.2f * contrast(LightKind::studio));
}

TEST(Renderer, InsideOutGarmentShowsItsOutsideAllTheSame) {
    RenderObject tube = wrinkled_tube("denim");
    RenderObject turned = tube;
    for (auto& t : turned.mesh.triangles) std::swap(t[1], t[2]);
    for (auto& t : turned.mesh.uv_triangles) std::swap(t[1], t[2]);
    const Image a = shoot({{tube}, {}}, View::front, LightKind::studio, 40, 40, 16);
    const Image b = shoot({{turned}, {}}, View::front, LightKind::studio, 40, 40, 16);
    double difference = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        difference += std::abs(brightness(a.pixels[i]) - brightness(b.pixels[i]));
    EXPECT_LT(difference / double(a.pixels.size()), 0.003);
}

TEST(BadPicture, SaysWhatIsWrong) {
    RenderScene scene{{flat_sheet(1, 0)}, std::nullopt};
    const Camera camera = framed(scene, View::front, 1);
    const Lighting light = make_lighting(LightKind::studio, camera);
    const Threads threads(1);
    const auto attempt = [&](const RenderScene& s, RenderSettings settings) {
        return error_of<InputError>([&] { render(s, camera, light, settings, threads); });
    };
    expect_says(attempt(scene, {0, 10, 4}), {"size", "0 by 10"});
    expect_says(attempt(scene, {16384, 16384, 4}), {"64 million"});
    expect_says(attempt(scene, {10, 10, 3}), {"samples", "power of two"});
    RenderScene bad = scene;
    bad.objects[0].mesh.positions[4].y = std::numeric_limits<double>::quiet_NaN();
    expect_says(attempt(bad, {10, 10, 4}), {"sheet", "vertex 5", "finite"});
    bad = scene;
    bad.objects[0].mesh.triangles[2][1] = 1000;
    expect_says(attempt(bad, {10, 10, 4}), {"sheet", "triangle 3", "1001"});
    bad = scene;
    bad.objects[0].mesh.triangles.clear();
    expect_says(attempt(bad, {10, 10, 4}), {"no triangles"});
}

}  // namespace
}  // namespace rumple
