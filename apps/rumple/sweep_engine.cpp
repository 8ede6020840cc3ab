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

// Of the jobs and, while they are made, of the beginnings: a sweep starts with these.
std::string in_words(const farm::Plan& plan, const std::vector<farm::JobState>& states) {
    std::string words = in_words(farm::count(plan, states, false));
    const farm::FarmCounts beginnings = farm::count(plan, states, true);
    if (!beginnings.ended())
        words +=
            fmt::format("; {} of {} beginnings", beginnings.complete + beginnings.failed, beginnings.all());
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
    options.command = [&](const farm::Job& job) {
        return std::vector<std::string>{program,
                                        "sweep",
                                        "task",
                                        out.string(),
                                        job.folder,
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
                      in_words(plan, states));
    };
    return farm::run_local(out, plan, options);
}

// Polls the folders until all jobs have ended. Tasks that Slurm could not start are released; those that it
// has lost are submitted again, unless nothing came of it kMaxRounds times.
class SlurmWait {
  public:
    SlurmWait(const fs::path& out, const farm::Plan& plan, const farm::SlurmQueue& queue,
              const farm::SlurmOptions& options)
        : out_(out), plan_(plan), queue_(queue), options_(options), states_(farm::states_of(out, plan)) {}

    std::vector<farm::JobState> run(Progress& progress) {
        const SignalGuard guard;
        for (;;) {
            const auto begin = std::chrono::steady_clock::now();
            const farm::FarmCounts counts = look();
            progress.show(static_cast<double>(counts.complete + counts.failed) / std::max(1, counts.all()),
                          in_words(plan_, states_));
            if (counts.ended() || stop_requested != 0 || !submit_lost()) return states_;
            // A slow file system is not asked all the time.
            const auto took = std::chrono::steady_clock::now() - begin;
            pause(std::max<std::chrono::steady_clock::duration>(kPollEvery, 10 * took));
        }
    }

  private:
    farm::FarmCounts look() {
        farm::update_states(out_, plan_, states_);
        return farm::count(plan_, states_, false);
    }
    // False: there is no use in waiting.
    bool submit_lost() {
        try {
            const std::vector<farm::SlurmTask> tasks = queue_.tasks();
            if (held_.are_all(tasks)) return false;
            queue_.release(held_.to_release(tasks, std::chrono::steady_clock::now()));
            if (!tasks.empty()) return true;
            const farm::FarmCounts counts = look();  // the last may have ended since
            if (counts.ended()) return true;
            const int ended = counts.complete + counts.failed;
            rounds_ = ended > ended_before_ ? 0 : rounds_ + 1;
            ended_before_ = ended;
            if (rounds_ > kMaxRounds) return false;
            queue_.submit(plan_, options_);
        } catch (const SimulationError&) {  // the controller may be restarting
        }
        return true;
    }
    static void pause(std::chrono::steady_clock::duration duration) {
        const auto end = std::chrono::steady_clock::now() + duration;
        while (stop_requested == 0 && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }

    const fs::path& out_;
    const farm::Plan& plan_;
    const farm::SlurmQueue& queue_;
    const farm::SlurmOptions& options_;
    std::vector<farm::JobState> states_;
    farm::HeldTasks held_;
    int rounds_ = 0, ended_before_ = -1;
};

farm::SlurmOptions with_command(const EngineArguments& arguments) {
    farm::SlurmOptions options = arguments.slurm;
    options.command = fmt::format("{} sweep task \"$out\" \"$job\" --threads $cpus",
                                  farm::in_shell_quotes(this_program().string()));
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
    command.add_flag("--retry-failed", arguments.retry_failed, "try jobs again that failed before");
    command.add_flag("--wait", arguments.wait,
                     "slurm: wait until all jobs have ended, and collect the table");
}

void require_engine(const fs::path& out, const EngineArguments& arguments) {
    if (arguments.engine != "slurm") return;
    farm::require_free_options(arguments.slurm.extra);
    const farm::SlurmQueue queue(out, arguments.slurm.partition);
}

std::optional<farm::FarmCounts> run_engine(const fs::path& out, const farm::Plan& plan,
                                           const EngineArguments& arguments, bool quiet) {
    const farm::FarmLock lock(out);
    farm::write_plan(out, plan);
    if (arguments.retry_failed) farm::forget_failures(out, plan);
    Progress progress(quiet);
    std::vector<farm::JobState> states;
    if (arguments.engine == "slurm") {
        const farm::SlurmQueue queue(out, arguments.slurm.partition);
        const farm::SlurmOptions options = with_command(arguments);
        queue.release(farm::HeldTasks().to_release(queue.tasks(), std::chrono::steady_clock::now()));
        const int submitted = queue.submit(plan, options);
        if (!quiet) fmt::print("{} tasks submitted as {}\n", submitted, queue.name());
        if (!arguments.wait) return std::nullopt;
        std::fflush(stdout);
        states = SlurmWait(out, plan, queue, options).run(progress);
    } else {
        states = run_here(out, plan, arguments, progress);
    }
    progress.finish();
    const farm::FarmCounts counts = farm::count(plan, states, false);
    if (!plan.keys.empty()) write_atomically(out / "results.csv", to_csv(farm::collect_results(out, plan)));
    if (!quiet) fmt::print("{}\n", in_words(counts));
    return counts;
}

void require_ended(const farm::FarmCounts& counts, const fs::path& out, bool failures_count) {
    const int open = counts.running + counts.waiting;
    if (open == 0 && (failures_count || counts.failed == 0)) return;
    throw SimulationError(fmt::format(
        "{} of {} jobs failed and {} have not ended; see rumple sweep status {}, run the same sweep again to "
        "continue",
        counts.failed, counts.all(), open, out.string()));
}

}  // namespace rumple
