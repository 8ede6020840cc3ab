// What engines have in common: how a job is started, and how far a sweep is.
#pragma once

#include <filesystem>
#include <functional>
#include <rumple_farm/job.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

struct FarmCounts {
    int complete = 0, failed = 0, running = 0, waiting = 0;

    int all() const { return complete + failed + running + waiting; }
    bool ended() const { return running == 0 && waiting == 0; }
    void add(JobState state);
};

// The state of every job, by its folder.
std::vector<JobState> states_of(const std::filesystem::path& out, const Plan& plan);
// Looks again at those that had not ended.
void update_states(const std::filesystem::path& out, const Plan& plan, std::vector<JobState>& states);
// Jobs that failed are to be tried again: their notes are removed.
void forget_failures(const std::filesystem::path& out, const Plan& plan);
// Which jobs are to be run: what has not ended, without beginnings that nobody waits for.
std::vector<bool> needed_jobs(const Plan& plan, const std::vector<JobState>& states);
FarmCounts count(const Plan& plan, const std::vector<JobState>& states, bool beginnings);

// The program and arguments that run a job. Engines start processes; the caller knows the command line.
using JobCommand = std::function<std::vector<std::string>(const Job&)>;

struct LocalOptions {
    int jobs = 1;  // at a time
    JobCommand command;
    std::function<bool()> stop;                              // asked often; true: end what runs, and return
    std::function<void(const std::vector<JobState>&)> show;  // after each change
};
// Runs what has not ended, in processes on this machine: one that is killed is started again, up to
// kMaxTries times, and continues from its checkpoint. Returns the states in the end. SimulationError: no
// process can be started.
std::vector<JobState> run_local(const std::filesystem::path& out, const Plan& plan,
                                const LocalOptions& options);
inline constexpr int kMaxTries = 5;

}  // namespace rumple::farm
