// Seams in pictures: which lie near a point, and what they change.
#include <gtest/gtest.h>

#include <rumple/io/obj.hpp>
#include <rumple/io/seam_file.hpp>
#include <rumple_render/render_source.hpp>
#include <rumple_render/seam_field.hpp>
#include "scratch_folder.hpp"

#include "sample_scene.hpp"

namespace rumple {
namespace {

// Along +X through the middle of a sheet in the plane z = 0.
SeamLine middle_line(SeamKind kind = SeamKind::felled) {
    SeamLine line{kind, {}, {}};
    for (int i = 0; i <= 40; ++i) {
        line.points.push_back({-0.1 + 0.005 * i, 0.001, 0});
        line.normals.push_back({0, 0, 1});
    }
    return line;
}

RenderObject sewn_sheet(const std::string& look) {
    RenderObject sheet = flat_sheet(0.2, 0, look);
    sheet.mesh = make_grid(41, 41, 0.2, 0.2, Layout::alternating);
    sheet.seams = {middle_line()};
    return sheet;
}

TEST(SeamField, DistanceSideAndLengthOfALine) {
    const RenderObject sheet = sewn_sheet("denim");
    const SeamField field(sheet.seams, sheet.mesh.positions, sheet.mesh.triangles);
    int found = 0;
    for (std::size_t t = 0; t < sheet.mesh.triangles.size(); ++t) {
        Vec3d middle;
        for (const int v : sheet.mesh.triangles[t])
            middle += (1.0 / 3) * sheet.mesh.positions[static_cast<std::size_t>(v)];
        // A little off the plane, as a smooth surface is.
        const Vec3f p = to_float(middle + Vec3d{0, 0, 0.002});
        std::array<NearSeam, SeamField::kMaxAtPoint> near;
        const std::size_t count = field.near(t, p, near);
        const float y = p.y - 0.001f;
        ASSERT_EQ(count, std::abs(y) < SeamField::kReach ? 1u : 0u) << p.x << " " << p.y;
        if (count == 0) continue;
        ++found;
        EXPECT_NEAR(near[0].across, y, 1e-6);
        EXPECT_NEAR(near[0].along, p.x + 0.1f, 1e-6);
        EXPECT_NEAR(near[0].length, 0.2f, 1e-6);
        EXPECT_NEAR(near[0].onwards.x, 1, 1e-6);
        EXPECT_NEAR(near[0].outwards.y, 1, 1e-5);
    }
    EXPECT_GT(found, 500);
}

// The other leg of trousers lies close by and faces the other way.
TEST(SeamField, ClothThatFacesAnotherWayHasNoSeam) {
    RenderObject sheet = sewn_sheet("denim");
    for (Vec3d& n : sheet.seams[0].normals) n = {0, 1, 0};
    const SeamField field(sheet.seams, sheet.mesh.positions, sheet.mesh.triangles);
    std::array<NearSeam, SeamField::kMaxAtPoint> near;
    for (std::size_t t = 0; t < sheet.mesh.triangles.size(); ++t)
        EXPECT_EQ(field.near(t, {0, 0, 0}, near), 0u);
}

// A seam changes its neighbourhood and nothing else.
TEST(Seams, ChangeThePictureOnlyNearby) {
    RenderScene scene{{sewn_sheet("denim")}, std::nullopt};
    const Camera camera = framed(scene, View::top, 1);
    const Lighting light = make_lighting(LightKind::raking, camera);
    const Image with = render(scene, camera, light, {160, 160, 4}, Threads(2));
    scene.objects[0].seams.clear();
    const Image without = render(scene, camera, light, {160, 160, 4}, Threads(2));
    int changed = 0;
    for (int y = 0; y < 160; ++y)
        for (int x = 0; x < 160; ++x) {
            const bool same = with.at(x, y) == without.at(x, y);
            if (std::abs(y - 79) < 22)
                changed += !same;
            else
                EXPECT_TRUE(same) << x << " " << y;
        }
    EXPECT_GT(changed, 800);
    EXPECT_LT(brightness(with.at(80, 79)), 0.9f * brightness(without.at(80, 79)));  // the groove
}

TEST(Seams, EveryKindCanBeDrawnFromNearAndFar) {
    for (std::size_t kind = 0; kind < seam_kind_names().size(); ++kind)
        for (const char* look : {"denim", "cotton", "polyester"})
            for (const int size : {12, 90}) {
                RenderScene scene{{sewn_sheet(look)}, std::nullopt};
                scene.objects[0].seams = {middle_line(static_cast<SeamKind>(kind))};
                const Image image = shoot(scene, View::top, LightKind::raking, size, size, 2);
                for (const Vec3f& c : image.pixels) {
                    EXPECT_TRUE(std::isfinite(c.x + c.y + c.z));
                    EXPECT_GE(std::min({c.x, c.y, c.z}), 0);
                }
            }
}

TEST(Seams, ALineOfOnePointIsNoTrouble) {
    RenderScene scene{{sewn_sheet("denim")}, std::nullopt};
    scene.objects[0].seams = {{SeamKind::button, {{0, 0, 0}}, {{0, 0, 1}}},
                              {SeamKind::loop, {{0.03, 0, 0}}, {{0, 0, 1}}}};
    for (const Vec3f& c : shoot(scene, View::top, LightKind::studio, 60, 60, 2).pixels)
        EXPECT_TRUE(std::isfinite(c.x + c.y + c.z));
}

TEST(Source, ReadsTheSeamsBesideAMesh) {
    const ScratchFolder folder;
    write_obj(folder / "shirt.obj", sewn_sheet("cotton").mesh);
    EXPECT_TRUE(RenderSource(folder / "shirt.obj").objects_at(0)[0].seams.empty());
    write_seams(folder / "shirt.seams.json", {middle_line()});
    EXPECT_EQ(RenderSource(folder / "shirt.obj").objects_at(0)[0].seams.size(), 1u);
}

}  // namespace
}  // namespace rumple
