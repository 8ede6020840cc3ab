// From files to pictures: meshes, caches, runs; fields to colour by; and what happens when something is
// wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include "scratch_folder.hpp"

#include "sample_run.hpp"

namespace rumple {
namespace {

PictureRequest small_request() {
    PictureRequest request;
    request.settings = {48, 40, 4};
    return request;
}

TEST(Source, RunFolderKnowsItsFramesMaterialAndPhases) {
    ScratchFolder folder;
    write_run(folder / "held", "denim");
    const RenderSource source(folder / "held");
    EXPECT_EQ(source.label(), "held");
    EXPECT_EQ(source.frame_count(), 3u);
    EXPECT_EQ(source.frame_rate(), 24);
    EXPECT_EQ(source.objects_at(0)[0].look.name, "denim");
    ASSERT_EQ(source.notes().size(), 3u);
    EXPECT_EQ(source.notes()[2].phase, "hold");
    EXPECT_EQ(source.notes()[2].material_time, 500);
    EXPECT_EQ(source.objects_at(2)[0].mesh.positions, source.objects_at(99)[0].mesh.positions);
}

TEST(Source, FolderOfRunsStandsForEachOfThem) {
    ScratchFolder folder;
    write_run(folder / "brief", "cotton");
    write_run(folder / "held", "cotton");
    const std::vector<RenderSource> sources = open_sources({folder.path().string()});
    ASSERT_EQ(sources.size(), 2u);
    EXPECT_EQ(sources[0].label(), "brief");
    EXPECT_EQ(sources[1].label(), "held");
    EXPECT_EQ(at_end_of(sources, "hold"), (Moment{{2, 2}}));
    EXPECT_EQ(at_end_of(sources, "press"), (Moment{{1, 1}}));
    expect_says(error_of<InputError>([&] { at_end_of(sources, "fold"); }), {"at", "fold"});
}

TEST(Source, PhaseThatOneVariantSkipsEndsWhereTheOneBeforeDid) {
    ScratchFolder folder;
    write_run(folder / "brief", "cotton");
    write_run(folder / "held", "cotton");
    spill(folder.path() / "brief" / "metrics.csv",
          "frame,time,material_time,phase\n0,0,0,press\n1,0.1,0.1,press\n2,0.2,0.2,back\n");
    EXPECT_EQ(at_end_of(open_sources({folder.path().string()}), "hold"), (Moment{{1, 2}}));
}

TEST(Source, SaysWhatIsWrong) {
    ScratchFolder folder;
    expect_says(error_of<InputError>([&] { RenderSource source(folder / "none.obj"); }),
                {"none.obj", "no such file"});
    expect_says(error_of<InputError>([&] { RenderSource source(folder.path()); }), {"no cache/"});
    const RenderObject tube = wrinkled_tube("cotton", 12, 4);
    Pc2Writer::create(folder / "tube.pc2", tube.rest.size());
    expect_says(error_of<InputError>([&] { RenderSource source(folder / "tube.pc2"); }),
                {"tube.pc2", "tube.obj beside it"});
    write_obj(folder / "tube.obj", tube.mesh);
    expect_says(error_of<InputError>([&] { RenderSource source(folder / "tube.pc2"); }),
                {"tube.pc2", "no frames"});
    Pc2Writer::create(folder / "tube.pc2", 2).append(std::vector<Vec3d>(2));
    expect_says(error_of<InputError>([&] { RenderSource source(folder / "tube.pc2"); }),
                {"2 vertices", "48"});
    std::filesystem::create_directories(folder / "cache");
    expect_says(error_of<InputError>([&] { RenderSource source(folder.path()); }), {"no point caches"});
}

TEST(SheetRenderer, SheetOfTwoRunsHasTwoEqualTilesForEqualCloth) {
    ScratchFolder folder;
    write_run(folder / "a", "cotton");
    write_run(folder / "b", "cotton");
    const std::vector<RenderSource> sources = open_sources({folder.path().string()});
    const Threads threads(2);
    PictureRequest request = small_request();
    request.words = false;
    const Moment end = at_frame(sources, 2);
    const Picture sheet = SheetRenderer(sources, request, {end}, threads).take(end);
    const int gap = (sheet.width - 2 * 48) / 3;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 48; ++x)
            ASSERT_EQ(sheet.at(gap + x, gap + y),
                      sheet.at(2 * gap + 48 + x, gap + y));  // same camera, light, exposure
}

TEST(SheetRenderer, LabelsMustMatchInputs) {
    ScratchFolder folder;
    write_run(folder / "a", "cotton");
    const std::vector<RenderSource> sources = open_sources({(folder / "a").string()});
    const Threads threads(1);
    PictureRequest request = small_request();
    request.labels = {"one", "two"};
    expect_says(
        error_of<InputError>([&] { SheetRenderer(sources, request, {at_frame(sources, 0)}, threads); }),
        {"2 labels for 1"});
    request.labels.clear();
    request.colour_by = "curvatur";
    expect_says(
        error_of<InputError>([&] { SheetRenderer(sources, request, {at_frame(sources, 0)}, threads); }),
        {"curvature"});
    request.colour_by = "plastic";
    expect_says(
        error_of<InputError>([&] { SheetRenderer(sources, request, {at_frame(sources, 2)}, threads); }),
        {"checkpoint"});
}

TEST(SheetRenderer, FalseColourPaintsClothAndAddsALegend) {
    ScratchFolder folder;
    write_run(folder / "a", "cotton");
    const std::vector<RenderSource> sources = open_sources({(folder / "a").string()});
    const Threads threads(2);
    PictureRequest request = small_request();
    request.settings = {120, 120, 4};
    request.colour_by = "angle-change";
    const Moment end = at_frame(sources, 2);
    const Picture picture = SheetRenderer(sources, request, {end}, threads).take(end);
    EXPECT_GT(picture.width, 160);
    int colourful = 0;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 120; ++x) {
            const Rgb c = picture.at(x, y);
            colourful += std::abs(c.r - c.b) > 40;
        }
    EXPECT_GT(colourful, 1000);
}

TEST(Field, TubeHasTheCurvatureOfItsRadius) {
    ScratchFolder folder;
    RenderObject tube = wrinkled_tube("cotton", 64, 12);
    tube.mesh.positions = tube.rest;
    write_obj(folder / "tube.obj", tube.mesh);
    const RenderSource source(folder / "tube.obj");
    const auto objects = source.objects_at(0);
    const Threads threads(1);
    const auto values = field_values(field_by_name("curvature"), source, 0, objects, objects, threads);
    const std::size_t middle = 6 * 64 + 10;
    EXPECT_NEAR(values[0][middle], 1 / (2 * 0.1), 0.05);
    const auto displacement =
        field_values(field_by_name("displacement"), source, 0, objects, objects, threads);
    for (const double d : displacement[0]) EXPECT_EQ(d, 0);
}

TEST(Field, RangesAreRound) {
    EXPECT_EQ(round_up(0.37), 0.4);
    EXPECT_EQ(round_up(71), 80);
    EXPECT_EQ(round_up(1000), 1000);
    EXPECT_EQ(round_up(0), 1);
    const FieldRange range = round_range({-3, 1, 2}, ColourMap::diverging);
    EXPECT_EQ(range.low, -range.high);
}

}  // namespace
}  // namespace rumple
