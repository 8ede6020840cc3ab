// From a garment and a body to a whole scene: units, axes, how it is held up, and a timeline: settle, play
// the clip to its extreme, hold it there, play it back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

struct DressOptions {
    std::string garment;    // "trousers", "tshirt", or an OBJ or PLY file
    std::string body;       // "mannequin", a glTF file, a point cache, or an OBJ or PLY file
    std::string clip = {};  // of the mannequin or the glTF file; beside a mesh: the cache <clip>.pc2 or .mdd
    std::string material = "cotton";  // a preset, or a JSON file
    double hold = 0;                  // s of material time at the clip's extreme
    double edge = 0.012;              // m, of our own garments
    double h = 0.01;                  // s, the step
    std::string from = {};  // folder of a run of the same garment, at whose end this begins; empty: none
};

struct DressPlan {
    nlohmann::json scene;            // a scene file, paths in it absolute
    std::vector<std::string> notes;  // what was found: scale, axes, waist, extreme
};

// InputError: a file cannot be read, the garment does not lie on the body, there is no such clip.
DressPlan plan_dress(const DressOptions& options);

}  // namespace rumple
