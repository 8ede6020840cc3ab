// Blender's cloth on the reference twist, as a peer of `rumple bench twist`.
//
// Debian's `blender` runs without a window and evaluates frame after frame of a cloth modifier: the same
// vertices, triangles and imperfection, both rings pinned, the top one led by a hook along the same turn.
// Four substeps ("quality steps") of 0.01 s make a frame, so pins go straight between every fourth of our
// targets. The material is Blender's own cotton: its springs have no counterpart of our laws. No gravity, no
// collisions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "samples.hpp"
#include "twist_case.hpp"

namespace rumple {

struct BlenderTimes {
    std::string version{};
    int threads = 1;
    Samples seconds{};     // a substep: a frame of the buckled part over its substeps
    Samples overhead{};    // of that, what the same frame takes without the cloth
    Samples iterations{};  // of its conjugate gradients, a substep
    double pins_off = 0;   // m: how far the pins ended from our last targets

    std::string name() const;
};

// Walks through the whole turn and times what comes from `first_step` on. SimulationError, in one sentence:
// there is no such program, or it failed.
BlenderTimes time_blender(TwistCase& twist, int first_step, int threads,
                          const std::string& program = "blender");
nlohmann::json to_json(const BlenderTimes& times);

}  // namespace rumple
