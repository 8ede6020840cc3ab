// Where a cloth or an obstacle is put: scaled, then rotated about the origin, then moved.
#pragma once

#include <rumple/scene/motion.hpp>
#include <rumple/scene/place.hpp>

namespace rumple {

struct Placement {  // x -> rotation (scale x) + translation
    Pose pose = {};
    Vec3d scale{1, 1, 1};
    Vec3d apply(Vec3d x) const { return pose.apply({scale.x * x.x, scale.y * x.y, scale.z * x.z}); }
};

inline Placement moved_to(Vec3d translation) { return {.pose = {Mat3d::identity(), translation}}; }
Placement rotated(Vec3d axis, double degrees, Vec3d translation = {});

}  // namespace rumple
