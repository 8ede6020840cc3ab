// "obstacles" and "contact" of a scene file.
#pragma once

#include <filesystem>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_description.hpp>

namespace rumple {

class AssetCache;

ObstacleDescription read_obstacle(const JsonPlace& place, const std::filesystem::path& folder,
                                  AssetCache& asset_cache);
ContactSettings read_contact(const JsonPlace& place);

// "cache" and "body": surfaces that have a clip.
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
