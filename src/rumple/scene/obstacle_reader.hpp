// "contact" and one element of "obstacles".
#pragma once

#include <filesystem>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

class AssetCache;

struct ReadObstacle {
    SceneObstacle obstacle;
    std::vector<std::string> warnings;
};

ReadObstacle read_obstacle(const JsonPlace& place, const std::filesystem::path& folder,
                           AssetCache& asset_cache);

ContactSettings read_contact(const JsonPlace& place);
// Cloth thicker than its triangles are long would push itself apart: warns, or fails. `mean_edge` [m] is that
// of the finest cloth, `place` where the thickness stands, or the scene.
void check_thickness(const JsonPlace& place, const ContactSettings& settings, double mean_edge,
                     std::vector<std::string>& warnings);

// The surface of an obstacle before placement.
struct ObstacleSurface {
    std::string kind;
    TriMesh mesh;
    std::string name;  // for errors: the file, or the place in the scene
    std::vector<std::string> warnings;
    std::shared_ptr<ObstacleClip> clip;  // before placement; null: none
};
ObstacleSurface read_shape(const JsonPlace& place);
ObstacleSurface read_obstacle_mesh(const JsonPlace& place, const std::filesystem::path& folder);
ObstacleSurface read_clip(const JsonPlace& place, const std::filesystem::path& folder);
ObstacleSurface read_body(const JsonPlace& place, const std::filesystem::path& folder,
                          AssetCache& asset_cache);
// "start", "speed" and "ends" of a clip whose samples are known.
void read_clip_clock(const JsonPlace& place, ObstacleSurface& surface);

// Files of obstacles: metres in one unit, and which axis points up.
struct FileAxes {
    double scale = 1;
    bool y_up = false;
    Vec3d apply(Vec3d x) const { return scale * (y_up ? Vec3d{x.x, -x.z, x.y} : x); }
};
FileAxes read_axes(const JsonPlace& place);

}  // namespace rumple
