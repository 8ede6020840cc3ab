// A sweep: one scene and many values of its keys.
//
//   {"scene": "twist",
//    "grid":  {"cloths.tube.material.preset": ["cotton", "denim"], "phases.hold.hold": [0, 10, 100]},
//    "seeds": {"key": "cloths.tube.imperfection.seed", "count": 5}}
//
// A grid takes every combination, a list the points that it names, "random" and "sobol" sample ranges. Blocks
// that are given together are combined, each point of one with each of the other; seeds vary fastest.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

inline constexpr double kMaxPoints = 100000;

struct Sweep {
    std::string scene;  // file or name, as the sweep says
    std::vector<std::string>
        keys;              // paths in the scene, as `--set` takes them; "variant": one of the scene's
    std::string seed_key;  // the last of the keys; empty: no seeds
    std::vector<std::vector<nlohmann::json>> points;  // one value a key
};

// InputError, naming `name` and the place: a key twice, nothing to vary, an empty range, more points than
// kMaxPoints. Whether the scene has these keys is seen when scenes are made (plan.hpp).
Sweep read_sweep(const nlohmann::json& document, const std::string& name);

// Values that are paths of files or runs: one that is not there, seen from the scene's folder, but is, seen
// from the folder of the sweep's file, becomes absolute.
void resolve_paths(Sweep& sweep, const std::filesystem::path& scene_folder,
                   const std::filesystem::path& sweep_folder);

}  // namespace rumple::farm
