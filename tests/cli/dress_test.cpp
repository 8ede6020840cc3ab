// rumple dress: one command from a garment and a body to a film's worth of files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

TEST(DressCommand, SettlesOurTrousersAndLeavesCacheAndScene) {
    const ScratchFolder scratch;
    const Ended ended =
        run_program({"dress", "trousers", "mannequin", "--edge", "0.04", "--step", "0.02", "--material",
                     "denim", "--no-film", "--out", "worn", "--write", "mine.json"},
                    scratch.path());
    ASSERT_EQ(ended.status, 0) << ended.err;
    for (const char* file : {"worn/cache/garment.pc2", "worn/cache/garment.obj", "worn/scene.json",
                             "worn/summary.json", "worn/final/garment.obj", "mine.json"})
        EXPECT_TRUE(std::filesystem::exists(scratch.path() / file)) << file;
    const auto summary = nlohmann::json::parse(slurp(scratch.path() / "worn/summary.json"));
    EXPECT_EQ(summary["status"], "complete");
    EXPECT_EQ(summary["cloths"][0]["material"], "denim-garment");
    EXPECT_TRUE(summary["regions"]["garment"].contains("seat"));
    EXPECT_EQ(run_program({"check", "mine.json"}, scratch.path()).status, 0);

    const std::vector<std::string> again{"dress",  "trousers", "mannequin",  "--edge",    "0.04",
                                         "--step", "0.02",     "--material", "denim",     "--no-film",
                                         "--from", "worn",     "--out",      "worn-again"};
    ASSERT_EQ(run_program(again, scratch.path()).status, 0);
    const auto second = nlohmann::json::parse(slurp(scratch.path() / "worn-again/summary.json"));
    EXPECT_NE(second["scene_hash"], summary["scene_hash"]);
}

TEST(DressCommand, SaysWhatIsWrong) {
    const ScratchFolder scratch;
    expect_refused(run_program({"dress", "skirt.obj", "mannequin"}, scratch.path()),
                   {"skirt.obj", "no such file"});
    expect_refused(run_program({"dress", "trousers", "mannequin", "--clip", "sitt"}, scratch.path()),
                   {"clip", "sitt"});
    expect_refused(run_program({"dress", "trousers", "mannequin", "--material", "steel"}, scratch.path()),
                   {"there is no material \"steel\""});
    expect_refused(
        run_program({"dress", "trousers", "mannequin", "--material", "steel.json"}, scratch.path()),
        {"steel.json", "no such file"});
    expect_refused(run_program({"dress", "trousers", "mannequin", "--from", "yesterday"}, scratch.path()),
                   {"from", "there is no folder", "yesterday"});
}

}  // namespace
}  // namespace rumple
