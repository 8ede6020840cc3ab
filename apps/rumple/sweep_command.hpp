// The parts of `rumple sweep` that have files of their own.
#pragma once

#include <CLI/CLI.hpp>
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
    farm::SlurmOptions slurm;
};
// All but --threads, which commands have already.
void add_engine_options(CLI::App& command, EngineArguments& arguments);

// Runs a sweep whose plan is in `out`, or submits it. SimulationError: jobs failed, or were not finished.
void run_engine(const std::filesystem::path& out, const farm::Plan& plan, const EngineArguments& arguments,
                bool quiet);
// InputError: the engine is not there. Before anything is written.
void require_engine(const std::filesystem::path& out, const EngineArguments& arguments);

// Runs the scenes that experiments of these names will ask for, as jobs of an engine, into the folders in
// which they will look for them. SimulationError: jobs failed.
void run_experiments_ahead(const std::vector<std::string>& names, const std::string& size,
                           const std::filesystem::path& out, const EngineArguments& arguments, bool quiet);

// rumple sweep task, status, cancel, collect
void add_sweep_subcommands(CLI::App& sweep);

}  // namespace rumple
