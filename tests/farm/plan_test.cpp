// From a sweep's text to its jobs, without simulating any.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rumple/core/error.hpp>
#include <rumple_farm/farm_folder.hpp>
#include <rumple_farm/file_digests.hpp>
#include <rumple_farm/plan.hpp>
#include <rumple_farm/slurm_engine.hpp>
#include <rumple_farm/sobol.hpp>
#include <set>
#include <thread>

#include "scratch_folder.hpp"
#include "sim/small_twist.hpp"

namespace rumple::farm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

Sweep sweep_of(const char* text) { return read_sweep(json::parse(text), "sweep.json"); }
std::string fault_of(const char* text) {
    return error_of<InputError>([&] { sweep_of(text); });
}

Plan plan_of(const char* text, const json& scene = three_variants_document()) {
    return plan_sweep(sweep_of(text), {scene, "twist.json", "/"}, "sweep.json");
}

constexpr const char* kHolds = R"({"scene": "twist",
    "grid": {"cloths.tube.material.preset": ["cotton", "denim"], "phases.hold.hold": [0, 10, 100]},
    "seeds": {"key": "cloths.tube.imperfection.seed", "count": 2}})";

TEST(Sweep, GridTakesEveryCombinationAndSeedsVaryFastest) {
    const Sweep sweep = sweep_of(kHolds);
    EXPECT_EQ(sweep.keys, (std::vector<std::string>{"cloths.tube.material.preset", "phases.hold.hold",
                                                    "cloths.tube.imperfection.seed"}));
    EXPECT_EQ(sweep.seed_key, "cloths.tube.imperfection.seed");
    ASSERT_EQ(sweep.points.size(), 12u);
    EXPECT_EQ(json(sweep.points[0]).dump(), R"(["cotton",0,1])");
    EXPECT_EQ(json(sweep.points[1]).dump(), R"(["cotton",0,2])");
    EXPECT_EQ(json(sweep.points[2]).dump(), R"(["cotton",10,1])");
    EXPECT_EQ(json(sweep.points[11]).dump(), R"(["denim",100,2])");
    std::set<std::string> different;
    for (const auto& point : sweep.points) different.insert(json(point).dump());
    EXPECT_EQ(different.size(), 12u);
}

TEST(Sweep, RandomPointsAreReproducibleAndInRange) {
    const char* text = R"({"scene": "s", "random": {"count": 200, "seed": 7, "keys": {
        "a": {"from": 1, "to": 1000, "scale": "log"}, "b": {"from": -2, "to": 3, "integer": true},
        "c": ["x", "y"]}}})";
    const Sweep sweep = sweep_of(text);
    EXPECT_EQ(sweep.points, sweep_of(text).points);
    std::set<int> integers;
    int below_ten = 0, x = 0;
    for (const auto& point : sweep.points) {
        EXPECT_GE(point[0].get<double>(), 1);
        EXPECT_LT(point[0].get<double>(), 1000);
        below_ten += point[0].get<double>() < 10;
        integers.insert(point[1].get<int>());
        x += point[2] == "x";
    }
    EXPECT_NEAR(below_ten, 200 / 3, 30);  // a third of three decades; 30: over four standard deviations
    EXPECT_EQ(integers, (std::set<int>{-2, -1, 0, 1, 2, 3}));
    EXPECT_NEAR(x, 100, 30);
}

// The first 2^m points have one in each of 2^m intervals of every coordinate; in the first two coordinates,
// one in each box of 2^-k by 2^-(m-k): a (0, m, 2)-net.
TEST(Sobol, PointsAreANet) {
    constexpr int m = 8, n = 1 << m;
    SobolSequence sequence(kMaxSobolDimensions);
    std::vector<std::vector<double>> points;
    for (int i = 0; i < n; ++i) points.push_back(sequence.next());
    for (std::size_t d = 0; d < kMaxSobolDimensions; ++d) {
        std::set<int> met;
        for (const auto& p : points) met.insert(static_cast<int>(p[d] * n));
        EXPECT_EQ(met.size(), static_cast<std::size_t>(n)) << "dimension " << d;
    }
    for (int k = 0; k <= m; ++k) {
        std::set<std::pair<int, int>> boxes;
        for (const auto& p : points)
            boxes.insert({static_cast<int>(p[0] * (1 << k)), static_cast<int>(p[1] * (1 << (m - k)))});
        EXPECT_EQ(boxes.size(), static_cast<std::size_t>(n)) << "k = " << k;
    }
}

TEST(Sweep, BadInputIsOneSentence) {
    expect_says(fault_of(R"({"scene": "s"})"), {"sweep.json", "varies nothing"});
    expect_says(fault_of(R"({"scene": "s", "gird": {"a": [1]}})"), {"gird", "grid"});
    expect_says(fault_of(R"({"scene": "s", "grid": {"a": []}})"), {"grid.a", "empty"});
    expect_says(fault_of(R"({"scene": "s", "list": [{"a": 1}, {"b": 1}]})"), {"list[1]", "keys"});
    expect_says(fault_of(R"({"scene": "s", "grid": {"a": [1]}, "seeds": {"key": "a", "count": 2}})"),
                {"twice"});
    expect_says(fault_of(R"({"scene": "s", "sobol": {"count": 4, "keys": {"a": {"from": 2, "to": 1}}}})"),
                {"sobol.keys.a", "empty"});
    expect_says(fault_of(R"({"scene": "s", "random": {"count": 4, "keys": {"a":
                {"from": 0, "to": 1, "scale": "log"}}}})"),
                {"above 0"});
    // 10^9 points, without making them.
    json grid = json::object();
    for (int k = 0; k < 9; ++k) grid["k" + std::to_string(k)] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    expect_says(fault_of(json{{"scene", "s"}, {"grid", grid}}.dump().c_str()), {"1e+09 points", "100000"});
}

TEST(Plan, SharedBeginningsBecomeDependencies) {
    const Plan plan = plan_of(kHolds);
    EXPECT_EQ(plan.rows.size(), 12u);
    ASSERT_EQ(plan.beginnings(), 4);  // two materials and two seeds share twist and rest
    ASSERT_EQ(plan.jobs.size(), 16u);
    std::map<int, int> members;
    for (const Job& job : plan.jobs) {
        if (job.is_beginning()) {
            EXPECT_EQ(job.last_phase, 1);
            EXPECT_EQ(job.parent, -1);
        } else {
            const Job& beginning = plan.jobs.at(static_cast<std::size_t>(job.parent));
            ++members[job.parent];
            EXPECT_EQ(beginning.values[0], job.values[0]);
            EXPECT_EQ(beginning.values[2], job.values[2]);
        }
        EXPECT_EQ(job.cost.vertices, 16 * 8);
    }
    for (const auto& [beginning, jobs] : members) EXPECT_EQ(jobs, 3);
}

TEST(Plan, BeginningsContinueBeginnings) {
    const Plan plan = plan_of(R"({"scene": "twist", "grid": {"phases.hold.hold": [1, 2],
                                  "phases.settle.duration": [0.05, 0.1]}})");
    ASSERT_EQ(plan.beginnings(), 3);
    EXPECT_EQ(plan.jobs[0].last_phase, 1);
    EXPECT_EQ(plan.jobs[1].last_phase, 3);
    EXPECT_EQ(plan.jobs[1].parent, 0);
    EXPECT_EQ(plan.jobs[2].parent, 0);
    EXPECT_EQ(plan.jobs[3].parent, 1);
    EXPECT_EQ(plan.jobs[6].parent, 2);
}

TEST(Plan, EqualScenesAreOneJobAndASweepThatGrowsFindsItsFolders) {
    const Plan twice = plan_of(R"({"scene": "t", "list": [{"variant": "held"}, {"variant": "brief"},
                                                          {"variant": "held"}]})");
    EXPECT_EQ(twice.rows[0].job, twice.rows[2].job);
    EXPECT_NE(twice.rows[0].job, twice.rows[1].job);
    const Plan few = plan_of(R"({"scene": "t", "grid": {"phases.hold.hold": [10]}})"),
               more = plan_of(R"({"scene": "t", "grid": {"phases.hold.hold": [5, 10]}})");
    EXPECT_EQ(few.jobs[0].folder, more.jobs[2].folder);
    EXPECT_NE(more.jobs[1].folder, more.jobs[2].folder);
}

// A job is another one when a file that its scene names has changed.
TEST(Plan, FilesCountByTheirContents) {
    const ScratchFolder folder;
    fs::create_directories(folder / "walk");
    fs::create_directories(folder / "yesterday/checkpoint");
    const std::vector<std::pair<const char*, json>> files{
        {"body.obj", {{"file", "body.obj"}}},     // a mesh
        {"body.ply", {{"file", "body.pc2"}}},     // beside a cache
        {"body.bin", {{"file", "body.gltf"}}},    // a buffer
        {"walk/body_1.obj", {{"file", "walk"}}},  // in a folder of meshes
        {"walk/body_2.obj", {{"file", "walk/*_2.obj"}}},
        {"yesterday/checkpoint/latest", {{"from", "yesterday"}}}};
    for (const auto& [name, value] : files) spill(folder / name, "1");
    spill(folder / "body.pc2", "1");
    spill(folder / "body.gltf", R"({"buffers": [{"uri": "body.bin"}]})");
    for (const auto& [name, value] : files) {
        const auto digest_of = [&, &value = value] {
            Digest digest;
            FileDigests(folder.path()).add(digest, {{"obstacles", {value}}});
            return digest.hex32();
        };
        const std::string before = digest_of();
        EXPECT_EQ(digest_of(), before);
        spill(folder / name, "2");
        EXPECT_NE(digest_of(), before) << name;
    }
}

TEST(Sweep, PathsOfValuesStartAtTheSceneOrAtTheSweep) {
    const ScratchFolder folder;
    fs::create_directories(folder / "scenes");
    fs::create_directories(folder / "runs/monday");
    spill(folder / "scenes/a.obj", "1");
    Sweep sweep = sweep_of(R"({"scene": "s", "list": [{"from": "runs/monday", "cloths.0.mesh.file": "a.obj"},
                                                      {"from": {"run": "runs/monday"}, "cloths.0.mesh.file": "b.obj"}]})");
    resolve_paths(sweep, folder / "scenes", folder.path());
    EXPECT_EQ(sweep.points[0][1].get<std::string>(), (folder / "runs/monday").string());
    EXPECT_EQ(sweep.points[0][0], "a.obj");
    EXPECT_EQ(sweep.points[1][1]["run"].get<std::string>(), (folder / "runs/monday").string());
    EXPECT_EQ(sweep.points[1][0], "b.obj");
}

TEST(Plan, UnknownKeysAndValuesAreRefused) {
    const auto fault = [](const char* text) { return error_of<InputError>([&] { plan_of(text); }); };
    expect_says(fault(R"({"scene": "t", "grid": {"phasez.hold.hold": [1]}})"), {"sweep.json", "phases"});
    expect_says(fault(R"({"scene": "t", "grid": {"phases.holt.hold": [1]}})"), {"holt", "hold"});
    expect_says(fault(R"({"scene": "t", "grid": {"phases.hold.hodl": [1]}})"), {"hodl", "hold"});
    expect_says(fault(R"({"scene": "t", "grid": {"variant": ["hedl"]}})"), {"hedl", "held"});
    expect_says(fault(R"({"scene": "t", "grid": {"phases.hold.steps": [1, 2.5, 3]}})"), {"2.5"});
    // The last of many values is tried, too.
    expect_says(fault(R"({"scene": "t", "grid": {"phases.hold.steps": [1, 2, 3, -4]}})"),
                {"phases.hold.steps = -4"});
}

TEST(Plan, IsReadBackAsItWasWritten) {
    const ScratchFolder folder;
    const Plan plan = plan_of(kHolds);
    write_plan(folder.path(), plan);
    const Plan read = read_plan(folder.path());
    EXPECT_EQ(read.keys, plan.keys);
    EXPECT_EQ(read.seed_key, plan.seed_key);
    EXPECT_EQ(read.documents[0].document, plan.documents[0].document);
    ASSERT_EQ(read.jobs.size(), plan.jobs.size());
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        const OneJob one = read_job(folder.path(), plan.jobs[i].folder);
        EXPECT_EQ(one.parent.has_value(), plan.jobs[i].parent >= 0);
        for (const Job& job : {read.jobs[i], one.job}) {
            EXPECT_EQ(job.folder, plan.jobs[i].folder);
            EXPECT_EQ(job.values, plan.jobs[i].values);
            EXPECT_EQ(job.parent, plan.jobs[i].parent);
            EXPECT_EQ(job.last_phase, plan.jobs[i].last_phase);
            EXPECT_EQ(job.cost.steps, plan.jobs[i].cost.steps);
        }
    }
    expect_says(error_of<InputError>([&] { read_job(folder.path(), "jobs/0"); }), {"jobs/0", "no such job"});
    expect_says(error_of<InputError>([&] { read_plan("/nowhere"); }), {"not the folder of a sweep"});
    spill(folder / "plan.json", "{");
    expect_says(error_of<InputError>([&] { read_plan(folder.path()); }), {"damaged"});
}

TEST(Slurm, ScriptSaysWhatItAsksFor) {
    SlurmOptions options;
    options.partition = "night";
    options.cpus = 2;
    options.max_running = 50;
    options.extra = {"--account=lab"};
    options.command = "run-it $job";
    const std::string text =
        array_script("rumple-1", "/data/it's", {7, {"jobs/a4", "jobs/b9"}, "17_3", {2000, 1000}}, options);
    for (const char* part :
         {"#!/bin/bash\n", "#SBATCH --array=0-1%50\n", "#SBATCH --partition=night\n",
          "#SBATCH --cpus-per-task=2\n", "#SBATCH --dependency=afterok:17_3\n", "#SBATCH --comment=0007\n",
          "#SBATCH --requeue\n", "#SBATCH --account=lab\n", "\njobs=(\njobs/a4\njobs/b9\n)\n",
          "    run-it $job\n", "out='/data/it'\\''s'\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(Slurm, OptionsOfTheSweepItselfAreRefused) {
    EXPECT_NO_THROW(require_free_options({"--account=lab", "--qos=night"}));
    for (const char* option : {"--array=0-3", "--comment=mine", "--job-name x", "--no-requeue"})
        expect_says(error_of<InputError>([&] { require_free_options({option}); }), {option, "itself"});
    expect_says(error_of<InputError>([&] { require_free_options({"account"}); }), {"not an option"});
}

TEST(Slurm, HeldTasksAreReleasedLaterAndLaterAndThenNoMore) {
    EXPECT_EQ(slurm_state("PD", "launch failed requeued held"), SlurmTaskState::held);
    EXPECT_EQ(slurm_state("PD", "JobHeldUser"), SlurmTaskState::queued);  // by a person, who will release it
    EXPECT_EQ(slurm_state("PD", "Dependency"), SlurmTaskState::dependent);
    EXPECT_EQ(slurm_state("R", "None"), SlurmTaskState::running);
    EXPECT_FALSE(slurm_state("CD", "None").has_value());

    HeldTasks held;
    const std::vector<SlurmTask> alone{{"jobs/a", "1_0", SlurmTaskState::held},
                                       {"jobs/b", "2_0", SlurmTaskState::dependent}};
    std::vector<SlurmTask> beside_another = alone;
    beside_another.push_back({"jobs/c", "3_0", SlurmTaskState::queued});
    std::vector<int> released_at;
    for (int second = 0; second < 600; ++second) {
        EXPECT_EQ(held.are_all(alone), released_at.size() == HeldTasks::kMaxReleases) << second;
        EXPECT_FALSE(held.are_all(beside_another));
        const auto ids = held.to_release(alone, HeldTasks::Time(std::chrono::seconds(second)));
        if (ids.empty()) continue;
        EXPECT_EQ(ids, std::vector<std::string>{"1_0"});
        released_at.push_back(second);
    }
    EXPECT_EQ(released_at, (std::vector<int>{0, 5, 15, 35, 75}));
    EXPECT_FALSE(held.are_all({}));
}

TEST(FarmLock, SaysWhoRunsTheSweep) {
    const ScratchFolder folder;
    EXPECT_FALSE(FarmLock::holder(folder / "o").has_value());
    {
        const FarmLock lock(folder / "o");
        const auto holder = FarmLock::holder(folder / "o");
        ASSERT_TRUE(holder.has_value());
        EXPECT_EQ(holder->process, ::getpid());
        EXPECT_TRUE(holder->is_here());
        expect_says(error_of<InputError>([&] { FarmLock another(folder / "o"); }),
                    {std::to_string(::getpid()).c_str(), "cancel"});
    }
    EXPECT_FALSE(FarmLock::holder(folder / "o").has_value());
}

// Between fork and exec, a process that a sweep starts has the sweep's lock, too.
TEST(FarmLock, IsWaitedForWhenTheSweepWasKilled) {
    const ScratchFolder folder;
    const pid_t sweep = ::fork();
    if (sweep == 0) {
        const FarmLock lock(folder / "o");
        if (::fork() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ::_exit(0);
    }
    ::waitpid(sweep, nullptr, 0);
    EXPECT_TRUE(FarmLock::holder(folder / "o").has_value());
    const FarmLock lock(folder / "o");
    EXPECT_EQ(FarmLock::holder(folder / "o")->process, ::getpid());
}

TEST(Estimate, LimitsGrowWithVerticesAndSteps) {
    EXPECT_GT(estimated_seconds({20000, 1000}), 9 * estimated_seconds({2000, 1000}));
    EXPECT_GE(60 * time_limit_minutes({20000, 1000}), 5 * estimated_seconds({20000, 1000}));
    EXPECT_GT(memory_limit_megabytes({200000, 10}), 2 * memory_limit_megabytes({20000, 10}));
}

}  // namespace
}  // namespace rumple::farm
