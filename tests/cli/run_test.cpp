#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

class RunCommand : public ::testing::Test {
  protected:
    void SetUp() override {
        spill(folder / "twist.json", small_twist_document().dump());
        spill(folder / "three.json", three_variants_document().dump());
    }
    Ended run(const std::vector<std::string>& arguments, double kill_after = -1) {
        std::vector<std::string> all{"run"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return run_program(all, folder.path(), kill_after);
    }

    ScratchFolder folder;
};

TEST_F(RunCommand, WritesIntoOutAndTheSceneNameByDefault) {
    const Ended ended = run({"twist.json"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    for (const char* name : {"cache/tube.pc2", "cache/tube.obj", "final/tube.obj", "metrics.csv",
                             "summary.json", "timing.json", "checkpoint/latest"})
        EXPECT_TRUE(fs::exists(folder / "out/small-twist" / name)) << name;
    EXPECT_NE(ended.out.find("files in out/small-twist"), std::string::npos);
}

TEST_F(RunCommand, QuietPrintsNothing) {
    const Ended ended = run({"twist.json", "--quiet"});
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.out + ended.err, "");
}

TEST_F(RunCommand, ThreadsDoNotChangeAByte) {
    for (const char* threads : {"1", "2", "3"})
        EXPECT_EQ(run({"twist.json", "--threads", threads, "--out", std::string("t") + threads}).status, 0);
    expect_same_files(folder / "t1", folder / "t2");
    expect_same_files(folder / "t1", folder / "t3");
}

TEST_F(RunCommand, SetChangesTheSceneAndItsHash) {
    EXPECT_EQ(run({"twist.json", "--out", "a", "--set", "phases.hold.steps=2", "--set",
                   "cloths.tube.material=denim"})
                  .status,
              0);
    EXPECT_EQ(run({"twist.json", "--out", "b"}).status, 0);
    const auto a = nlohmann::json::parse(slurp(folder / "a/summary.json")),
               b = nlohmann::json::parse(slurp(folder / "b/summary.json"));
    EXPECT_EQ(a["counts"]["steps"], 30);
    EXPECT_EQ(a["cloths"][0]["material"], "denim");
    EXPECT_NE(a["scene_hash"], b["scene_hash"]);
}

TEST_F(RunCommand, VariantPicksOne) {
    EXPECT_EQ(run({"three.json", "--out", "out", "--variant", "held"}).status, 0);
    EXPECT_TRUE(fs::exists(folder / "out/held/summary.json"));
    EXPECT_FALSE(fs::exists(folder / "out/brief"));
}

TEST_F(RunCommand, CacheCanBeReadAtAnyMomentOfARun) {
    // On a loaded machine a run may be killed before its first frame: the next one gets more time.
    std::string cache;
    for (double seconds = 0.3; seconds < 30 && (cache.empty() || !fs::exists(folder / cache)); seconds *= 2) {
        const std::string out = fmt::format("out{}", seconds);
        run({"three.json", "--out", out, "--set", "phases.settle.duration=5"}, seconds);
        cache = out + "/brief/cache/tube.pc2";
    }
    EXPECT_EQ(run_program({"info", cache}, folder.path()).status, 0);
}

// No scene that the reader lets through makes a step of this cloth fail; a full disk fails a run as well.
TEST_F(RunCommand, FailureUnderWayEndsWithStatusThreeAndKeepsWhatIsThere) {
    ASSERT_EQ(run({"twist.json", "--out", "straight"}).status, 0);
    Ended ended;
    {
        const FileSizeLimit limit(20000);  // caches fit below it, a checkpoint does not
        ended = run({"twist.json", "--out", "out"});
    }
    EXPECT_EQ(ended.status, 3);
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_NE(ended.err.find("out/checkpoint/latest"), std::string::npos) << ended.err;
    const std::string info = run_program({"info", "out/cache/tube.pc2"}, folder.path()).out;
    EXPECT_NE(info.find("frames  4"), std::string::npos) << info;  // to the end of the first phase
    EXPECT_FALSE(fs::exists(folder / "out/final/tube.obj"));
    EXPECT_FALSE(fs::exists(folder / "out/summary.json"));
    EXPECT_EQ(run({"twist.json", "--out", "out", "--resume"}).status, 0);
    expect_same_files(folder / "straight", folder / "out");
}

TEST_F(RunCommand, ForeignAndDamagedCheckpointsAreRefused) {
    ASSERT_EQ(run({"twist.json", "--out", "out"}).status, 0);
    const auto before = contents_of(folder / "out");
    for (const char* resume : {"--resume", "--quiet"})
        expect_refused(run({"twist.json", "--out", "out", "--set", "step.h=0.005", resume}),
                       {"out/checkpoint/latest", "another scene", "choose another output folder"});
    EXPECT_EQ(contents_of(folder / "out"), before);
    std::string bytes = slurp(folder / "out/checkpoint/latest");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    spill(folder / "out/checkpoint/latest", bytes);
    expect_refused(run({"twist.json", "--out", "out", "--resume"}),
                   {"out/checkpoint/latest", "damaged", "checksum"});
    spill(folder / "out/checkpoint/latest", "");
    expect_refused(run({"twist.json", "--out", "out", "--resume"}), {"out/checkpoint/latest", "empty"});
}

TEST_F(RunCommand, CacheShorterThanItsCheckpointIsRefused) {
    ASSERT_EQ(run({"twist.json", "--out", "out"}).status, 0);
    fs::resize_file(folder / "out/metrics.csv", 100);
    expect_refused(run({"twist.json", "--out", "out", "--resume"}),
                   {"out/metrics.csv", "100 bytes", "start the run anew"});
    fs::remove(folder / "out/cache/tube.pc2");
    expect_refused(run({"twist.json", "--out", "out", "--resume"}), {"out/cache/tube.pc2"});
}

TEST_F(RunCommand, UnwritableFolderIsRefusedBeforeAnythingRuns) {
    spill(folder / "file", "");
    expect_refused(run({"twist.json", "--out", "file/out"}),
                   {"file/out", "cannot be made", "another output folder"});
    expect_refused(run({"twist.json", "--out", "file"}), {"file", "another output folder"});
    expect_refused(run({"twist.json", "--out", "/proc/rumple"}), {"/proc/rumple", "another output folder"});
    EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(RunCommand, BackendIsRecordedAndAMissingOneRefusedBeforeAnythingIsWritten) {
    ASSERT_EQ(run({"twist.json", "--out", "out", "--backend", "cpu"}).status, 0);
    EXPECT_EQ(nlohmann::json::parse(slurp(folder / "out/summary.json"))["backend"], "cpu");
    expect_refused(run({"twist.json", "--out", "other", "--backend", "opencl"}), {"--backend", "cuda"});
    const Ended cuda = run({"twist.json", "--out", "device", "--backend", "cuda"});
    if (cuda.status == 0) return;  // this build has the backend, and there is a device
    expect_refused(cuda, {"CUDA"});
    EXPECT_FALSE(fs::exists(folder / "device"));
    // A folder with results keeps them.
    const auto before = contents_of(folder / "out");
    expect_refused(run({"twist.json", "--out", "out", "--backend", "cuda"}), {"CUDA"});
    EXPECT_EQ(contents_of(folder / "out"), before);
}

}  // namespace
}  // namespace rumple
