// What a phase says of obstacles: "obstacles", "appear", "vanish".
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

// `duration` is that of the phase, in s.
ObstacleCommand read_act(const JsonPlace& place, const SceneObstacle& obstacle, double duration);

// What appears was gone and what vanishes was there; no clip jumps while its obstacle is there.
void check_obstacles(const std::vector<JsonPlace>& phases, const Scene& scene);

}  // namespace rumple
