// The folder of a sweep.
//
//   plan.json            the scene, the keys that vary, how jobs are found
//   jobs.jsonl           one job a line
//   jobs/<hash>/         a run, as `rumple run` writes it, and job.json; job.lock while it is not complete
//   beginnings/<hash>/   a run that stops where others continue it, and job.json
//   slurm/NNNN.sbatch    what was submitted; slurm/NNNN.log: what it printed
//   results.csv, report.html, contact_sheet.png, plots/   what was collected
#pragma once

#include <filesystem>
#include <optional>
#include <rumple_farm/file_lock.hpp>
#include <rumple_farm/plan.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

// jobs.jsonl first, then plan.json, each whole or not at all.
void write_plan(const std::filesystem::path& folder, const Plan& plan);
// InputError: there is no plan, or it is damaged.
Plan read_plan(const std::filesystem::path& folder);
// One job, and what it needs of the plan: what a process that runs one job reads.
struct OneJob {
    Plan plan;  // without jobs and rows
    Job job;
    std::optional<Job> parent;  // the beginning that it continues
};
// By the folder of the job, e.g. "jobs/0123456789abcdef": it means the same job when the plan has grown.
// InputError: the plan has none.
OneJob read_job(const std::filesystem::path& folder, const std::string& job);

// job.json: who fills a folder. Written before the run begins and when it has ended.
struct JobNote {
    std::string scene_hash, source;       // what the run is of, and by which program
    std::vector<std::string> processors;  // that took steps, each once
    std::string branch_point;             // of a beginning that has ended: see branch_run.hpp
    std::string fault;                    // why the scene could not be run; empty: it could
};
std::optional<JobNote> read_note(const std::filesystem::path& folder);
void write_note(const std::filesystem::path& folder, const JobNote& note);

// While it lives, no other process schedules this sweep.
class FarmLock {
  public:
    // Makes the folder if need be. InputError: another process has it, or it cannot be made.
    explicit FarmLock(const std::filesystem::path& folder);

    struct Holder {
        int process = 0;
        std::string machine;
        bool is_here() const;  // it runs on this machine
        bool has_died() const;
    };
    // Who has it; nothing: nobody.
    static std::optional<Holder> holder(const std::filesystem::path& folder);

  private:
    FileLock lock_;
};

}  // namespace rumple::farm
