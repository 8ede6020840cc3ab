// rumple sweep task, status, cancel, collect
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <experiments/sweep_report.hpp>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/sim/run_archive.hpp>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/process.hpp>
#include <rumple_farm/results.hpp>
#include <thread>

#include "sweep_command.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFaultsShown = 10;
constexpr std::chrono::seconds kCancelPatience{60};

struct FolderArguments {
    std::string out;
};

void add_folder_option(CLI::App& command, std::string& out) {
    command.add_option("FOLDER", out, "folder of the sweep: its --out")->required();
}

// One job, in a process of its own. A job whose sweep is killed ends with it.
void add_task(CLI::App& sweep) {
    struct Arguments {
        std::string out, job;
        int parent = 0;
        farm::JobOptions options;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = sweep.add_subcommand("task", "Run one job of a sweep, as the engines do");
    add_folder_option(*command, arguments->out);
    command->add_option("JOB", arguments->job, "its folder below that of the sweep, as in jobs.jsonl")
        ->required();
    command->add_option("--threads", arguments->options.threads, "threads")->check(CLI::Range(0, 1024));
    command
        ->add_option("--checkpoint-every", arguments->options.checkpoint_seconds,
                     "seconds between checkpoints")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--parent", arguments->parent, "end with this process");
    command->callback([arguments] {
        if (arguments->parent > 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != arguments->parent)
                throw SimulationError("the sweep that started this job has ended");
        }
        const fs::path out = fs::absolute(arguments->out);
        if (farm::run_job(out, arguments->job, arguments->options) != farm::JobState::failed) return;
        throw SimulationError(
            fmt::format("{}: the run failed; rumple sweep status says why", arguments->job));
    });
}

void print_counts(const char* what, const farm::FarmCounts& counts) {
    fmt::print("{:<11} {:>8} {:>8} {:>8} {:>8}\n", what, counts.complete, counts.failed, counts.running,
               counts.waiting);
}

void print_faults(const fs::path& out, const farm::Plan& plan, const std::vector<farm::JobState>& states) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i] != farm::JobState::failed || plan.jobs[i].is_beginning() || shown == kFaultsShown)
            continue;
        const auto note = farm::read_note(out / plan.jobs[i].folder);
        std::string fault = note ? note->fault : "";
        const RunArchive archive(out / plan.jobs[i].folder);
        if (fault.empty() && archive.summary()) fault = archive.summary()->failure;
        fmt::print("failed: {}: {}\n", plan.jobs[i].folder, fault);
        ++shown;
    }
}

void print_queue(const fs::path& out) {
    std::error_code ignored;
    if (!fs::exists(out / "slurm", ignored) || !farm::find_program("squeue")) return;
    try {
        const farm::SlurmQueue queue(out);
        const std::vector<farm::SlurmTask> tasks = queue.tasks();
        const std::int64_t running = farm::count(tasks, farm::SlurmTaskState::running);
        const std::int64_t held = farm::count(tasks, farm::SlurmTaskState::held);
        fmt::print("Slurm ({}): {} tasks running, {} queued\n", queue.name(), running,
                   std::ssize(tasks) - running - held);
        if (held > 0)
            fmt::print(
                "Slurm could not start {} tasks and holds them: see scontrol show job, and run the same "
                "sweep again\n",
                held);
    } catch (const std::runtime_error& error) {
        fmt::print("Slurm: {}\n", error.what());
    }
}

// What jobs printed: nothing, unless something is wrong.
void print_logs(const fs::path& out) {
    std::vector<fs::path> logs{out / "local.log"};
    std::error_code ignored;
    for (fs::directory_iterator entry(out / "slurm", ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (entry->path().extension() == ".log") logs.push_back(entry->path());
    std::sort(logs.begin(), logs.end());
    std::size_t shown = 0;
    for (const fs::path& log : logs) {
        const auto size = fs::file_size(log, ignored);
        if (ignored || size == 0 || ++shown > kFaultsShown) continue;
        fmt::print("printed by jobs: {}\n", log.string());
    }
}

void add_status(CLI::App& sweep) {
    auto arguments = std::make_shared<FolderArguments>();
    CLI::App* command = sweep.add_subcommand("status", "How far a sweep is");
    add_folder_option(*command, arguments->out);
    command->callback([arguments] {
        const fs::path out = fs::absolute(arguments->out);
        const farm::Plan plan = farm::read_plan(out);
        const std::vector<farm::JobState> states = farm::states_of(out, plan);
        fmt::print("{:<11} {:>8} {:>8} {:>8} {:>8}\n", "", "complete", "failed", "running", "waiting");
        print_counts("jobs", farm::count(plan, states, false));
        print_counts("beginnings", farm::count(plan, states, true));
        print_faults(out, plan, states);
        if (const auto holder = farm::FarmLock::holder(out))
            fmt::print("run by process {} on {}\n", holder->process, holder->machine);
        print_logs(out);
        print_queue(out);
    });
}

// Waits until the process that runs the sweep has ended its jobs.
void end_holder(const fs::path& out, const farm::FarmLock::Holder& holder) {
    if (!holder.is_here())
        throw InputError(out.string(),
                         fmt::format("process {} on {} runs this sweep", holder.process, holder.machine),
                         "cancel it there");
    ::kill(holder.process, SIGTERM);
    const auto end = std::chrono::steady_clock::now() + kCancelPatience;
    while (farm::FarmLock::holder(out) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (farm::FarmLock::holder(out))
        throw SimulationError(fmt::format("process {} has not ended yet", holder.process));
}

void add_cancel(CLI::App& sweep) {
    auto arguments = std::make_shared<FolderArguments>();
    CLI::App* command = sweep.add_subcommand("cancel", "End the jobs of a sweep; what they did stays");
    add_folder_option(*command, arguments->out);
    command->callback([arguments] {
        const fs::path out = fs::absolute(arguments->out);
        (void)farm::read_plan(out);  // it is one
        // First who would submit what is cancelled again.
        const auto holder = farm::FarmLock::holder(out);
        if (holder) end_holder(out, *holder);
        std::error_code ignored;
        const bool submitted = fs::exists(out / "slurm", ignored);
        if (submitted) farm::SlurmQueue(out).cancel();
        fmt::print("{}\n", holder || submitted ? "ended; the same sweep continues where it was"
                                               : "nothing of this sweep is running");
    });
}

void add_collect(CLI::App& sweep) {
    struct Arguments {
        std::string out;
        std::vector<std::string> plots;
        SweepReportOptions options;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command =
        sweep.add_subcommand("collect", "One table, plots, a contact sheet and a page of a sweep");
    add_folder_option(*command, arguments->out);
    command
        ->add_option("--plot", arguments->plots, "measure:key, like recovery:phases.hold.hold (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--tiles", arguments->options.max_tiles, "pictures in the contact sheet (0: none)")
        ->check(CLI::Range(0, 200))
        ->capture_default_str();
    command->add_option("--threads", arguments->options.threads, "threads")->check(CLI::Range(0, 1024));
    command->callback([arguments] {
        for (const std::string& plot : arguments->plots) {
            const std::size_t colon = plot.find(':');
            if (colon == std::string::npos)
                throw InputError("--plot " + plot, "this is not a plot", "write measure:key");
            arguments->options.plots.emplace_back(plot.substr(0, colon), plot.substr(colon + 1));
        }
        const fs::path out = fs::absolute(arguments->out);
        const farm::Plan plan = farm::read_plan(out);
        const farm::ResultTable table = farm::collect_results(out, plan);
        const fs::path page = write_sweep_report(out, plan, table, arguments->options);
        if (table.processors().size() > 1)
            fmt::print(stderr,
                       "warning: the runs were made on {} kinds of processors; see the column processor\n",
                       table.processors().size());
        fmt::print("table: {}\npage:  {}\n", (out / "results.csv").string(), page.string());
    });
}

}  // namespace

void add_sweep_subcommands(CLI::App& sweep) {
    add_task(sweep);
    add_status(sweep);
    add_cancel(sweep);
    add_collect(sweep);
}

}  // namespace rumple
