// The motion of a handle or an obstacle in a phase: "rotate", "translate", "keyframes".
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/motion.hpp>

namespace rumple {

// `duration` is that of the phase, in s.
HandleMotion read_motion(const JsonPlace& place, double duration);
// The same keys inside an object that has others too: a motion, or none of them.
HandleMotion read_motion_keys(const JsonPlace& place, double duration);
bool says_motion(const JsonPlace& place);

}  // namespace rumple
