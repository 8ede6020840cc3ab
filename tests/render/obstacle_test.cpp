// Obstacles in pictures of runs: those that stand, those that move, those that are not there, and the ground.
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/mesh/solids.hpp>
#include <rumple_render/sheet_renderer.hpp>

#include "sample_run.hpp"

namespace rumple {
namespace {

// The run of write_run, with a block that stands, a ball there only in the phase "hold", and level ground.
void write_run_with_obstacles(const std::filesystem::path& folder) {
    write_run(folder, "denim");
    write_obj(folder / "cache" / "block.obj", make_box({0.1, 0.1, 0.1}));
    TriMesh ground = make_box({10, 10, 0.1});
    for (Vec3d& x : ground.positions) x.z -= 0.25;  // its upper face at z = -0.2
    write_obj(folder / "cache" / "ground.obj", ground);
    const TriMesh ball = make_sphere(0.05, 0.02);
    write_obj(folder / "cache" / "ball.obj", ball);
    Pc2Writer cache = Pc2Writer::create(folder / "cache" / "ball.pc2", ball.positions.size());
    for (int i = 0; i < 3; ++i) cache.append(ball.positions);
    spill(folder / "summary.json", R"({"output_rate": 24.0,
        "cloths": [{"name": "tube", "material": "denim", "hinges": 600}],
        "obstacles": [
            {"name": "ground", "kind": "plane", "moves": false, "present": ["press", "hold"]},
            {"name": "block", "kind": "box", "moves": false, "present": ["press", "hold"]},
            {"name": "ball", "kind": "sphere", "moves": true, "present": ["hold"]}]})");
}

std::vector<std::string> names_at(const RenderSource& source, std::size_t frame) {
    std::vector<std::string> names;
    for (const RenderObject& object : source.objects_at(frame)) names.push_back(object.name);
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

TEST(Obstacles, AreShownWhileTheyAreThere) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "run");
    const RenderSource source(folder / "run");
    EXPECT_EQ(names_at(source, 1), (Names{"block", "tube"}));
    EXPECT_EQ(names_at(source, 2), (Names{"ball", "block", "tube"}));
    for (const RenderObject& object : source.objects_at(2)) {
        EXPECT_EQ(object.is_cloth, object.name == "tube");
        EXPECT_EQ(object.look.name, object.name == "tube"   ? "denim"
                                    : object.name == "ball" ? "clay"
                                                            : "body");
    }
    ASSERT_TRUE(source.ground().has_value());
    EXPECT_NEAR(*source.ground(), -0.2, 1e-12);
}

TEST(Obstacles, CanBeHidden) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "run");
    RenderSource source(folder / "run");
    EXPECT_TRUE(source.hide("block"));
    EXPECT_TRUE(source.hide("ball"));
    EXPECT_EQ(names_at(source, 2), (Names{"tube"}));
    EXPECT_EQ(source.frame_count(), 3u);
    EXPECT_FALSE(source.hide("tub"));
    expect_says(error_of<InputError>([&] { source.hide("tube"); }), {"nothing", "left"});
}

TEST(Obstacles, AreHiddenInTheInputsThatHaveThem) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "one");
    write_run(folder / "two", "cotton");
    std::vector<RenderSource> sources = open_sources({folder.path().string()});
    hide_in(sources, {"ball"});
    EXPECT_EQ(names_at(sources[0], 2), (Names{"block", "tube"}));
    EXPECT_EQ(names_at(sources[1], 2), (Names{"tube"}));
    expect_says(error_of<InputError>([&] { hide_in(sources, {"blck"}); }), {"hide", "none", "blck", "block"});
    std::vector<RenderSource> one = open_sources({(folder / "one").string()});
    expect_says(error_of<InputError>([&] { hide_in(one, {"tub"}); }), {"hide", "tub", "tube"});
}

TEST(Obstacles, AreKnownWhileARunGoesOn) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "run");
    std::filesystem::rename(folder / "run" / "summary.json", folder / "run" / "running.json");
    const RenderSource source(folder / "run");
    EXPECT_EQ(names_at(source, 2), (Names{"ball", "block", "tube"}));
    for (const RenderObject& object : source.objects_at(2)) {
        EXPECT_EQ(object.is_cloth, object.name == "tube");
        EXPECT_EQ(object.look.name == "denim", object.name == "tube");
    }
    EXPECT_TRUE(source.ground().has_value());
}

TEST(Obstacles, TiltedPlaneIsASlabThatTheCameraDoesNotFollow) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "run");
    TriMesh slope = make_box({10, 10, 0.1});
    for (Vec3d& x : slope.positions) x = rotation(Vec3d{0, 1, 0}, 0.3) * x;
    write_obj(folder / "run" / "cache" / "ground.obj", slope);
    const RenderSource source(folder / "run");
    EXPECT_FALSE(source.ground().has_value());
    for (const RenderObject& object : source.objects_at(0))
        EXPECT_EQ(object.framed, object.name != "ground") << object.name;
    EXPECT_EQ(names_at(source, 0), (Names{"block", "ground", "tube"}));
}

TEST(Obstacles, ChangeThePicture) {
    ScratchFolder folder;
    write_run_with_obstacles(folder / "run");
    const auto picture = [&](const Names& hidden) {
        std::vector<RenderSource> sources = open_sources({(folder / "run").string()});
        hide_in(sources, hidden);
        PictureRequest request;
        request.settings = {48, 40, 4};
        request.shots = {Shot{"", View::front, Camera{{1, -1, 0.6}, {0, 0, 0}}}};
        const Moment end{{2}};
        return SheetRenderer(sources, request, {end}, Threads(1)).take(end);
    };
    const Picture with = picture({}), without = picture({"block", "ball"});
    int different = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 48; ++x) different += !(with.at(x, y) == without.at(x, y));
    EXPECT_GT(different, 5);
}

}  // namespace
}  // namespace rumple
