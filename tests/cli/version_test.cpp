// Every result says which simulation made it.
#include <nlohmann/json.hpp>
#include <rumple/core/version.hpp>
#include <rumple/sim/checkpoint.hpp>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

TEST(Version, IsPrintedWithTheHashOfTheSources) {
    ScratchFolder folder;
    const Ended ended = run_program({"--version"}, folder.path());
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.out, "rumple " + version() + " (source " + source_hash() + ")\n");
    EXPECT_EQ(source_hash().size(), 16u);
    EXPECT_EQ(source_hash().find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(program_version(), version() + "+" + source_hash());
}

TEST(Version, StandsInEveryFileOfARun) {
    ScratchFolder folder;
    spill(folder / "twist.json", small_twist_document().dump());
    ASSERT_EQ(run_program({"run", "twist.json", "--out", "out", "--quiet"}, folder.path()).status, 0);
    for (const char* name : {"out/summary.json", "out/timing.json"}) {
        const auto json = nlohmann::json::parse(slurp(folder / name));
        EXPECT_EQ(json.at("rumple"), version()) << name;
        EXPECT_EQ(json.at("source"), source_hash()) << name;
    }
    EXPECT_EQ(read_checkpoint(folder / "out/checkpoint/latest").program, program_version());
}

TEST(Version, ACheckpointOfOtherSourcesIsRefused) {
    ScratchFolder folder;
    spill(folder / "twist.json", small_twist_document().dump());
    const std::vector<std::string> run{"run", "twist.json", "--out", "out", "--quiet", "--resume"};
    ASSERT_EQ(run_program(run, folder.path()).status, 0);
    const std::filesystem::path latest = folder / "out/checkpoint/latest";
    Checkpoint checkpoint = read_checkpoint(latest);
    const std::string now = program_version();
    for (const std::string& other : {std::string("0.1.0"), version() + "+0000000000000000"}) {
        checkpoint.program = other;
        spill(std::filesystem::canonical(latest), encode_checkpoint(checkpoint));
        const std::string who = "written by rumple " + other;
        expect_refused(run_program(run, folder.path()), {"latest", who.c_str(), now.c_str()});
    }
}

}  // namespace
}  // namespace rumple
