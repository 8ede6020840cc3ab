// `rumple bench steps`: is any single step of a scene much longer than its median step?
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/scene/scene_file.hpp>
#include <string>
#include <vector>

#include "samples.hpp"

namespace rumple {

struct StepsBenchOptions {
    Backend backend = Backend::cpu;
    int threads = 0;
    std::function<void(const std::string&)> progress{};
};

// One step and where in the scene it is.
struct TimedStep {
    std::string phase;
    int step = 0;        // of the phase, from 1
    double seconds = 0;  // computing: files and measures are not in it
    StepReport report;
};

struct StepsBenchResult {
    std::string name;
    int vertices = 0;
    Samples seconds;
    TimedStep worst;
    int subdivided = 0;  // steps that were divided
    // Of the steps from the worst to the tenth worst: where the time goes, for a profile.
    std::vector<TimedStep> longest;
    std::string failure;  // of a variant that ended early

    double ratio() const { return seconds.median() > 0 ? worst.seconds / seconds.median() : 0; }
};

// Runs all variants of a scene in memory; a beginning that variants share counts once.
StepsBenchResult bench_steps(const SceneFile& scene, const StepsBenchOptions& options);
nlohmann::json to_json(const StepsBenchResult& result);
std::string to_table(const std::vector<StepsBenchResult>& results);

}  // namespace rumple
