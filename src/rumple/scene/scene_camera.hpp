// Views that a scene names for its pictures. They are no part of the run: a scene with other cameras has the
// same hash, and its runs the same bits.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <rumple/core/vec.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// Views that are framed automatically; render/camera.hpp says where each looks from.
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

// As summary.json tells them to whoever makes pictures of the run; and back, for which damaged text is none.
nlohmann::json to_json(const SceneCamera& camera);
std::optional<SceneCamera> camera_from_json(const nlohmann::json& json);

}  // namespace rumple
