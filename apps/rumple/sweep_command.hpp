// The parts of `rumple sweep` that have files of their own.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/slurm_engine.hpp>
#include <string>
#include <vector>

namespace rumple {

// Which engine runs a sweep, and with what.
struct EngineArguments {
    std::string engine = "local";
    int jobs = 0;     // local: at a time; 0: one a core
    int threads = 0;  // of one job; 0: the cores that are left for it
    bool wait = false;
    bool retry_failed = false;
    farm::SlurmOptions slurm;
};
// All but --threads, which commands have already.
void add_engine_options(CLI::App& command, EngineArguments& arguments);

// Writes the plan into `out` and runs it, or submits it. Returns how many jobs have ended how; nothing: they
// were submitted, and nobody waits for them. SimulationError: a process cannot be started, sbatch fails.
std::optional<farm::FarmCounts> run_engine(const std::filesystem::path& out, const farm::Plan& plan,
                                           const EngineArguments& arguments, bool quiet);
// SimulationError: some have not ended, or, unless `failures_count`, failed.
void require_ended(const farm::FarmCounts& counts, const std::filesystem::path& out, bool failures_count);
// InputError: the engine is not there, or its options are wrong. Before anything is written.
void require_engine(const std::filesystem::path& out, const EngineArguments& arguments);

// Runs the scenes that experiments of these names will ask for, as jobs of an engine, into the folders in
// which they will look for them. SimulationError: not all jobs ended. One that failed has: the experiment
// will judge it.
void run_experiments_ahead(const std::vector<std::string>& names, const std::string& size,
                           const std::filesystem::path& out, const EngineArguments& arguments, bool quiet);

// What an experiment would run, by estimate. Runs in memory are not counted.
struct PlannedExperiment {
    std::string name;
    std::size_t runs = 0;       // jobs: variants share their beginnings, which are jobs as well
    std::int64_t vertices = 0;  // of the largest
    std::int64_t steps = 0;     // of all
    double seconds = 0;         // on one core, of all
    double longest = 0;         // of one job
};
std::vector<PlannedExperiment> plan_experiments(const std::vector<std::string>& names,
                                                const std::string& size);

// rumple sweep task, status, cancel, collect
void add_sweep_subcommands(CLI::App& sweep);

}  // namespace rumple
