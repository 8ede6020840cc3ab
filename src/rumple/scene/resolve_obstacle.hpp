// From the description of an obstacle to a SceneObstacle.
#pragma once

#include <rumple/scene/scene_description.hpp>

namespace rumple {

// Adds what the author should know to `warnings`.
SceneObstacle resolve_obstacle(const ObstacleDescription& obstacle, std::vector<std::string>& warnings);

// Cloth thicker than its triangles are long would push itself apart: warns, or fails. `mean_edge` [m] is that
// of the finest cloth, `place` that of the contact's settings.
void check_thickness(const Place& place, const ContactSettings& settings, double mean_edge,
                     std::vector<std::string>& warnings);

}  // namespace rumple
