// What false colour shows: gaps between surfaces, what cloth remembers, and differences between runs.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>
#include <rumple_render/gap.hpp>
#include <rumple_render/sheet_renderer.hpp>

#include "sample_run.hpp"
#include "shuffled_mesh.hpp"

namespace rumple {
namespace {

TEST(Gap, LayersOfOneClothSeeEachOtherAndFlatClothSeesNothing) {
    RenderObject sheet = flat_sheet(0.08, 0);                         // edges of 10 mm
    sheet.mesh = make_grid(41, 9, 0.08, 0.016, Layout::alternating);  // of 2 mm
    const Threads threads(2);
    const auto flat = surface_gaps({sheet}, {}, threads);
    for (const double gap : flat[0]) EXPECT_EQ(gap, kGapReach);
    // folded in half about x = 0, 4 mm apart
    for (Vec3d& p : sheet.mesh.positions) {
        const bool upper = p.x > 0;
        p = {std::abs(p.x), p.y, upper ? 0.004 : 0.0};
    }
    const auto gaps = surface_gaps({sheet}, {}, threads)[0];
    int near = 0;
    for (std::size_t v = 0; v < gaps.size(); ++v)
        if (sheet.mesh.positions[v].x > 0.012) {
            EXPECT_NEAR(gaps[v], 0.004, 1e-12) << v;
            ++near;
        }
    EXPECT_GT(near, 200);
}

TEST(Gap, IsTheDistanceToAnotherSurfaceAndToTheGround) {
    RenderObject cloth = flat_sheet(0.05, 0.103), table = flat_sheet(0.2, 0.1);
    table.is_cloth = false;
    const Threads threads(1);
    auto gaps = surface_gaps({cloth, table}, {}, threads);
    for (const double gap : gaps[0]) EXPECT_NEAR(gap, 0.003, 1e-12);
    EXPECT_TRUE(gaps[1].empty());
    gaps = surface_gaps({cloth, table}, 0.102, threads);
    for (const double gap : gaps[0]) EXPECT_NEAR(gap, 0.001, 1e-12);
}

TEST(Gap, OpenTubeIsNotItsOwnNeighbour) {
    RenderObject tube = wrinkled_tube("cotton", 32, 12);
    for (Vec3d& p : tube.rest) p = 0.04 * p;  // 8 mm across: its other side is within reach
    tube.mesh.positions = tube.rest;
    const Threads threads(2);
    const auto gaps = surface_gaps({tube}, {}, threads);
    for (const double gap : gaps[0]) EXPECT_EQ(gap, kGapReach);
}

// The run of write_run with memory at every frame: plastic 0.1, anchor 0.2, stick time 10 times the frame.
void write_memory(const std::filesystem::path& run) {
    std::filesystem::create_directories(run / "memory");
    const std::size_t count = wrinkled_tube("cotton", 24, 9).rest.size();
    Pc2Writer memory = Pc2Writer::create(run / "memory" / "tube.pc2", count);
    for (int frame = 0; frame < 3; ++frame)
        memory.append(std::vector<Vec3d>(count, {0.125, 0.25, 10.0 * frame}));
}

TEST(Memory, IsReadAtEveryFrameWhereTheRunKeptIt) {
    ScratchFolder folder;
    write_run(folder / "run", "cotton");
    write_memory(folder / "run");
    const RenderSource source(folder / "run");
    const Threads threads(1);
    const auto value = [&](const char* kind, std::size_t frame) {
        const auto objects = source.objects_at(frame);
        return field_values(field_by_name(kind), source, frame, objects, objects, threads)[0][7];
    };
    EXPECT_EQ(value("plastic", 0), 0.125);
    EXPECT_EQ(value("anchor", 1), 0.25);
    EXPECT_EQ(value("stick-time", 2), 20);
}

// The run counts hinges in an order of its own: the file's is a random one.
TEST(Memory, OfTheCheckpointLiesOnTheVerticesItBelongsTo) {
    ScratchFolder folder;
    write_obj(folder / "sheet.obj", shuffled(make_grid(12, 10, 0.11, 0.09, Layout::alternating)).mesh);
    nlohmann::json document = nlohmann::json::parse(R"({
        "rumple": 1, "output": {"rate": 100, "memory": true},
        "cloths": [{"name": "sheet", "material": {"preset": "cotton", "friction": {"eps_0": 0.001, "eps_inf": 0.002}}}],
        "handles": [{"name": "pin", "select": {"vertices": [4]}}],
        "phases": [{"name": "fall", "duration": 0.1}]})");
    document["cloths"][0]["mesh"] = {{"file", (folder / "sheet.obj").string()}};
    const std::vector<Scene> scenes = build_variants({document, "sheet.json", ""});
    ASSERT_TRUE(scenes[0].cloths[0].numbering.changes());
    run_scenes(scenes, {.out = folder / "run", .threads = 1});

    const RenderSource source(folder / "run");
    const std::size_t last = source.frame_count() - 1;
    const auto objects = source.objects_at(last);
    const Threads threads(1);
    const auto anchors = [&] {
        return field_values(field_by_name("anchor"), source, last, objects, objects, threads)[0];
    };
    const auto by_vertex = anchors();
    std::filesystem::remove_all(folder / "run" / "memory");
    const auto by_hinge = anchors();
    ASSERT_EQ(by_vertex.size(), by_hinge.size());
    for (std::size_t v = 0; v < by_vertex.size(); ++v) EXPECT_NEAR(by_vertex[v], by_hinge[v], 1e-6) << v;
    const auto [low, high] = std::minmax_element(by_vertex.begin(), by_vertex.end());
    EXPECT_GT(*high - *low, 0.01);  // they could have been mixed up
}

TEST(Memory, WithoutItAnEarlierFrameIsRefusedWithTheRemedy) {
    ScratchFolder folder;
    write_run(folder / "run", "cotton");
    std::filesystem::create_directories(folder / "run" / "checkpoint");
    spill(folder.path() / "run" / "checkpoint" / "latest", "x");
    const RenderSource source(folder / "run");
    const auto objects = source.objects_at(0);
    const Threads threads(1);
    expect_says(error_of<InputError>(
                    [&] { field_values(field_by_name("anchor"), source, 0, objects, objects, threads); }),
                {"last frame only", "output.memory to true"});
}

TEST(MinusFirst, EqualRunsDifferByNothingAndTheFirstIsTheReference) {
    ScratchFolder folder;
    write_run(folder / "a", "cotton");
    write_run(folder / "b", "cotton");
    const std::vector<RenderSource> sources = open_sources({folder.path().string()});
    const Threads threads(2);
    PictureRequest request;
    request.settings = {40, 40, 1};
    request.colour_by = "angle";
    request.minus_first = true;
    const auto tile_colours = [&](const Moment& moment) {
        PictureRequest wordless = request;
        wordless.words = false;
        const Picture sheet = SheetRenderer(sources, wordless, {moment}, threads).take(moment);
        int differ = 0;
        const int gap = (sheet.width - 80) / 3;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x)
                differ += !(sheet.at(gap + x, gap + y) == sheet.at(2 * gap + 40 + x, gap + y));
        return differ;
    };
    const Moment end{{2, 2}}, early{{0, 2}};
    EXPECT_EQ(tile_colours(end), 0);
    request.shots = {shot_of(View::front)};
    EXPECT_GT(tile_colours(early), 200);  // the flat tube against the wrinkled one
    request.colour_by = "displacement";
    expect_says(error_of<InputError>([&] { SheetRenderer(sources, request, {end}, threads); }),
                {"minus-first"});
    request.colour_by = "";
    expect_says(error_of<InputError>([&] { SheetRenderer(sources, request, {end}, threads); }),
                {"a measure to colour by"});
}

TEST(Shots, CamerasOfTheSceneComeFirst) {
    ScratchFolder folder;
    write_run(folder / "a", "cotton");
    std::vector<RenderSource> sources = open_sources({(folder / "a").string()});
    EXPECT_EQ(default_shot(sources).name, "three-quarter");
    spill(folder.path() / "a" / "summary.json",
          R"({"cloths": [{"name": "tube", "material": "cotton"}], "cameras": [
              {"name": "close", "eye": [0.5, -1, 0.3], "target": [0, 0, 0.1], "fov": 12},
              {"name": "front", "eye": [0, -9, 0], "target": [0, 0, 0]}, {"name": "behind", "view": "back"},
              {"name": "damaged"}]})");
    sources = open_sources({(folder / "a").string()});
    const Shot shot = default_shot(sources);
    EXPECT_EQ(shot.name, "close");
    ASSERT_TRUE(shot.camera.has_value());
    EXPECT_EQ(shot.camera->field_of_view, 12);
    EXPECT_EQ(shot_by_name("front", sources).camera->eye, (Vec3d{0, -9, 0}));
    EXPECT_EQ(shot_by_name("behind", sources).view, View::back);
    EXPECT_EQ(shot_by_name("top", sources).view, View::top);
    expect_says(error_of<InputError>([&] { shot_by_name("clos", sources); }), {"clos", "close"});
}

}  // namespace
}  // namespace rumple
