// What handles and obstacles do in a phase: "rotate", "translate", "keyframes", and "from", "to" of clips.
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/obstacle.hpp>

namespace rumple {

HandleMotion read_motion(const JsonPlace& place);
ObstacleCommand read_command(const JsonPlace& place);

}  // namespace rumple
