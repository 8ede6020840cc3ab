// Views that a scene names for its pictures. They do not change the run: a scene with other cameras has the
// same hash.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <rumple/core/vec.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// Views that are framed automatically; rumple_render/camera.hpp says from where each looks.
inline constexpr std::array<std::string_view, 6> kViewNames{"front", "back", "left",
                                                            "right", "top",  "three-quarter"};

struct SceneCamera {
    std::string name;
    std::optional<std::size_t> view;  // of kViewNames, framed automatically, instead of eye and target
    Vec3d eye, target, up{0, 0, 1};   // m
    double fov = 24;                  // degrees, vertical
};

class JsonPlace;
std::vector<SceneCamera> read_cameras(const JsonPlace& root);

// To the JSON of summary.json, from which pictures of the run are made, and back; none for damaged JSON.
nlohmann::json to_json(const SceneCamera& camera);
std::optional<SceneCamera> camera_from_json(const nlohmann::json& json);

}  // namespace rumple
