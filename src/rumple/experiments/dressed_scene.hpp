// The mannequin in a garment of ours: it moves, holds its pose or not, and moves back; then, bare, the body
// is gone and the garment hangs.
//
//   settle      move        rest   hold        back        stand     bare
//     O          O                               O           O
//    /|\        /|__                            /|\         /|\       |~|
//    |_|         |__|       ...   500 s         |_|         |~|       |~|
//    | |            |                           | |         | |       | |
//
// All variants share what they have in common: one run gives the garment worn and bare, brief and held, and,
// to compare with, as it was before the motion.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <rumple/experiments/workbench.hpp>
#include <rumple/measure/region.hpp>
#include <string>
#include <vector>

namespace rumple {

struct DressedScene {
    std::string garment = "trousers";  // or "tshirt"
    std::string clip = "sit";
    std::string material = "cotton";
    double edge = 0.02;       // m, of the garment
    double body_edge = 0.02;  // m, of the mannequin
    double h = 0.01;          // s, the step
    double hold = 500;        // s of material time
    int hold_steps = 50;
    double pace = 1;           // all durations times this
    bool self_contact = true;  // cloth touches cloth
};

// Variants: brief and held, worn; brief-bare and held-bare; and what they are compared with: settled (worn,
// nothing has happened) and settled-bare.
nlohmann::json dressed_scene(const DressedScene& options);

// Wrinkles that the motion left: the change of the hinges' angles against the garment that was never moved.
// Bending content [1/m^2] by region, "all" for the whole garment; first key: brief, held, brief-bare,
// held-bare.
using DressedOutcome = std::map<std::string, std::map<std::string, double>>;

// Runs a dressed scene into out/<folder> and measures it.
struct DressedRun {
    DressedOutcome content;
    std::int64_t inside_steps = 0;  // cloth vertices inside the body, added over all steps
    std::int64_t steps = 0;         // of all variants together, as if none shared
};
DressedRun run_dressed(const Workbench& bench, const DressedScene& options, const std::string& folder);

}  // namespace rumple
