// rumple sweep as a user calls it: local processes, kills, bad input, and a Slurm of shell scripts.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweep = R"({"scene": "scene.json", "grid": {"phases.hold.hold": [1, 10, 100]},
                                  "seeds": {"key": "cloths.tube.imperfection.seed", "count": 2}})";

class SweepCommand : public testing::Test {
  protected:
    void SetUp() override {
        nlohmann::json scene = small_twist_document();
        scene["phases"][2]["steps"] = 60;  // long enough to be killed on the way
        spill(folder / "scene.json", scene.dump());
        spill(folder / "sweep.json", kSweep);
    }
    Ended sweep(std::vector<std::string> arguments, double kill_after = -1) {
        arguments.insert(arguments.begin(), "sweep");
        return run_program(arguments, folder.path(), kill_after);
    }
    // A path with these programs before all others, or with these alone.
    void put_program(const std::string& name, const std::string& text) {
        fs::create_directories(folder / "bin");
        spill(folder / ("bin/" + name), "#!/bin/sh\n" + text + "\n");
        ::chmod((folder / ("bin/" + name)).c_str(), 0755);
    }
    ScratchFolder folder;
};

class PathGuard {
  public:
    explicit PathGuard(const std::string& path) : old_(std::getenv("PATH")) {
        ::setenv("PATH", path.c_str(), 1);
    }
    ~PathGuard() { ::setenv("PATH", old_.c_str(), 1); }

  private:
    std::string old_;
};

// A file that is locked while this lives.
class LockOfAnother {
  public:
    explicit LockOfAnother(const fs::path& path)
        : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        struct flock range {};
        range.l_type = F_WRLCK;
        range.l_whence = SEEK_SET;
        EXPECT_EQ(::fcntl(descriptor_, F_OFD_SETLK, &range), 0);
    }
    ~LockOfAnother() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    LockOfAnother(LockOfAnother&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

  private:
    int descriptor_;
};

// The children of a process, by /proc.
std::vector<pid_t> children_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
    std::vector<pid_t> children;
    for (pid_t child = 0; file >> child;) children.push_back(child);
    return children;
}

TEST_F(SweepCommand, KilledJobsAndKilledSweepsLoseNothing) {
    ASSERT_EQ(sweep({"sweep.json", "--out", "straight", "--quiet"}).status, 0);
    const std::string table = slurp(folder / "straight/results.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7);
    EXPECT_EQ(table.find("waiting"), std::string::npos);

    const unsigned seed = std::random_device()();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i)  // the sweep itself
        sweep({"sweep.json", "--out", "killed", "--quiet", "--jobs", "2"},
              std::uniform_real_distribution(0.02, 0.12)(random));
    const pid_t process = ::fork();
    if (process == 0) {
        const bool there = ::chdir(folder.path().c_str()) == 0;
        ::execl(RUMPLE_PROGRAM, "rumple", "sweep", "sweep.json", "--out", "killed", "--quiet", nullptr);
        ::_exit(there ? 99 : 98);
    }
    int status = 0, kills = 0;
    while (::waitpid(process, &status, WNOHANG) == 0) {  // its jobs
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        for (const pid_t job : children_of(process))
            if (kills < 3) kills += ::kill(job, SIGKILL) == 0;
    }
    ASSERT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(slurp(folder / "killed/results.csv"), table);
    for (const auto& job : fs::directory_iterator(folder / "straight/jobs"))
        expect_same_files(job.path(), folder / "killed/jobs" / job.path().filename());
}

// As when the jobs of a sweep that was killed have not died yet.
TEST_F(SweepCommand, WaitsForJobsThatAnotherProcessHas) {
    ASSERT_EQ(sweep({"sweep.json", "--out", "o", "--quiet", "--plan-only"}).status, 0);
    std::vector<fs::path> locks;
    std::istringstream jobs(slurp(folder / "o/jobs.jsonl"));
    for (std::string line; std::getline(jobs, line);) {
        const fs::path job = folder / "o" / nlohmann::json::parse(line).at("folder").get<std::string>();
        fs::create_directories(job);
        locks.push_back(job / "job.lock");
    }
    ASSERT_EQ(locks.size(), 8u);
    std::vector<LockOfAnother> others(locks.begin(), locks.end());
    std::thread death([&others] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        others.clear();
    });
    const Ended ended = sweep({"sweep.json", "--out", "o", "--quiet"});
    death.join();
    EXPECT_EQ(ended.status, 0) << ended.err;
    const std::string table = slurp(folder / "o/results.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7);
    EXPECT_EQ(table.find("waiting"), std::string::npos);
}

TEST_F(SweepCommand, CollectsATableAPageAndPlots) {
    ASSERT_EQ(sweep({"sweep.json", "--out", "o", "--quiet"}).status, 0);
    const Ended status = sweep({"status", "o"});
    EXPECT_EQ(status.status, 0);
    EXPECT_NE(status.out.find("jobs               6        0        0        0"), std::string::npos)
        << status.out;
    const Ended collected =
        sweep({"collect", "o", "--tiles", "0", "--plot", "angle_change_rms:phases.hold.hold"});
    ASSERT_EQ(collected.status, 0) << collected.err;
    const std::string page = slurp(folder / "o/report.html");
    EXPECT_NE(page.find("6 of 6 runs are complete"), std::string::npos);
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "o/plots/angle_change_rms-phases.hold.hold.svg"));
    expect_refused(sweep({"collect", "o", "--plot", "angle_change:phases.hold.hold"}), {"angle_change"});
    // A node of another kind.
    const fs::path job = fs::directory_iterator(folder / "o/jobs")->path() / "job.json";
    const std::string note = slurp(job);
    std::string other = note;
    other.insert(other.find("\"processors\": [") + 15, "\"Other 9000\", ");
    spill(job, other);
    const Ended mixed = sweep({"collect", "o", "--tiles", "0"});
    EXPECT_NE(mixed.err.find("2 kinds of processors"), std::string::npos) << mixed.err;
    EXPECT_NE(slurp(folder / "o/results.csv").find("Other 9000 + "), std::string::npos);
    EXPECT_NE(slurp(folder / "o/report.html").find("class=\"warning\""), std::string::npos);
    spill(job, note);
    // Nothing runs twice.
    const auto written = fs::last_write_time(folder / "o/jobs");
    ASSERT_EQ(sweep({"sweep.json", "--out", "o", "--quiet"}).status, 0);
    EXPECT_EQ(fs::last_write_time(folder / "o/jobs"), written);
}

TEST_F(SweepCommand, BadInputLeavesNothingBehind) {
    spill(folder / "bad.json", R"({"scene": "scene.json", "grid": {"phases.hold.hodl": [1]}})");
    expect_refused(sweep({"bad.json", "--out", "o"}), {"hodl"});
    spill(
        folder / "large.json",
        R"({"scene": "scene.json", "random": {"count": 99999, "keys": {"step.h": {"from": 0.01, "to": 0.02}}},
              "seeds": {"key": "cloths.tube.imperfection.seed", "count": 10000}})");
    expect_refused(sweep({"large.json", "--out", "o"}), {"1e+09 points"});
    expect_refused(sweep({"none.json", "--out", "o"}), {"none.json"});
    expect_refused(sweep({"status", "o"}), {"not the folder of a sweep"});
    expect_refused(sweep({"sweep.json", "--out", "o", "--engine", "slurm", "--sbatch=--array=0-9"}),
                   {"--array", "itself"});
    {
        const PathGuard path("/nowhere");
        expect_refused(sweep({"sweep.json", "--out", "o", "--engine", "slurm"}), {"no sbatch"});
    }
    put_program("sinfo", "echo day");
    for (const char* name : {"sbatch", "squeue", "scancel"}) put_program(name, "touch submitted; exit 1");
    const PathGuard path((folder / "bin").string() + ":/usr/bin:/bin");
    expect_refused(sweep({"sweep.json", "--out", "o", "--engine", "slurm", "--partition", "night"}),
                   {"night", "there is day"});
    EXPECT_FALSE(fs::exists(folder / "submitted"));
    EXPECT_FALSE(fs::exists(folder / "o"));
}

// sbatch runs every task at once; squeue has nothing to tell.
TEST_F(SweepCommand, SlurmScriptsGiveTheSameTable) {
    put_program("sinfo", "echo day");
    put_program("squeue", "exit 0");
    put_program("scancel", "exit 0");
    put_program(
        "sbatch",
        "for last; do :; done\nn=$(grep -o 'array=0-[0-9]*' \"$last\" | cut -d- -f2)\n"
        "for i in $(seq 0 $n); do SLURM_ARRAY_TASK_ID=$i bash \"$last\" >> tasks.log 2>&1; done\necho 17");
    const PathGuard path((folder / "bin").string() + ":/usr/bin:/bin");
    ASSERT_EQ(sweep({"sweep.json", "--out", "local", "--quiet"}).status, 0);
    const Ended ended = sweep({"sweep.json", "--out", "slurm", "--quiet", "--engine", "slurm", "--wait"});
    ASSERT_EQ(ended.status, 0) << ended.err << slurp(folder / "tasks.log");
    EXPECT_EQ(slurp(folder / "slurm/results.csv"), slurp(folder / "local/results.csv"));
    // One array of two beginnings, then one for each of them.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "slurm/slurm"), fs::directory_iterator()), 3);
    EXPECT_NE(slurp(folder / "slurm/slurm/0003.sbatch").find("afterok:17_1"), std::string::npos);
    expect_refused(sweep({"task", "slurm", "jobs/none"}), {"jobs/none", "no such job"});
}

}  // namespace
}  // namespace rumple
