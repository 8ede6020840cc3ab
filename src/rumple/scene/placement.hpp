// "place": where a cloth or an obstacle is put: scaled, then rotated about the origin, then moved.
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

struct Placement {  // x -> rotation (scale x) + translation
    Pose pose;
    Vec3d scale{1, 1, 1};
    Vec3d apply(Vec3d x) const { return pose.apply({scale.x * x.x, scale.y * x.y, scale.z * x.z}); }
};

// The key "place" of a cloth or an obstacle; as it is where there is none.
Placement read_placement(const JsonPlace& owner);

}  // namespace rumple
