// Small pictures against ones that were looked at. Processors round differently, so pictures are compared as
// eyes would: mean difference of light, and structural similarity (SSIM) [Z. Wang et al., IEEE TIP 13 (2004)]
// over 8x8 windows. To make new ones after a change that was meant, and looked at, run with the environment
// variable RUMPLE_NEW_GOLDEN set to a folder, and copy them from there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet_renderer.hpp>

#include "sample_scene.hpp"

namespace rumple {
namespace {

float grey(Rgb c) { return brightness(to_linear(c)); }

struct Likeness {
    double mean_difference = 0;  // of linear light
    double similarity = 1;       // mean SSIM
};

Likeness compare(const Picture& a, const Picture& b) {
    Likeness result;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const Vec3f d = to_linear(a.pixels[i]) - to_linear(b.pixels[i]);
        result.mean_difference +=
            (std::abs(d.x) + std::abs(d.y) + std::abs(d.z)) / 3 / double(a.pixels.size());
    }
    double sum = 0;
    int windows = 0;
    for (int y = 0; y + 8 <= a.height; y += 4)
        for (int x = 0; x + 8 <= a.width; x += 4, ++windows) {
            double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 8; ++i) {
                    const double p = srgb_encode(grey(a.at(x + i, y + j))),
                                 q = srgb_encode(grey(b.at(x + i, y + j)));
                    ma += p / 64, mb += q / 64, aa += p * p / 64, bb += q * q / 64, ab += p * q / 64;
                }
            const double va = aa - ma * ma, vb = bb - mb * mb, cov = ab - ma * mb, c1 = 1e-4, c2 = 9e-4;
            sum += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
        }
    result.similarity = sum / windows;
    return result;
}

void expect_golden(const std::string& name, const Picture& picture) {
    if (const char* folder = std::getenv("RUMPLE_NEW_GOLDEN"))
        write_png(std::filesystem::path(folder) / (name + ".png"), picture);
    const std::filesystem::path golden =
        std::filesystem::path(RUMPLE_SOURCE_DIR) / "tests/render/golden" / (name + ".png");
    const Picture expected = read_png(golden);
    ASSERT_EQ(expected.width, picture.width);
    ASSERT_EQ(expected.height, picture.height);
    const Likeness likeness = compare(expected, picture);
    EXPECT_LT(likeness.mean_difference, 0.004) << name;
    EXPECT_GT(likeness.similarity, 0.985) << name;
}

TEST(Golden, CottonInStudioLight) {
    const RenderScene scene{{wrinkled_tube("cotton")}, 0.0};
    expect_golden("cotton-studio", tone_map(shoot(scene, View::three_quarter, LightKind::studio, 96, 72)));
}

TEST(Golden, DenimInRakingLight) {
    const RenderScene scene{{wrinkled_tube("denim")}, 0.0};
    expect_golden("denim-raking", tone_map(shoot(scene, View::front, LightKind::raking, 96, 72)));
}

TEST(Golden, PolyesterOnABodyFromAbove) {
    RenderObject cloth = flat_sheet(0.4, 0.21, "polyester");
    cloth.mesh = make_grid(61, 61, 0.4, 0.4, Layout::alternating);
    for (Vec3d& p : cloth.mesh.positions)
        p.z = 0.16 - 1.2 * (p.x * p.x + p.y * p.y) + 0.004 * std::sin(70 * p.x);
    RenderObject body = wrinkled_tube("body", 48, 4);
    body.mesh.positions = body.rest;
    for (Vec3d& p : body.mesh.positions) p.z *= 0.5;
    const RenderScene scene{{cloth, body}, 0.0};
    expect_golden("polyester-body", tone_map(shoot(scene, View::three_quarter, LightKind::studio, 96, 72)));
}

TEST(Golden, TheComparisonBites) {
    const RenderScene scene{{wrinkled_tube("cotton")}, 0.0};
    const Picture right = tone_map(shoot(scene, View::three_quarter, LightKind::studio, 96, 72));
    RenderScene smooth = scene;
    smooth.objects[0].mesh.positions = smooth.objects[0].rest;
    const Camera camera = framed(scene, View::three_quarter, 96.0 / 72);
    const Picture no_wrinkles =
        tone_map(render(smooth, camera, make_lighting(LightKind::studio, camera), {96, 72, 16}, Threads(2)));
    EXPECT_LT(compare(right, no_wrinkles).similarity, 0.95);
    Picture shifted = right;
    for (int y = 0; y < 72; ++y)
        for (int x = 1; x < 96; ++x) shifted.at(x, y) = right.at(x - 1, y);
    EXPECT_LT(compare(right, shifted).similarity, 0.985);
    // Changed shading: a tenth more of the key lamp, or another hem, no sheen and no light that comes
    // through.
    Lighting brighter = make_lighting(LightKind::studio, camera);
    brighter.key.colour *= 1.1f;
    EXPECT_GT(
        compare(right, tone_map(render(scene, camera, brighter, {96, 72, 16}, Threads(2)))).mean_difference,
        0.004);
    RenderScene plain = scene;
    plain.objects[0].look.hem = {};
    plain.objects[0].look.shine = {};
    plain.objects[0].look.through = 0;
    EXPECT_GT(compare(right, tone_map(shoot(plain, View::three_quarter, LightKind::studio, 96, 72)))
                  .mean_difference,
              0.004);
}

}  // namespace
}  // namespace rumple
