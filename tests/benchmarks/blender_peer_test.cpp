#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>

#include "bench_twist.hpp"
#include "blender_peer.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

const TwistSize kSmall{"small", 16, 7};

// A program that is not Blender.
class BlenderPeer : public testing::Test {
  protected:
    std::string program(const std::string& script) {
        const fs::path path = folder / "program";
        spill(path, "#!/bin/sh\n" + script);
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }
    ScratchFolder folder;
    TwistCase twist{{.size = kSmall}};
};

TEST_F(BlenderPeer, MissingIsOneSentence) {
    expect_says(error_of<SimulationError>([&] { time_blender(twist, 60, 1, "no-such-blender"); }),
                {"there is no program 'no-such-blender' on the PATH"});
}

TEST_F(BlenderPeer, FailureQuotesItsLastWords) {
    const std::string fails = program("echo one; echo 'Error: no cloth here' >&2; echo; exit 7\n");
    expect_says(error_of<SimulationError>([&] { time_blender(twist, 60, 1, fails); }),
                {"status 7", "Error: no cloth here"});
    expect_says(error_of<SimulationError>([&] { time_blender(twist, 60, 1, program("exit 0\n")); }),
                {"without a result", "it said nothing"});
}

TEST_F(BlenderPeer, ResultIsReadAndTheThreadsArePassedOn) {
    const std::string tells = program(R"SH(for job; do true; done
result=$(sed 's/.*"result":"\([^"]*\)".*/\1/' "$job")
grep -q '"ring":16' "$job" || exit 1
case "$*" in *"--threads 3 "*) ;; *) exit 2 ;; esac
printf '{"version": "9.9", "seconds": [0.3, 0.1, 0.2], "overhead": [0.01],' > "$result"
printf '"iterations": [40], "pins_off": 0}' >> "$result"
)SH");
    const BlenderTimes times = time_blender(twist, 60, 3, tells);
    EXPECT_EQ(times.version, "9.9");
    EXPECT_EQ(times.name(), "blender, 3 threads");
    EXPECT_EQ(times.seconds.median(), 0.2);
    EXPECT_EQ(times.iterations.median(), 40);
    EXPECT_EQ(to_json(times)["seconds_per_substep"]["median"], 0.2);
}

TEST_F(BlenderPeer, ComparesWithOursOnAsManyThreads) {
    TwistBenchResult result;
    result.ours.seconds.add(0.1);
    result.ours_on_one.emplace().seconds.add(0.2);
    result.blender.push_back({.version = "9.9", .threads = 1});
    result.blender.push_back({.version = "9.9", .threads = 2});
    for (BlenderTimes& times : result.blender) times.seconds.add(0.6);
    EXPECT_NEAR(result.ratio(result.blender[0]), 3, 1e-12);
    EXPECT_NEAR(result.ratio(result.blender[1]), 6, 1e-12);
    const nlohmann::json json = to_json(result);
    ASSERT_EQ(json["peers"].size(), 4u);
    EXPECT_EQ(json["peers"][3]["name"], "blender, 2 threads");
    EXPECT_NEAR(json["peers"][3]["ratio"].get<double>(), 6, 1e-12);
    EXPECT_NE(to_table({result}).find("blender, 1 thread "), std::string::npos);
}

// The real one, where it is installed: its pins must end where ours do, and its cloth must have moved.
TEST_F(BlenderPeer, BlenderTakesTheSamePinsTheSameWay) {
    BlenderTimes times;
    try {
        times = time_blender(twist, 60, 1);
    } catch (const SimulationError& error) {
        if (std::string(error.what()).find("there is no program") != std::string::npos)
            GTEST_SKIP() << error.what();
        throw;
    }
    EXPECT_LT(times.pins_off, 1e-7);
    EXPECT_EQ(times.seconds.count(), 10u);  // of 25 frames those from 60 % of the turn on
    EXPECT_GT(times.seconds.median(), times.overhead.median());
    EXPECT_GE(times.iterations.min(), 1);
    EXPECT_NEAR(times.iterations.min() * 4, std::round(times.iterations.min() * 4), 1e-3);  // a mean of four
}

}  // namespace
}  // namespace rumple
