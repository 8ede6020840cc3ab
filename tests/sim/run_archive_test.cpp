// What the writer of run folders writes, their reader reads.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/sim/run_archive.hpp>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"
#include "sim/stop_after.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

TEST(RunArchive, ReadsBackWhatARunWrote) {
    ScratchFolder folder;
    nlohmann::json document = small_twist_document();
    document["output"] = {{"memory", true}};
    const std::vector<Scene> scenes = scenes_of(document);
    const RunResult result = run_scenes(scenes, {.out = folder / "out", .threads = 1}).front();

    const RunArchive run(folder / "out");
    EXPECT_TRUE(RunArchive::is_run(folder / "out"));
    ASSERT_TRUE(run.has_ended());
    EXPECT_EQ(summary_text(run.require_summary()), result.summary);
    EXPECT_EQ(run.summary()->at_end, result.at_end);
    EXPECT_EQ(run.summary()->counts, result.counts);
    EXPECT_EQ(run.timing().counts.steps, 33);
    EXPECT_EQ(run.timing().threads, 1);

    const std::vector<FrameNote> frames = run.frames();
    ASSERT_EQ(frames.size(), 11u);
    EXPECT_EQ(frames[0].phase, "twist");
    EXPECT_EQ(frames[10].phase, "settle");
    EXPECT_NEAR(frames[10].material_time, 500.28, 1e-9);
    EXPECT_EQ(run.metrics().numbers("bending_content").back(), result.at_end[0].measures.bending_content);

    EXPECT_EQ(run.caches(), (std::vector<fs::path>{folder / "out/cache/tube.pc2"}));
    EXPECT_EQ(run.cache("tube").frame_count(), 11u);
    EXPECT_EQ(run.mesh("tube").positions, scenes[0].cloths[0].reference);
    ASSERT_TRUE(run.has_memory("tube"));
    EXPECT_EQ(run.memory("tube").frame_count(), 11u);
    ASSERT_TRUE(run.has_checkpoint());
    EXPECT_EQ(run.checkpoint().sim, result.last);
    for (const char* file : {"cache/tube.pc2", "final/tube.obj", "memory/tube.pc2"})
        EXPECT_EQ(RunArchive::folder_of(folder / "out" / file), folder / "out") << file;
}

TEST(RunArchive, OfARunThatHasNotEndedHasFramesAndNoSummary) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    StopAfter observer(20);
    EXPECT_THROW(run_scenes(scenes, {.out = folder / "out", .threads = 1, .observer = &observer}),
                 Interrupted);
    const RunArchive run(folder / "out");
    EXPECT_FALSE(run.has_ended());
    EXPECT_EQ(run.cache("tube").frame_count(), run.frames().size());
    EXPECT_GT(run.frames().size(), 3u);
    EXPECT_EQ(RunArchive::folder_of(folder / "out/cache/tube.pc2"), std::nullopt);
    expect_says(error_of<InputError>([&] { run.require_summary(); }), {"out", "summary.json", "has ended"});
    ASSERT_TRUE(run.scene_facts().has_value());
    EXPECT_EQ(run.scene_facts()->cloths.at(0).name, "tube");
}

TEST(RunArchive, OfOtherFoldersSaysWhatIsMissing) {
    ScratchFolder folder;
    expect_says(error_of<InputError>([&] { RunArchive run(folder / "none"); }), {"none", "no such folder"});
    EXPECT_FALSE(RunArchive::is_run(folder.path()));
    const RunArchive empty(folder.path());
    EXPECT_FALSE(empty.has_ended() || empty.has_metrics() || empty.has_checkpoint());
    EXPECT_TRUE(empty.frames().empty());
    EXPECT_THROW(empty.timing(), InputError);
    spill(folder / "summary.json", "not JSON");
    EXPECT_FALSE(RunArchive(folder.path()).has_ended());
}

}  // namespace
}  // namespace rumple
