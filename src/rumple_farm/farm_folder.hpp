// The folder of a sweep.
//
//   plan.json            the scene, the keys that vary, how jobs are found
//   jobs.jsonl           one job a line
//   jobs/<hash>/         a run, as `rumple run` writes it, and job.json
//   beginnings/<hash>/   a run that stops where others continue it, and job.json
//   slurm/NNNN.sbatch    what was submitted; slurm/NNNN.log: what it printed
//   results.csv, report.html, contact_sheet.png, plots/   what was collected
#pragma once

#include <filesystem>
#include <optional>
#include <rumple_farm/plan.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

// jobs.jsonl first, then plan.json, each whole or not at all.
void write_plan(const std::filesystem::path& folder, const Plan& plan);
// InputError: there is no plan, or it is damaged.
Plan read_plan(const std::filesystem::path& folder);
// The plan with one job alone, which is then its only one: what a process that runs one job reads. The parent
// is replaced by parent_folder.
struct OneJob {
    Plan plan;  // without jobs and rows
    Job job;
    std::string parent_folder;  // empty: none
};
OneJob read_job(const std::filesystem::path& folder, int id);

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
    // InputError: another process has it.
    explicit FarmLock(const std::filesystem::path& folder);
    ~FarmLock();
    FarmLock(const FarmLock&) = delete;
    FarmLock& operator=(const FarmLock&) = delete;

    // The process that has it; nothing: none.
    static std::optional<int> holder(const std::filesystem::path& folder);

  private:
    int descriptor_ = -1;
};

}  // namespace rumple::farm
