// The paper's experiments as programs: each has a scene to look at and edit, runs at several sizes, and turns
// the paper's claims into numbers with verdicts.
#pragma once

#include <experiments/claim.hpp>
#include <experiments/experiment_context.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

struct Experiment {
    std::string name;
    std::string summary;        // one line
    std::string draft_time;     // expected on two cores, e.g. "2 min"
    nlohmann::json (*scene)();  // to run by name and to edit
    std::vector<Claim> (*reproduce)(ExperimentContext&);
    std::string paper;  // what the paper says, and where
    std::string ours;   // what is run here, and how it differs
};

const std::vector<Experiment>& experiments();
const Experiment* find_experiment(const std::string& name);  // nullptr when there is none

// Runs one experiment and writes (when there is a folder) verdict.json: claims, verdicts and figures; and
// ran.json: when, for how long, and on what, which `machine` says in words.
std::vector<Claim> reproduce(const Experiment& experiment, ExperimentContext bench,
                             const std::string& machine = "");

}  // namespace rumple
