// "cloths" of a scene file.
#pragma once

#include <filesystem>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_description.hpp>

namespace rumple {

ClothDescription read_cloth(const JsonPlace& place, const std::filesystem::path& folder);

// The file that the text at `place` names: relative to the scene's folder and inside it, or absolute. Fails
// when it is outside the folder or does not exist.
std::filesystem::path resolve_file(const JsonPlace& place, const std::filesystem::path& folder);

MaterialChoice read_material(const JsonPlace& place, const std::filesystem::path& folder);

// The key "place" of a cloth or an obstacle; as it is where there is none.
Placement read_placement(const JsonPlace& owner);

// {"degrees": 90} or {"radians": 1.57}, in radians.
double read_angle(const JsonPlace& place);

}  // namespace rumple
