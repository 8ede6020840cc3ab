// Cameras of sheets: all of them alike, and near enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <rumple/io/obj.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include "scratch_folder.hpp"

#include "sample_scene.hpp"

namespace rumple {
namespace {

constexpr int kTile = 64;

PictureRequest plain_request() {
    PictureRequest request;
    request.settings = {kTile, kTile, 4};
    request.shots = {shot_of(View::front)};
    request.has_ground = false;
    request.words = false;
    return request;
}

Picture sheet_of(const std::vector<RenderSource>& sources, const PictureRequest& request) {
    const Threads threads(2);
    const Moment moment = at_frame(sources, 0);
    return SheetRenderer(sources, request, {moment}, threads).take(moment);
}

double difference_of_tiles(const Picture& sheet) {  // mean, of the first two, in levels of 255
    const int gap = (sheet.width - 2 * kTile) / 3;
    double sum = 0;
    for (int y = 0; y < kTile; ++y)
        for (int x = 0; x < kTile; ++x)
            sum +=
                std::abs(int(sheet.at(gap + x, gap + y).g) - int(sheet.at(2 * gap + kTile + x, gap + y).g));
    return sum / (kTile * kTile);
}

TEST(SheetRenderer, FollowingShowsTheSameThingElsewhereTheSame) {
    ScratchFolder folder;
    TriMesh mesh = wrinkled_tube("cotton", 48, 20).mesh;
    write_obj(folder / "here.obj", mesh);
    for (Vec3d& p : mesh.positions) p += Vec3d{0.5, 0.25, 1};
    write_obj(folder / "there.obj", mesh);
    const std::vector<RenderSource> sources{RenderSource(folder / "here.obj"),
                                            RenderSource(folder / "there.obj")};
    PictureRequest request = plain_request();
    const double still = difference_of_tiles(sheet_of(sources, request));
    request.follow = true;
    const double followed = difference_of_tiles(sheet_of(sources, request));
    EXPECT_GT(still, 1);
    EXPECT_LT(followed, 0.2 * still);
}

// Two inputs in two columns: an input has its column, a view its row; otherwise an input has its row.
TEST(SheetRenderer, AsManyColumnsAsInputsGiveEachViewARow) {
    ScratchFolder folder;
    write_obj(folder / "tube.obj", wrinkled_tube("cotton", 24, 8).mesh);
    write_obj(folder / "sheet.obj", flat_sheet(0.2, 0).mesh);
    const std::vector<RenderSource> sources{RenderSource(folder / "tube.obj"),
                                            RenderSource(folder / "sheet.obj")};
    PictureRequest request = plain_request();
    request.shots = {shot_of(View::front), shot_of(View::top), shot_of(View::right)};
    const auto tile = [&](const Picture& sheet, int columns, int column, int row) {
        const int gap = (sheet.width - columns * kTile) / (columns + 1);
        const int left = gap + column * (gap + kTile), top = gap + row * (gap + kTile);
        std::vector<int> levels;
        for (int y = 0; y < kTile; ++y)
            for (int x = 0; x < kTile; ++x) levels.push_back(sheet.at(left + x, top + y).g);
        return levels;
    };
    request.columns = 2;
    const Picture by_view = sheet_of(sources, request);
    request.columns = 3;
    const Picture by_input = sheet_of(sources, request);
    for (int input = 0; input < 2; ++input)
        for (int view = 0; view < 3; ++view)
            EXPECT_EQ(tile(by_view, 2, input, view), tile(by_input, 3, view, input)) << input << " " << view;
    EXPECT_NE(tile(by_view, 2, 0, 0), tile(by_view, 2, 1, 0));
    EXPECT_NE(tile(by_view, 2, 0, 0), tile(by_view, 2, 0, 1));
}

TEST(SheetRenderer, FramingTheClothAloneComesNearer) {
    ScratchFolder folder;
    write_obj(folder / "tube.obj", wrinkled_tube("cotton", 48, 20).mesh);
    std::vector<RenderSource> sources{RenderSource(folder / "tube.obj")};
    PictureRequest request = plain_request();
    request.has_ground = false;
    RenderObject table = flat_sheet(3, -0.01, "rose");
    table.is_cloth = false;
    request.bodies = {table};
    const auto white = [&] {
        const Picture picture = sheet_of(sources, request);
        return std::count_if(picture.pixels.begin(), picture.pixels.end(), [](Rgb p) { return p.g > 150; });
    };
    request.light = LightKind::raking;  // a dark background
    const auto far = white();
    request.frame_cloth = true;
    EXPECT_GT(white(), 4 * std::max<std::ptrdiff_t>(far, 20));
}

TEST(SheetRenderer, AnglesLookFromBetweenTheNamedViews) {
    const std::vector<Vec3d> points{{-1, -1, -1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, -1}};
    const Vec3d forward = frame_view(ViewAngles{45, 0}, points, 1).forward();
    EXPECT_NEAR(forward.x, -std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(forward.y, std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(frame_view(ViewAngles{0, 30}, points, 1).forward().z, -0.5, 1e-9);
}

}  // namespace
}  // namespace rumple
