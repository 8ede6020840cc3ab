// Slurm: jobs of a sweep as job arrays. Jobs that continue the same beginning are one array, which waits for
// the one task that makes it.
//
// Nothing is remembered between calls but the scripts: squeue says which tasks are queued or running, by the
// sweep's name and the number of the script in their comment, and the folders say what has ended.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <rumple_farm/engine.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace rumple::farm {

struct SlurmOptions {
    std::string partition;             // empty: the cluster's default
    int cpus = 1;                      // of one job
    int max_running = 0;               // tasks of one array at a time; 0: as many as the cluster allows
    int minutes = 0, megabytes = 0;    // limits of one job; 0: by estimate
    std::vector<std::string> extra{};  // further lines after #SBATCH, e.g. "--account=lab"
    std::string command;               // shell text that runs job "$job" with $cpus threads
};

// One job array.
struct SlurmArray {
    int number = 0;                 // of its script
    std::vector<std::string> jobs;  // folders; the task of index i runs jobs[i]
    std::string after;              // the task that it waits for, e.g. "17_3"; empty: none
    JobCost cost;                   // the largest
};
// Text for the shell, as one word.
std::string in_shell_quotes(const std::string& text);
std::string array_script(const std::string& name, const std::filesystem::path& out, const SlurmArray& array,
                         const SlurmOptions& options);

// InputError: a further option that a sweep sets itself, or that is none.
void require_free_options(const std::vector<std::string>& extra);

// Slurm's default limit on the index of a task is 1001.
inline constexpr std::size_t kMaxTasks = 1000;

enum class SlurmTaskState {
    running,
    queued,
    dependent,  // waits for another task
    held        // Slurm tried to start it and failed, and does not try again by itself
};
// Of what squeue prints as state ("PD") and reason ("launch failed requeued held"). Nothing: the task has
// ended. A task that a person holds ("JobHeldUser") is queued.
std::optional<SlurmTaskState> slurm_state(const std::string& state, const std::string& reason);

// A task that Slurm has.
struct SlurmTask {
    std::string job;  // its folder
    std::string id;   // "17_3"
    SlurmTaskState state = SlurmTaskState::queued;
};
std::int64_t count(const std::vector<SlurmTask>& tasks, SlurmTaskState state);

// When held tasks are released: at once, and after each further failure later, up to kMaxReleases times.
class HeldTasks {
  public:
    using Time = std::chrono::steady_clock::time_point;

    std::vector<std::string> to_release(const std::vector<SlurmTask>& tasks, Time now);
    // All that Slurm has is held for good, or waits for what is.
    bool are_all(const std::vector<SlurmTask>& tasks) const;

    static constexpr int kMaxReleases = 5;
    static constexpr std::chrono::seconds kFirstPause{5};  // before the second release; then twice as long

  private:
    struct Released {
        int times = 0;
        Time next;
    };
    std::unordered_map<std::string, Released> released_;  // by the id of the task
};

class SlurmQueue {
  public:
    // InputError: there is no sbatch, no controller answers, or no partition of that name.
    explicit SlurmQueue(std::filesystem::path out, const std::string& partition = "");

    std::string name() const;              // of this sweep's jobs in Slurm
    std::vector<SlurmTask> tasks() const;  // queued or running. SimulationError: squeue fails
    // Submits what has neither ended nor is queued. Returns how many tasks. SimulationError: sbatch fails;
    // what was submitted before stays.
    int submit(const Plan& plan, const SlurmOptions& options) const;
    // Held tasks are queued again. SimulationError: there is no scontrol, or it fails.
    void release(const std::vector<std::string>& ids) const;
    void cancel() const;  // all tasks of this sweep

  private:
    std::string submit(const SlurmArray& array, const SlurmOptions& options) const;  // its id
    int next_number() const;

    std::filesystem::path out_;
};

}  // namespace rumple::farm
