// Running a sweep: processes here, or job arrays of Slurm.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/results.hpp>
#include <thread>

#include "progress.hpp"
#include "sweep_command.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr auto kPollEvery = std::chrono::seconds(2);
constexpr int kMaxRounds = 5;  // submissions of what Slurm has lost, while waiting

volatile std::sig_atomic_t stop_requested = 0;
void request_stop(int) { stop_requested = 1; }

// While it lives, ^C and `cancel` end the jobs first.
class SignalGuard {
  public:
    SignalGuard()
        : interrupt_(std::signal(SIGINT, request_stop)), terminate_(std::signal(SIGTERM, request_stop)) {}
    ~SignalGuard() {
        std::signal(SIGINT, interrupt_);
        std::signal(SIGTERM, terminate_);
    }
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

  private:
    void (*interrupt_)(int);
    void (*terminate_)(int);
};

std::string in_words(const farm::FarmCounts& counts) {
    std::string words = fmt::format("{} of {} complete", counts.complete, counts.all());
    if (counts.failed > 0) words += fmt::format(", {} failed", counts.failed);
    if (counts.running > 0) words += fmt::format(", {} running", counts.running);
    return words;
}

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

std::vector<farm::JobState> run_here(const fs::path& out, const farm::Plan& plan,
                                     const EngineArguments& arguments, Progress& progress) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    farm::LocalOptions options;
    options.jobs = arguments.jobs > 0 ? arguments.jobs : cores;
    const int threads = arguments.threads > 0 ? arguments.threads : std::max(1, cores / options.jobs);
    const std::string program = this_program().string();
    options.command = [&](int id) {
        return std::vector<std::string>{program,
                                        "sweep",
                                        "task",
                                        out.string(),
                                        std::to_string(id),
                                        "--threads",
                                        std::to_string(threads),
                                        "--parent",
                                        std::to_string(::getpid())};
    };
    const SignalGuard guard;
    options.stop = [] { return stop_requested != 0; };
    options.show = [&](const std::vector<farm::JobState>& states) {
        const auto ended = std::count_if(states.begin(), states.end(), farm::has_ended);
        progress.show(static_cast<double>(ended) / static_cast<double>(states.size()),
                      in_words(farm::count(plan, states, false)));
    };
    return farm::run_local(out, plan, options);
}

// Polls the folders until all jobs have ended. Tasks that Slurm has lost are submitted again.
std::vector<farm::JobState> wait_for_slurm(const fs::path& out, const farm::Plan& plan,
                                           const farm::SlurmQueue& queue, const farm::SlurmOptions& options,
                                           Progress& progress) {
    const SignalGuard guard;
    for (int round = 0;;) {
        const std::vector<farm::JobState> states = farm::states_of(out, plan);
        const farm::FarmCounts counts = farm::count(plan, states, false);
        progress.show(static_cast<double>(counts.complete + counts.failed) / std::max(1, counts.all()),
                      in_words(counts));
        if (counts.ended() || stop_requested != 0) return states;
        bool lost = false;
        try {
            lost = queue.tasks().empty() && !farm::count(plan, farm::states_of(out, plan), false).ended();
        } catch (const SimulationError&) {  // the controller may be restarting
        }
        if (lost && round == kMaxRounds) return states;
        if (lost) ++round, queue.submit(plan, options);
        std::this_thread::sleep_for(kPollEvery);
    }
}

farm::SlurmOptions with_command(const EngineArguments& arguments) {
    farm::SlurmOptions options = arguments.slurm;
    options.command = fmt::format("'{}' sweep task \"$out\" $job --threads $cpus", this_program().string());
    return options;
}

}  // namespace

void add_engine_options(CLI::App& command, EngineArguments& arguments) {
    command.add_option("--engine", arguments.engine, "local: processes on this machine; slurm: job arrays")
        ->check(CLI::IsMember({"local", "slurm"}))
        ->capture_default_str();
    command.add_option("--jobs", arguments.jobs, "local: jobs at a time (0: one a core)")
        ->check(CLI::Range(0, 4096));
    command.add_option("--partition", arguments.slurm.partition, "slurm: partition (default: the cluster's)");
    command.add_option("--cpus", arguments.slurm.cpus, "slurm: cores of one job")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command
        .add_option("--max-running", arguments.slurm.max_running,
                    "slurm: tasks of one array at a time (0: no limit)")
        ->check(CLI::Range(0, 100000));
    command.add_option("--minutes", arguments.slurm.minutes, "slurm: time limit of a job (0: by estimate)")
        ->check(CLI::Range(0, 100000));
    command.add_option("--megabytes", arguments.slurm.megabytes, "slurm: memory of a job (0: by estimate)")
        ->check(CLI::Range(0, 100000000));
    command
        .add_option("--sbatch", arguments.slurm.extra,
                    "slurm: a further option, like --account=lab (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command.add_flag("--wait", arguments.wait,
                     "slurm: wait until all jobs have ended, and collect the table");
}

void require_engine(const fs::path& out, const EngineArguments& arguments) {
    if (arguments.engine == "slurm") farm::SlurmQueue(out, arguments.slurm.partition);
}

void run_engine(const fs::path& out, const farm::Plan& plan, const EngineArguments& arguments, bool quiet) {
    const farm::FarmLock lock(out);
    Progress progress(quiet);
    std::vector<farm::JobState> states;
    if (arguments.engine == "slurm") {
        const farm::SlurmQueue queue(out, arguments.slurm.partition);
        const farm::SlurmOptions options = with_command(arguments);
        const int submitted = queue.submit(plan, options);
        if (!quiet) fmt::print("{} tasks submitted as {}\n", submitted, queue.name());
        if (!arguments.wait) return;
        std::fflush(stdout);
        states = wait_for_slurm(out, plan, queue, options, progress);
    } else {
        states = run_here(out, plan, arguments, progress);
    }
    progress.finish();
    const farm::FarmCounts counts = farm::count(plan, states, false);
    if (!plan.keys.empty()) write_atomically(out / "results.csv", to_csv(farm::collect_results(out, plan)));
    if (!quiet) fmt::print("{}\n", in_words(counts));
    if (counts.complete == counts.all()) return;
    throw SimulationError(fmt::format(
        "{} of {} jobs failed and {} have not ended; see rumple sweep status {}, run the same sweep again to "
        "continue",
        counts.failed, counts.all(), counts.running + counts.waiting, out.string()));
}

}  // namespace rumple
