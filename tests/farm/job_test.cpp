// Jobs of a sweep: folders with the bytes of ordinary runs, each filled once.
#include <gtest/gtest.h>

#include <rumple/core/version.hpp>
#include <rumple/sim/run_layout.hpp>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/results.hpp>

#include "sim/contact_documents.hpp"
#include "sim/folder_contents.hpp"

namespace rumple::farm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

Plan plan_in(const fs::path& folder, const json& scene, const char* sweep) {
    const Plan plan =
        plan_sweep(read_sweep(json::parse(sweep), "sweep.json"), {scene, "scene.json", "/"}, "s");
    write_plan(folder, plan);
    return plan;
}

void run_all(const fs::path& folder, const Plan& plan) {
    for (const Job& job : plan.jobs)
        ASSERT_EQ(run_job(folder, job.folder, {}), JobState::complete) << job.folder;
}

// Every job against a run of its scene from the start.
void expect_ordinary_runs(const fs::path& folder, const Plan& plan) {
    for (const Job& job : plan.jobs) {
        if (job.is_beginning()) continue;
        const ScratchFolder alone;
        const Scene scene = scene_of(plan, job);
        run_scenes({&scene, 1}, {.out = alone / "run", .threads = 1});
        fs::copy_file(folder / job.folder / "job.json", alone / "run/job.json");
        expect_same_files(alone / "run", folder / job.folder);
    }
}

TEST(Job, ContinuedBeginningsHaveTheBytesOfARunFromTheStart) {
    const ScratchFolder folder;
    // The frame at 4/30 s is nearest to step 13. A beginning that ends with step 12 shows it there, and who
    // continues it must not.
    json scene = small_twist_document();
    scene["phases"][1]["duration"] = 0.02;
    const Plan plan =
        plan_in(folder.path(), scene,
                R"({"scene": "s", "grid": {"phases.hold.hold": [0, 500], "phases.hold.steps": [0, 5],
                                  "phases.settle.duration": [0.05, 0.08]}})");
    EXPECT_GE(plan.beginnings(), 4);
    run_all(folder.path(), plan);
    expect_ordinary_runs(folder.path(), plan);
}

TEST(Job, ContinuedBeginningsHaveContactAndRigidBodies) {
    const ScratchFolder folder;
    json scene = pressed_document();
    scene["phases"][0]["duration"] = 0.15;
    scene["phases"][1]["duration"] = 0.15;
    const Plan plan =
        plan_in(folder.path(), scene, R"({"scene": "s", "grid": {"phases.hold.hold": [1, 100]}})");
    ASSERT_EQ(plan.beginnings(), 1);
    run_all(folder.path(), plan);
    expect_ordinary_runs(folder.path(), plan);
}

TEST(Job, RunsOnce) {
    const ScratchFolder folder;
    const Plan plan = plan_in(folder.path(), small_twist_document(),
                              R"({"scene": "s", "grid": {"phases.hold.hold": [3]}})");
    const fs::path run = folder / plan.jobs[0].folder;
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::waiting);
    run_all(folder.path(), plan);
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::complete);
    const auto written = fs::last_write_time(run / "metrics.csv");
    run_all(folder.path(), plan);
    EXPECT_EQ(fs::last_write_time(run / "metrics.csv"), written);
    // What other sources made does not count.
    std::string note = slurp(run / "job.json");
    note.replace(note.find(source_hash()), source_hash().size(), "0123456789abcdef");
    spill(run / "job.json", note);
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::waiting);
    run_all(folder.path(), plan);
    EXPECT_NE(fs::last_write_time(run / "metrics.csv"), written);
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::complete);
}

TEST(Job, WithoutItsBeginningStartsAnew) {
    const ScratchFolder folder;
    const Plan plan = plan_in(folder.path(), small_twist_document(),
                              R"({"scene": "s", "grid": {"phases.hold.hold": [3, 4]}})");
    ASSERT_EQ(plan.jobs.size(), 3u);
    EXPECT_EQ(run_job(folder.path(), plan.jobs[1].folder, {}), JobState::complete);
    run_all(folder.path(), plan);
    expect_ordinary_runs(folder.path(), plan);
}

// Somebody deleted the checkpoint, but not the note.
TEST(Job, WithHalfABeginningStartsAnew) {
    const ScratchFolder folder;
    const Plan plan = plan_in(folder.path(), small_twist_document(),
                              R"({"scene": "s", "grid": {"phases.hold.hold": [3, 4]}})");
    ASSERT_EQ(run_job(folder.path(), plan.jobs[0].folder, {}), JobState::complete);
    fs::remove(RunLayout(folder / plan.jobs[0].folder).checkpoint());
    run_all(folder.path(), plan);
    expect_ordinary_runs(folder.path(), plan);
}

TEST(Job, IsRunByOneProcessAtATime) {
    const ScratchFolder folder;
    const Plan plan = plan_in(folder.path(), small_twist_document(),
                              R"({"scene": "s", "grid": {"phases.hold.hold": [3]}})");
    const Job& job = plan.jobs[0];
    fs::create_directories(folder / job.folder);
    {
        const auto other = FileLock::take(folder / job.folder / "job.lock");
        ASSERT_TRUE(other.has_value());
        EXPECT_EQ(state_of(folder.path(), job), JobState::running);
        EXPECT_FALSE(FileLock::take(folder / job.folder / "job.lock").has_value());
        expect_says(
            error_of<InputError>([&] { run_job(folder.path(), job.folder, {.patience_seconds = 0.05}); }),
            {"another process"});
    }
    EXPECT_EQ(state_of(folder.path(), job), JobState::waiting);
    EXPECT_EQ(run_job(folder.path(), job.folder, {}), JobState::complete);
    EXPECT_FALSE(fs::exists(folder / job.folder / "job.lock"));
    // A process that was killed just before it removed its lock.
    spill(folder / job.folder / "job.lock", "");
    EXPECT_EQ(run_job(folder.path(), job.folder, {}), JobState::complete);
    EXPECT_FALSE(fs::exists(folder / job.folder / "job.lock"));
    spill(folder / job.folder / "job.lock", "");
    remove_lock_of_killed(folder.path(), job);
    EXPECT_FALSE(fs::exists(folder / job.folder / "job.lock"));
}

TEST(Job, SceneThatCannotBeBuiltFailsWithItsReason) {
    const ScratchFolder folder;
    Plan plan = plan_in(folder.path(), small_twist_document(),
                        R"({"scene": "s", "grid": {"phases.hold.hold": [3]}})");
    plan.documents[0].document["cloths"][0]["material"] = "lead";
    write_plan(folder.path(), plan);
    EXPECT_EQ(run_job(folder.path(), plan.jobs[0].folder, {}), JobState::failed);
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::failed);
    forget_failures(folder.path(), plan);
    EXPECT_EQ(state_of(folder.path(), plan.jobs[0]), JobState::waiting);
    EXPECT_EQ(run_job(folder.path(), plan.jobs[0].folder, {}), JobState::failed);
    const ResultTable table = collect_results(folder.path(), plan);
    EXPECT_EQ(table.text("status").front(), "failed");
    expect_says(table.text("failure").front(), {"lead"});
}

TEST(Results, HaveARowForEachPointAndQuoteCommas) {
    const ScratchFolder folder;
    const Plan plan = plan_in(folder.path(), small_twist_document(),
                              R"({"scene": "s", "list": [{"gravity": [0, 0, 0]}, {"gravity": [0, 0, -1]}]})");
    ASSERT_EQ(run_job(folder.path(), plan.jobs[0].folder, {}), JobState::complete);
    const ResultTable table = collect_results(folder.path(), plan);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.text("status"), (std::vector<std::string>{"complete", "waiting"}));
    EXPECT_EQ(table.processors(), std::vector<std::string>{processor_name()});
    EXPECT_GT(table.numbers("bending_content")[0], 0);
    EXPECT_TRUE(std::isnan(table.numbers("bending_content")[1]));
    EXPECT_NE(to_csv(table).find("\"[0,0,-1]\",waiting"), std::string::npos) << to_csv(table);
    expect_says(error_of<InputError>([&] { table.numbers("bending_kontent"); }), {"bending_content"});
}

}  // namespace
}  // namespace rumple::farm
