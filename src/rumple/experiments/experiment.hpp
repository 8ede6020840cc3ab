// The paper's experiments as programs: each has a scene to look at and edit, runs at several sizes, and turns
// the paper's claims into numbers with verdicts.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <rumple/experiments/claim.hpp>
#include <rumple/sim/run.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class Size {
    smoke,  // seconds: does it run?
    draft,  // a laptop, minutes
    paper   // the paper's mesh sizes
};

// What an experiment is run with, and how it runs scenes: into folders below `out`, going on where an
// interrupted run of the same scene stopped.
class Workbench {
  public:
    using Progress = std::function<void(const std::string& what, double fraction)>;

    Workbench(Size size, std::filesystem::path out, int threads, Progress progress)
        : size_(size), out_(std::move(out)), threads_(threads), progress_(std::move(progress)) {}

    Size size() const { return size_; }
    const std::filesystem::path& out() const { return out_; }

    // Runs all variants of a scene into out/<folder>. Throws SimulationError when one of them fails.
    std::vector<RunResult> run(const nlohmann::json& scene, const std::string& folder) const;
    // The same in memory, with somebody looking on at every step.
    std::vector<RunResult> watch(const nlohmann::json& scene, const std::string& what,
                                 RunObserver& observer) const;

    // Columns of numbers into out/<name>.csv, for plots.
    void write_table(const std::string& name, const std::vector<std::string>& columns,
                     const std::vector<std::vector<double>>& rows) const;

  private:
    Size size_;
    std::filesystem::path out_;  // empty: no files
    int threads_;
    Progress progress_;
};

struct Experiment {
    std::string name;
    std::string summary;        // one line
    std::string draft_time;     // expected on two cores, e.g. "2 min"
    nlohmann::json (*scene)();  // to run by name and to edit
    std::vector<Claim> (*reproduce)(const Workbench&);
};

const std::vector<Experiment>& experiments();
const Experiment* find_experiment(const std::string& name);  // nullptr when there is none

// Runs one experiment and writes verdict.json (when there is a folder).
std::vector<Claim> reproduce(const Experiment& experiment, const Workbench& bench);

}  // namespace rumple
