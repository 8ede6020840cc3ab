// Options that `run`, `dress` and `reproduce` have in common, and what they do with a run.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <rumple/sim/run.hpp>
#include <string>
#include <vector>

#include "event_stream.hpp"

namespace rumple {

struct CommonRunArguments {
    int threads = 0;
    std::string backend = "cpu";
    bool resume = false, quiet = false, events = false;

    bool prints() const { return !quiet && !events; }
};

void add_threads_option(CLI::App& command, int& threads);
void add_backend_option(CLI::App& command, std::string& backend);
void add_resume_option(CLI::App& command, CommonRunArguments& arguments);
// --quiet and --events
void add_output_flags(CLI::App& command, CommonRunArguments& arguments,
                      const std::string& quiet = "print only errors");

Backend backend_of(const std::string& name);  // "cpu", "cuda" or "auto"

// The warnings of all variants, each once. A warning that only some variants have names them.
std::vector<std::string> merged_warnings(const std::vector<Scene>& variants);
void report_warnings(const std::vector<Scene>& variants, const CommonRunArguments& arguments,
                     EventStream& events);

// Runs with progress on the terminal, or as events. SimulationError with advice how to continue when the run
// could not write its files. A variant that fails is reported in its result.
std::vector<RunResult> run_and_report(const std::vector<Scene>& scenes, const std::filesystem::path& out,
                                      const CommonRunArguments& arguments, EventStream& events,
                                      std::optional<double> checkpoint_seconds = std::nullopt);
// SimulationError for the first variant that failed; all of them are events.
void require_success(const std::vector<RunResult>& results, EventStream& events);

}  // namespace rumple
