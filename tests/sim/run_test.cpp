#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/run.hpp>
#include <set>
#include <sstream>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

struct Interrupted : std::exception {};

// Counts what it is told; stops the run after some steps, as a kill would.
class Watcher : public RunObserver {
  public:
    explicit Watcher(int stop_after = -1) : stop_after_(stop_after) {}
    void on_step(const StepReport&, const Simulator&) override { ++steps; }
    void on_phase_end(const std::vector<std::string>& variants, int phase, Simulator& sim) override {
        phase_ends.insert({phase, variants});
        EXPECT_EQ(sim.sim_state().phase, phase + 1);
    }
    void on_progress(const RunProgress& progress) override {
        EXPECT_GE(progress.fraction, last.fraction);
        last = progress;
        if (steps == stop_after_) throw Interrupted();
    }

    int steps = 0;
    RunProgress last;
    std::set<std::pair<int, std::vector<std::string>>> phase_ends;

  private:
    int stop_after_;
};

RunOptions into(const fs::path& out, RunObserver* observer = nullptr, bool resume = false) {
    RunOptions options;
    options.out = out;
    options.threads = 1;
    options.observer = observer;
    options.resume = resume;
    options.checkpoint_seconds = 0;  // after every step
    return options;
}

TEST(Run, LeavesEveryPromisedFileWhole) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    const auto results = run_scenes(scenes, into(folder / "out"));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].failure, "");
    std::set<std::string> names;
    for (const auto& [name, bytes] : contents_of(folder / "out")) names.insert(name);
    EXPECT_EQ(names, (std::set<std::string>{"cache/tube.obj", "cache/tube.pc2", "checkpoint/latest",
                                            "final/tube.obj", "metrics.csv", "summary.json"}));
    EXPECT_TRUE(fs::exists(folder / "out/timing.json"));

    const PointCacheReader cache(folder / "out/cache/tube.pc2");
    EXPECT_EQ(cache.frame_count(), 11u);  // 0.33 s at 30 frames a second: the last at 0.3333 s
    const TriMesh start = read_obj(folder / "out/cache/tube.obj"),
                  end = read_obj(folder / "out/final/tube.obj");
    EXPECT_EQ(start.triangles, scenes[0].cloths[0].mesh.triangles);
    EXPECT_EQ(start.positions, scenes[0].cloths[0].reference);
    EXPECT_EQ(end.positions, results[0].last.state.x);
    EXPECT_NEAR(norm(cache.read_frame(10)[77] - end.positions[77]), 0, 1e-8);

    std::istringstream metrics(slurp(folder / "out/metrics.csv"));
    std::string line;
    std::vector<std::string> lines;
    while (std::getline(metrics, line)) lines.push_back(line);
    ASSERT_EQ(lines.size(), 12u);
    EXPECT_EQ(lines[0].substr(0, 51), "frame,time,material_time,phase,step,angle_change_rm");
    const auto commas = std::count(lines[0].begin(), lines[0].end(), ',');
    for (const std::string& row : lines) EXPECT_EQ(std::count(row.begin(), row.end(), ','), commas);
    EXPECT_EQ(lines[1].substr(0, 14), "0,0,0,twist,0,");
    EXPECT_EQ(lines[11].substr(0, 23), "10,0.33,500.28,settle,3");
}

TEST(Run, SummarySaysWhatCameOutAndNothingElse) {
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    const auto results = run_scenes(scenes);
    const auto summary = nlohmann::json::parse(results[0].summary);
    EXPECT_EQ(summary["scene_hash"], scene_hash(scenes[0]));
    EXPECT_EQ(summary["status"], "complete");
    EXPECT_EQ(summary["counts"]["steps"], 33);
    EXPECT_EQ(summary["frames"], 11);
    ASSERT_TRUE(results[0].recovery[0].has_value());
    const double then = summary["recovery"]["then"]["tube"]["angle_change_rms"],
                 now = summary["final"]["tube"]["angle_change_rms"];
    EXPECT_GT(then, 0.05);
    EXPECT_NEAR(summary["recovery"]["value"]["tube"].get<double>(), 1 - now / then, 1e-12);
    EXPECT_EQ(summary["recovery"]["from_phase"], "hold");
    for (const char* word : {"second", "thread", "/"})
        EXPECT_EQ(results[0].summary.find(word), std::string::npos);
}

TEST(Run, SameSummaryForAnyNumberOfThreads) {
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    std::set<std::string> summaries;
    for (int threads : {1, 2, 3}) {
        RunOptions options;
        options.threads = threads;
        summaries.insert(run_scenes(scenes, options)[0].summary);
    }
    EXPECT_EQ(summaries.size(), 1u);
}

TEST(Run, VariantsShareTheirBeginningAndEqualSeparateRuns) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(three_variants_document());
    Watcher together;
    const auto results = run_scenes(scenes, into(folder / "together", &together));
    // twist and rest once, hold for two of the three, the way back for each
    EXPECT_EQ(together.steps, 13 + 2 * 5 + 3 * 15);
    EXPECT_EQ(together.last.steps_to_do, together.steps);
    EXPECT_EQ(together.last.fraction, 1);
    EXPECT_TRUE(together.phase_ends.contains({1, {"brief", "held", "control"}}));
    EXPECT_TRUE(together.phase_ends.contains({2, {"held"}}));

    int alone = 0;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        Watcher watcher;
        run_scenes(std::span(scenes).subspan(i, 1), into(folder / "alone", &watcher));
        alone += watcher.steps;
        EXPECT_EQ(results[i].counts.steps, watcher.steps);
    }
    EXPECT_EQ(alone, 28 + 33 + 33);
    expect_same_files(folder / "together", folder / "alone");
    EXPECT_GT(results[1].at_end[0].measures.bending_content,
              1.2 * results[0].at_end[0].measures.bending_content);
}

TEST(Run, StoppedAnywhereAndResumedGivesTheSameFiles) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(three_variants_document());
    run_scenes(scenes, into(folder / "straight"));
    for (int stop : {1, 9, 13, 14, 18, 30, 50, 67}) {
        const fs::path out = folder / ("stop" + std::to_string(stop));
        Watcher first(stop), second;
        EXPECT_THROW(run_scenes(scenes, into(out, &first)), Interrupted);
        run_scenes(scenes, into(out, &second, true));
        EXPECT_LE(first.steps + second.steps, 68 + 1);  // at most the step after the last checkpoint again
        expect_same_files(folder / "straight", out);
    }
}

TEST(Run, MemoryIsWrittenWhereTheSceneAsksForItAndResumed) {
    ScratchFolder folder;
    nlohmann::json document = small_twist_document();
    document["output"] = {{"memory", true}};
    document["cameras"] = {{{"name", "behind"}, {"view", "back"}}};
    const std::vector<Scene> scenes = scenes_of(document);
    run_scenes(scenes, into(folder / "straight"));
    Watcher first(20);
    EXPECT_THROW(run_scenes(scenes, into(folder / "out", &first)), Interrupted);
    const auto results = run_scenes(scenes, into(folder / "out", nullptr, true));
    expect_same_files(folder / "straight", folder / "out");
    EXPECT_NE(results[0].summary.find("behind"), std::string::npos);

    const PointCacheReader memory(folder / "out/memory/tube.pc2"), shape(folder / "out/cache/tube.pc2");
    ASSERT_EQ(memory.frame_count(), shape.frame_count());
    ASSERT_EQ(memory.vertex_count(), shape.vertex_count());
    double anchor = 0, anchor_before = 0, longest = 0;
    for (const Vec3d& v : memory.read_frame(0)) {
        EXPECT_EQ(v.x, 0);  // nothing yielded yet; the anchor begins at the angle of the tube at rest
        EXPECT_EQ(v.z, 0);
        anchor_before = std::max(anchor_before, v.y);
    }
    for (std::size_t frame = 0; frame < memory.frame_count(); ++frame)
        for (const Vec3d& v : memory.read_frame(frame)) {
            anchor = std::max(anchor, v.y);
            longest = std::max(longest, v.z);
        }
    EXPECT_GT(anchor, anchor_before + 0.01);  // it slipped
    EXPECT_GT(longest, 400);                  // and stuck through the hold of 500 s

    run_scenes(scenes_of(small_twist_document()), into(folder / "without"));
    EXPECT_FALSE(fs::exists(folder / "without/memory"));
}

TEST(Run, VariantsAtDifferentCheckpointsMeetAgain) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(three_variants_document());
    run_scenes(scenes, into(folder / "straight"));
    Watcher early(4), late(9), rest;
    EXPECT_THROW(run_scenes(std::span(scenes).subspan(0, 1), into(folder / "out", &early)), Interrupted);
    EXPECT_THROW(run_scenes(std::span(scenes).subspan(1, 2), into(folder / "out", &late)), Interrupted);
    run_scenes(scenes, into(folder / "out", &rest, true));
    // brief stood after 3 steps, the others after 8; they meet there
    EXPECT_EQ(rest.steps, 5 + 5 + 2 * 5 + 3 * 15);
    EXPECT_EQ(rest.last.steps_to_do, rest.steps);
    EXPECT_EQ(rest.last.fraction, 1);
    expect_same_files(folder / "straight", folder / "out");
}

TEST(Run, ResumingACompleteRunChangesNothing) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    const auto once = run_scenes(scenes, into(folder / "a"));
    Watcher watcher;
    const auto twice = run_scenes(scenes, into(folder / "a", &watcher, true));
    EXPECT_EQ(watcher.steps, 0);
    EXPECT_EQ(once[0].summary, twice[0].summary);
    run_scenes(scenes, into(folder / "b"));
    expect_same_files(folder / "a", folder / "b");
}

TEST(Run, StartsAnewWithoutResume) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    Watcher first(20), second;
    EXPECT_THROW(run_scenes(scenes, into(folder / "a", &first)), Interrupted);
    run_scenes(scenes, into(folder / "a", &second));
    EXPECT_EQ(second.steps, 33);
    run_scenes(scenes, into(folder / "b"));
    expect_same_files(folder / "a", folder / "b");
}

TEST(Run, AnotherScenesFolderIsRefusedAndLeftAlone) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    run_scenes(scenes, into(folder / "out"));
    const auto before = contents_of(folder / "out");
    nlohmann::json other = small_twist_document();
    other["cloths"][0]["material"] = "denim";
    const std::vector<Scene> denim = scenes_of(other);
    for (bool resume : {false, true})
        expect_says(error_of<InputError>([&] { run_scenes(denim, into(folder / "out", nullptr, resume)); }),
                    {"another scene", scene_hash(scenes[0]).c_str(), scene_hash(denim[0]).c_str(),
                     "another output folder"});
    EXPECT_EQ(contents_of(folder / "out"), before);
}

TEST(Run, DamagedCheckpointStopsAResumeButNotANewRun) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    run_scenes(scenes, into(folder / "out"));
    const std::string whole = slurp(folder / "out/checkpoint/latest");
    spill(folder / "out/checkpoint/latest", whole.substr(0, whole.size() / 2));
    const auto before = contents_of(folder / "out");
    expect_says(error_of<InputError>([&] { run_scenes(scenes, into(folder / "out", nullptr, true)); }),
                {"checkpoint/latest", "damaged", "start the run anew"});
    EXPECT_EQ(contents_of(folder / "out"), before);
    run_scenes(scenes, into(folder / "out"));
    EXPECT_EQ(slurp(folder / "out/checkpoint/latest"), whole);
}

TEST(Run, FolderThatCannotBeMadeIsRefusedBeforeAStep) {
    ScratchFolder folder;
    spill(folder / "file", "in the way");
    const std::vector<Scene> scenes = scenes_of(three_variants_document());
    Watcher watcher;
    expect_says(error_of<InputError>([&] { run_scenes(scenes, into(folder / "file" / "sub", &watcher)); }),
                {"file/sub", "cannot be made", "another output folder"});
    EXPECT_EQ(watcher.steps, 0);
    EXPECT_EQ(contents_of(folder.path()).size(), 1u);
}

TEST(Run, RefusalLeavesNoEmptyFolders) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(three_variants_document());
    fs::create_directories(folder / "out");
    spill(folder / "out/control", "in the way of the third variant");
    EXPECT_THROW(run_scenes(scenes, into(folder / "out")), InputError);
    EXPECT_FALSE(fs::exists(folder / "out/brief"));
    EXPECT_FALSE(fs::exists(folder / "out/held"));
}

TEST(Run, TwoRunsIntoOneFolderAreRefused) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    class Second : public RunObserver {
      public:
        Second(const std::vector<Scene>& scenes, fs::path out) : scenes_(scenes), out_(std::move(out)) {}
        void on_step(const StepReport& report, const Simulator& sim) override {
            if (sim.sim_state().state.step != 3) return;
            EXPECT_TRUE(report.accepted);
            message = error_of<InputError>([&] { run_scenes(scenes_, into(out_)); });
        }
        std::string message;

      private:
        const std::vector<Scene>& scenes_;
        fs::path out_;
    } second(scenes, folder / "out");
    run_scenes(scenes, into(folder / "out", &second));
    expect_says(second.message, {"another run"});
    run_scenes(scenes, into(folder / "alone"));
    expect_same_files(folder / "out", folder / "alone");
}

TEST(Run, FailureEndsItsVariantsAndTheOthersGoOn) {
    ScratchFolder folder;
    std::vector<Scene> scenes = scenes_of(three_variants_document());
    scenes[1].phases[3].motions[1].translate.z = std::numeric_limits<double>::infinity();
    const auto results = run_scenes(scenes, into(folder / "out"));
    EXPECT_EQ(results[0].failure, "");
    expect_says(results[1].failure, {"phase 'back'", "step 1 of 10"});
    EXPECT_EQ(results[2].failure, "");
    EXPECT_EQ(results[1].last.state.step, 18);
    EXPECT_FALSE(fs::exists(folder / "out/held/final/tube.obj"));
    EXPECT_TRUE(fs::exists(folder / "out/control/final/tube.obj"));
    const auto summary = nlohmann::json::parse(slurp(folder / "out/held/summary.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(PointCacheReader(folder / "out/held/cache/tube.pc2").frame_count(), 6u);
}

TEST(Run, FullDiskIsASimulationErrorAndWhatWasWrittenStays) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    {
        const FileSizeLimit limit(20000);  // caches fit below it, a checkpoint does not
        RunOptions options = into(folder / "out");
        options.checkpoint_seconds = 1e9;
        EXPECT_THROW(run_scenes(scenes, options), SimulationError);
    }
    EXPECT_GT(PointCacheReader(folder / "out/cache/tube.pc2").frame_count(), 0u);
    run_scenes(scenes, into(folder / "out", nullptr, true));
    run_scenes(scenes, into(folder / "alone"));
    expect_same_files(folder / "out", folder / "alone");
}

TEST(Run, SeveralClothsGetTheirOwnFilesAndColumns) {
    ScratchFolder folder;
    nlohmann::json document = small_twist_document();
    document["cloths"].push_back(nlohmann::json::parse(R"({"name": "patch", "material": "denim",
        "mesh": {"generator": "grid", "nx": 4, "ny": 3, "width": 0.03, "height": 0.02},
        "place": {"translate": [0.1, 0, 0]}})"));
    for (auto& handle : document["handles"]) handle["cloth"] = "tube";
    const std::vector<Scene> scenes = scenes_of(document);
    const auto results = run_scenes(scenes, into(folder / "out"));
    EXPECT_EQ(PointCacheReader(folder / "out/cache/patch.pc2").vertex_count(), 12u);
    EXPECT_EQ(read_obj(folder / "out/final/patch.obj").positions[0], results[0].last.state.x[128]);
    const std::string metrics = slurp(folder / "out/metrics.csv");
    EXPECT_NE(metrics.find(",tube.sharpness,"), std::string::npos);
    EXPECT_NE(metrics.find(",patch.sharpness,"), std::string::npos);
    EXPECT_LT(results[0].at_end[1].measures.angle_change_rms, 1e-6);  // nothing touches it
    EXPECT_FALSE(results[0].recovery[1].value_or(0) > 1);
}

TEST(Run, UnknownVariantIsRefusedWithTheNearest) {
    const SceneFile file{three_variants_document(), "small_twist.json", ""};
    const std::vector<std::string> wrong{"hold"}, right{"held", "brief"};
    expect_says(error_of<InputError>([&] { build_variants(file, wrong); }),
                {"small_twist.json", "'hold'", "held"});
    EXPECT_EQ(build_variants(file, right).size(), 2u);
}

}  // namespace
}  // namespace rumple
