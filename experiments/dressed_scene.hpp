// The mannequin in a garment of ours: it moves, holds its pose or not, and moves back; then, bare, the body
// is gone and the garment hangs.
//
//   settle      move        rest   hold        back        stand     bare
//     O          O                               O           O
//    /|\        /|__                            /|\         /|\       |~|
//    |_|         |__|       ...   500 s         |_|         |~|       |~|
//    | |            |                           | |         | |       | |
//
// All variants share what they have in common: one run gives the garment worn and bare, brief and held, in
// the pose, and, to compare with, as it was before the motion.
#pragma once

#include <experiments/experiment_context.hpp>
#include <experiments/pose_memory.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace rumple {

struct DressedScene {
    std::string garment = "trousers";  // or "tshirt"
    std::string clip = "sit_chair";    // this one brings its chair
    std::string cloth = "cotton";      // or denim, polyester: the paper's garment table
    double edge = 0.02;                // m, of the garment
    double body_edge = 0.02;           // m, of the mannequin
    double h = 0.01;                   // s, the step
    double hold = 500;                 // s of material time
    int hold_steps = 50;
    double pace = 1;                  // all durations times this
    bool self_contact = true;         // cloth touches cloth
    std::string gate = "load";        // when friction ages: under load, or always ("none": the paper)
    std::optional<double> wait = {};  // s of material time for which it stands before it moves, in 50 steps
    bool brief = true;                // variants that are not held, too
    bool bare = true;                 // variants without the body, too
    int seed = 0;                     // of an imperfection of 0.02 mm, which decides between folds; 0: none
};

// Brief ones take the steps of the hold without material time. Variants: brief and held, worn; brief-bare and
// held-bare; posed, which ends in the pose; and what they are compared with: settled (worn, nothing has
// happened) and settled-bare.
nlohmann::json dressed_scene(const DressedScene& options);

// What is left of the pose, by variant (brief, held, brief-bare, held-bare) and region: the garment's own, of
// those in the middle also the halves (seat_left, seat_right), and "all".
struct DressedRun {
    std::map<std::string, std::map<std::string, PoseMemory>> memory;
    std::map<std::string, RegionTable> content;  // by variant: measures of the garment's own regions
    std::map<std::string, std::map<std::string, double>> yielding;  // hinges that yielded, share
    std::map<std::string, double> sharpness;                        // by variant, of the whole garment [1/m]
    std::int64_t inside_steps = 0;  // cloth vertices inside the body, added over all steps
    std::int64_t steps = 0;         // of all variants together, as if none shared
};

// Runs a dressed scene into out/<folder> and measures it.
DressedRun run_dressed(const ExperimentContext& bench, const DressedScene& options,
                       const std::string& folder);

// The same with seeds 1, 2, ..., into out/<folder>-seed<n>.
using DressedRuns = std::vector<DressedRun>;
DressedRuns run_dressed_seeds(const ExperimentContext& bench, DressedScene options, const std::string& folder,
                              int seeds);

}  // namespace rumple
