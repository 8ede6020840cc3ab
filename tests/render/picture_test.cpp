// Pictures on their way to files and people: tone, PNG, words, sheets, legends.
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

int pixels_unlike(const Picture& picture, Rgb colour) {
    return int(
        std::count_if(picture.pixels.begin(), picture.pixels.end(), [&](Rgb p) { return !(p == colour); }));
}

TEST(ToneMap, MoreLightIsNeverDarkerAndNeverClips) {
    int before = -1;
    for (float light = 0; light < 4; light += 0.02f) {
        Image image(1, 1);
        image.pixels[0] = {light, light, light};
        const int now = tone_map(image).pixels[0].g;
        EXPECT_GE(now, before) << light;
        before = now;
    }
    Image bright(2, 1);
    bright.pixels = {{0.8f, 0.8f, 0.8f}, {1.1f, 1.1f, 1.1f}};
    const Picture shown = tone_map(bright);
    EXPECT_GT(shown.pixels[1].g, shown.pixels[0].g + 3);  // bright folds stay apart
    EXPECT_LT(shown.pixels[1].g, 255);
}

TEST(ToneMap, KeepsMiddleTonesAsTheyAre) {
    Image image(1, 1);
    image.pixels[0] = {0.18f, 0.18f, 0.18f};
    EXPECT_NEAR(tone_map(image).pixels[0].r, 118, 3);
}

TEST(ToneMap, FilmCurveRisesWithoutAJumpAndStaysBelowWhite) {
    float before = film_curve(0);
    EXPECT_EQ(before, 0);
    for (int i = 1; i <= 8000; ++i) {
        const float now = film_curve(static_cast<float>(i) * 1e-3f);
        ASSERT_GE(now, before) << i;
        ASSERT_LT(now - before, 1.7e-3f) << i;
        before = now;
    }
    EXPECT_LE(before, 1);
    EXPECT_LT(film_curve(0.02f), 0.02f);      // the toe
    EXPECT_FLOAT_EQ(film_curve(0.4f), 0.4f);  // the straight part
    EXPECT_LT(film_curve(0.9f), 0.85f);       // the shoulder
}

TEST(Srgb, RoundTrips) {
    for (int v = 0; v < 256; ++v) {
        const auto byte = static_cast<std::uint8_t>(v);
        EXPECT_EQ(to_rgb(to_linear({byte, byte, byte})), (Rgb{byte, byte, byte}));
    }
}

TEST(Png, RoundTripsAndIsTheSameBytesTwice) {
    Picture picture(13, 7);
    for (std::size_t i = 0; i < picture.pixels.size(); ++i)
        picture.pixels[i] = {std::uint8_t(i), std::uint8_t(3 * i), std::uint8_t(255 - i)};
    ScratchFolder folder;
    write_png(folder / "a.png", picture);
    EXPECT_EQ(read_png(folder / "a.png"), picture);
    EXPECT_EQ(slurp(folder / "a.png"), encode_png(picture));
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(Png, SaysWhatIsWrong) {
    ScratchFolder folder;
    const Picture picture(2, 2);
    expect_says(error_of<InputError>([&] { write_png(folder / "no" / "such.png", picture); }), {"such.png"});
    expect_says(error_of<InputError>([&] { write_png(folder.path(), picture); }), {});
    spill(folder / "fake.png", "not a picture");
    expect_says(error_of<InputError>([&] { read_png(folder / "fake.png"); }), {"fake.png", "not a PNG"});
    const std::string whole = encode_png(Picture(40, 40, {1, 2, 3}));
    spill(folder / "cut.png", whole.substr(0, whole.size() / 2));
    expect_says(error_of<InputError>([&] { read_png(folder / "cut.png"); }), {"cut.png"});
}

TEST(Words, LeaveInkInsideTheirWidth) {
    const Font font;
    Picture picture(200, 40, {255, 255, 255});
    const int width = font.width("Held, 500 s", 18);
    EXPECT_GT(width, 60);
    EXPECT_LT(width, 140);
    font.draw(picture, "Held, 500 s", 10, 26, 18, {0, 0, 0});
    EXPECT_GT(pixels_unlike(picture, {255, 255, 255}), 200);
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            if (x < 8 || x > 12 + width) {
                EXPECT_EQ(picture.at(x, y), (Rgb{255, 255, 255})) << x << " " << y;
            }
}

TEST(Words, OutsideOfThePictureIsLeftOut) {
    const Font font;
    Picture picture(20, 20);
    font.draw(picture, "a long line that does not fit · ü", -30, 18, 16, {255, 255, 255});
    font.draw(picture, "above", 0, -50, 16, {255, 255, 255});
    font.draw(picture, "\xff\xc3", 0, 10, 16, {255, 255, 255});  // broken UTF-8
    EXPECT_GT(pixels_unlike(picture, {0, 0, 0}), 5);
}

TEST(Words, MissingFontSaysWhatToInstall) {
    ScratchFolder folder;
    spill(folder / "x.ttf", "no font");
    expect_says(error_of<InputError>([&] { Font font(folder / "x.ttf"); }), {"x.ttf"});
}

TEST(Sheet, PutsTilesInAGridWithLabels) {
    const Font font;
    std::vector<Tile> tiles;
    for (int i = 0; i < 6; ++i)
        tiles.push_back({Picture(100, 80, {std::uint8_t(40 * i), 0, 200}), "tile " + std::to_string(i)});
    const Picture sheet = make_sheet(tiles, 3, &font, "Six tiles");
    EXPECT_GT(sheet.width, 300);
    EXPECT_LT(sheet.width, 330);
    EXPECT_GT(sheet.height, 2 * 80 + 2 * 20);
    for (const Tile& tile : tiles)
        EXPECT_EQ(std::count(sheet.pixels.begin(), sheet.pixels.end(), tile.picture.pixels[0]), 100 * 80);
    EXPECT_EQ(make_sheet({{Picture(10, 10), ""}}, 0, &font), Picture(10, 10));  // one tile is a picture
}

TEST(Sheet, LegendShowsTheWholeScaleWithUnits) {
    const Font font;
    const Picture plain(200, 300, {128, 128, 128});
    const Picture with = with_legend(plain, {"curvature", "1/m", {0, 50}, ColourMap::rising}, font);
    EXPECT_GT(with.width, plain.width + 60);
    EXPECT_EQ(with.height, plain.height);
    int dark = 0, light = 0;
    for (int y = 0; y < with.height; ++y)
        for (int x = plain.width; x < with.width; ++x) {
            const double L = oklab_lightness(to_linear(with.at(x, y)));
            dark += L < 0.35;
            light += L > 0.85 && L < 0.95;
        }
    EXPECT_GT(dark, 100);
    EXPECT_GT(light, 50);
}

TEST(Ticks, AreRoundAndCoverTheRange) {
    EXPECT_EQ(tick_values(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
    for (const auto& [low, high] : {std::pair{0.0, 0.137}, {-3.0, 12.0}, {1e-7, 5e-7}, {0.0, 42000.0}}) {
        const std::vector<double> ticks = tick_values(low, high, 5);
        EXPECT_GE(ticks.size(), 2u);
        EXPECT_LE(ticks.size(), 8u);
        EXPECT_GE(ticks.front(), low - 1e-12);
        EXPECT_LE(ticks.back(), high * (1 + 1e-9));
    }
    EXPECT_EQ(short_number(0.25), "0.25");
    EXPECT_EQ(short_number(1200), "1200");
    EXPECT_EQ(short_number(-15000), "-15000");
    EXPECT_EQ(short_number(3e6), "3e+06");
}

TEST(Clock, TellsTimeAsPeopleDo) {
    EXPECT_EQ(clock_text(0.854), "0.85 s");
    EXPECT_EQ(clock_text(42), "42 s");
    EXPECT_EQ(clock_text(500), "8 min 20 s");
    EXPECT_EQ(clock_text(7500), "2 h 05 min");
}

}  // namespace
}  // namespace rumple
