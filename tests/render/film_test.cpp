// Films: whole or not at all, and clear words when ffmpeg is missing.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple_render/film.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

TEST(Film, MissingFfmpegSaysWhatToInstall) {
    ScratchFolder folder;
    expect_says(error_of<InputError>([&] { find_ffmpeg(folder.path().string()); }),
                {"ffmpeg", "install", ".png"});
    expect_says(error_of<InputError>([&] { find_ffmpeg(""); }), {"ffmpeg"});
}

TEST(Film, ProgramThatDiesIsAnErrorAndLeavesNothing) {
    ScratchFolder folder;
    spill(folder / "ffmpeg", "#!/bin/sh\necho the codec is missing >&2\nexit 3\n");
    std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    const std::filesystem::path program = find_ffmpeg("/no/such/place:" + folder.path().string());
    const std::string said = error_of<SimulationError>([&] {
        FilmWriter film(program, folder / "x.mp4", 64, 64, 30);
        for (int i = 0; i < 2000; ++i) film.add(Picture(64, 64));
        film.finish();
    });
    expect_says(said, {"x.mp4", "the codec is missing"});
    EXPECT_EQ(folder.file_count(), 1);  // the program itself
}

TEST(Film, UnwritablePlaceIsRefusedBeforeAnythingIsDrawn) {
    ScratchFolder folder;
    expect_says(
        error_of<InputError>([&] { FilmWriter film("/bin/true", folder / "no" / "x.mp4", 64, 64, 30); }),
        {"x.mp4", "cannot be written"});
    expect_says(error_of<InputError>([&] { FilmWriter film("/bin/true", folder / "x.mp4", 64, 64, 0); }),
                {"fps"});
}

TEST(Film, WritesAnMp4) {
    std::filesystem::path program;
    try {
        program = find_ffmpeg();
    } catch (const InputError&) {
        GTEST_SKIP() << "ffmpeg is not installed";
    }
    ScratchFolder folder;
    {
        FilmWriter film(program, folder / "x.mp4", 63, 47, 25);  // odd sides too
        for (int i = 0; i < 5; ++i) film.add(Picture(63, 47, {std::uint8_t(50 * i), 100, 100}));
        EXPECT_FALSE(std::filesystem::exists(folder / "x.mp4"));
        film.finish();
    }
    const std::string bytes = slurp(folder / "x.mp4");
    EXPECT_EQ(bytes.substr(4, 4), "ftyp");
    EXPECT_NE(bytes.find("avc1"), std::string::npos);  // H.264
    EXPECT_EQ(folder.file_count(), 1);
}

}  // namespace
}  // namespace rumple
