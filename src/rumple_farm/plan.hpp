// Jobs of a sweep: which folders are to be filled, by which scenes, and which of them share a beginning.
//
// A job is one run into one folder, named after a hash of its scene's text and of the files that it names: a
// sweep that grows finds the folders of the jobs that it had. Scenes whose texts agree up to the end of a
// phase get a job more, a *beginning*, which runs up to there; the others continue its checkpoint
// (rumple/sim/branch_run.hpp). A beginning may itself continue a shorter one.
//
//   beginnings/<hash>   twist, rest
//   jobs/<hash>                     hold 0,   back, settle
//   jobs/<hash>                     hold 10,  back, settle
//
// Texts are compared, not scenes: thousands are planned in a second. A job compares the scenes themselves
// before it continues a beginning, and starts anew where they differ.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple_farm/estimate.hpp>
#include <rumple_farm/sweep.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

struct Job {
    std::size_t document = 0;            // in Plan::documents
    std::vector<nlohmann::json> values;  // one for each of Plan::keys, or none
    std::string folder;                  // below the sweep's
    int parent = -1;                     // the beginning that it continues; -1: none
    int last_phase = -1;                 // of a beginning: where it stops
    JobCost cost;

    bool is_beginning() const { return last_phase >= 0; }
};

// One point of the sweep.
struct PlanRow {
    int job = 0;                         // that runs it
    std::vector<nlohmann::json> values;  // where they differ from the job's: two points made the same scene
};

struct Plan {
    std::string name;                // of the sweep's file, for errors
    std::string folder;              // where relative paths of the scene start
    std::vector<Variant> documents;  // the scene, or each of its variants
    std::vector<std::string> keys;
    std::string seed_key;
    std::vector<Job> jobs;      // beginnings first, each after its parent
    std::vector<PlanRow> rows;  // in the order of the sweep

    int beginnings() const;
    const std::vector<nlohmann::json>& values_of(const PlanRow& row) const {
        return row.values.empty() ? jobs[static_cast<std::size_t>(row.job)].values : row.values;
    }
};

// One run that is wanted.
struct Request {
    std::size_t document = 0;
    std::vector<nlohmann::json> values;
    std::string folder;  // empty: after the hash
};

// The scene of a job, as text and built. InputError: see set_json and build_scene; the message begins with
// the values that cause it.
nlohmann::json document_of(const Plan& plan, std::size_t document, const std::vector<nlohmann::json>& values);
Scene scene_of(const Plan& plan, const Job& job, const std::shared_ptr<AssetCache>& assets = nullptr);

// InputError: a key that the scene does not have, or a value that it does not take. Some of the scenes are
// built: the ends of the numbers of each key, every value that is none, kMaxTried scenes at most. Nothing is
// simulated or written.
Plan plan_sweep(const Sweep& sweep, const SceneFile& scene, const std::string& name);
inline constexpr std::size_t kMinTried = 6, kMaxTried = 200;

// Jobs for runs of any documents. plan.documents, keys and folder are filled in; jobs and rows are not.
void plan_jobs(Plan& plan, std::vector<Request> requests);

}  // namespace rumple::farm
