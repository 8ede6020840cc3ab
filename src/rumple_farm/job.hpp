// Runs one job of a sweep, and says how far each is.
#pragma once

#include <filesystem>
#include <rumple_farm/farm_folder.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

enum class JobState {
    waiting,  // nothing was done, or a process that ran it was ended
    running,  // a process has its folder
    complete,
    failed,  // the simulation, or the scene; another try would fail in the same way
};
const char* to_string(JobState state);

// By the files in the job's folder: its results count only for the scene and the sources that made them.
JobState state_of(const std::filesystem::path& out, const Job& job);
bool has_ended(JobState state);

struct JobOptions {
    int threads = 1;
    double checkpoint_seconds = 30;
    // How long to wait for another process that fills the folder. A file server needs a minute or two to
    // notice that a machine is lost and to give up its lock.
    double patience_seconds = 180;
};
// Fills the folder of a job, e.g. "jobs/0123456789abcdef": continues what is there, or a beginning, or
// starts. Does nothing where the job has ended. Returns how it ended; InputError and SimulationError as from
// run_scenes(), for faults of the disk or of a folder that another process fills.
JobState run_job(const std::filesystem::path& out, const std::string& job, const JobOptions& options);

// A process that was killed between the end of a job and its own leaves its lock in the folder.
void remove_lock_of_killed(const std::filesystem::path& out, const Job& job);

// Of this machine, e.g. "AMD EPYC 7B13"; "unknown" where the system does not say.
std::string processor_name();

}  // namespace rumple::farm
