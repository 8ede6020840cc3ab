// rumple render as people call it.
#include <gtest/gtest.h>

#include <cli/program.hpp>
#include <rumple/core/error.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/png.hpp>

#include "sample_run.hpp"

namespace rumple {
namespace {

TEST(RenderCommand, MakesAPictureASheetAndAPlot) {
    ScratchFolder folder;
    write_run(folder / "runs" / "brief", "cotton");
    write_run(folder / "runs" / "held", "cotton");
    const Ended one = run_program(
        {"render", "runs/held/cache/tube.obj", "--size", "40x30", "--samples", "1", "--out", "one.png"},
        folder.path());
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(one.out, "one.png\n");
    EXPECT_EQ(read_png(folder / "one.png").width, 40);
    const Ended sheet = run_program({"render", "runs", "--size", "40x30", "--samples", "1", "--at", "hold",
                                     "--captions", "--title", "Both", "--out", "sheet.png", "--quiet"},
                                    folder.path());
    EXPECT_EQ(sheet.status, 0) << sheet.err;
    EXPECT_GT(read_png(folder / "sheet.png").width, 80);
    const Ended plot = run_program(
        {"render", "runs", "--plot", "top.torque", "--over", "time", "--out", "p.svg"}, folder.path());
    EXPECT_EQ(plot.status, 0) << plot.err;
    EXPECT_NE(slurp(folder / "p.svg").find("top.torque [N m]"), std::string::npos);
}

TEST(RenderCommand, RefusesBadInputInOneSentence) {
    ScratchFolder folder;
    write_run(folder / "run", "cotton");
    const auto attempt = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"render", "run"});
        return run_program(more, folder.path());
    };
    expect_refused(run_program({"render", "none.obj"}, folder.path()), {"none.obj"});
    expect_refused(attempt({"--view", "fornt"}), {"front"});
    expect_refused(attempt({"--size", "big"}), {"--size", "960x720"});
    expect_refused(attempt({"--eye", "0,0,1"}), {"--eye and --target"});
    expect_refused(attempt({"--eye", "0,0,1", "--target", "0,0,1"}), {"same point"});
    expect_refused(attempt({"--eye", "0,zero,1", "--target", "0,0,1"}), {"zero"});
    expect_refused(attempt({"--frame", "7"}), {"frames 0 to 2"});
    expect_refused(attempt({"--at", "fold"}), {"fold"});
    expect_refused(attempt({"--out", "x.jpg"}), {"x.jpg", ".png"});
    expect_refused(attempt({"--out", "no/such/place.png", "--size", "8x8", "--samples", "1"}), {"place.png"});
    expect_refused(attempt({"--plot", "torqe"}), {"torqe"});
    expect_refused(attempt({"--range", "5,1", "--colour-by", "angle"}), {"--range"});
    expect_refused(attempt({"--colour-by", "angle", "--minus-first"}), {"--minus-first", "two inputs"});
    expect_refused(attempt({"--colour-by", "anchor", "--frame", "0"}), {"checkpoint"});
    expect_refused(attempt({"--fov", "30"}), {"--fov", "--eye"});
    expect_refused(attempt({"--eye", "1,0,0", "--target", "0,0,0", "--fov", "200"}), {"200 degrees"});
    expect_refused(attempt({"--view", "top", "--eye", "1,0,0", "--target", "0,0,0"}), {"--view"});
    expect_refused(attempt({"--align", "time"}), {"--align"});
    spill(folder / "nan.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    expect_refused(run_program({"render", "nan.obj"}, folder.path()), {"nan.obj"});
}

TEST(RenderCommand, MakesAFilmOfTwoRuns) {
    try {
        (void)find_ffmpeg();
    } catch (const InputError&) {
        GTEST_SKIP() << "there is no ffmpeg";
    }
    ScratchFolder folder;
    write_run(folder / "runs" / "brief", "cotton");
    write_run(folder / "runs" / "held", "cotton");
    spill(folder.path() / "runs" / "brief" / "metrics.csv",
          "frame,time,material_time,phase\n0,0,0,press\n1,0.1,0.1,press\n2,0.2,0.2,back\n");
    const Ended ended = run_program({"render", "runs", "--size", "40x30", "--samples", "1", "--colour-by",
                                     "angle", "--minus-first", "--out", "film.mp4"},
                                    folder.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(slurp(folder / "film.mp4").substr(0, 64).find("ftyp"), std::string::npos);
}

TEST(RenderCommand, FilmWithoutFfmpegIsRefusedBeforeAnythingIsDrawn) {
    ScratchFolder folder;
    write_run(folder / "run", "cotton");
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder.path().c_str(), 1);
    const Ended ended = run_program({"render", "run", "--out", "film.mp4"}, folder.path());
    ::setenv("PATH", path.c_str(), 1);
    expect_refused(ended, {"ffmpeg", "install"});
    EXPECT_FALSE(std::filesystem::exists(folder / "film.mp4"));
}

}  // namespace
}  // namespace rumple
