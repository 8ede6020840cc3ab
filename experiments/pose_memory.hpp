// What a garment has kept of a pose: how much of the bending that sitting gave it is still there when its
// wearer stands.
//
// The plain change against a garment that was never sat in also counts folds of drape: loose cloth lies
// differently after every motion, the softer the more, whether it remembers or not. So of the change d of the
// hinge angles only the part along the bend b of the pose counts:
//
//     share = <d, b> / <b, b>,    left = share^2 <b, b>,    <p, q> = sum (l/H) p q / area
//
//   d  angle after - angle before the motion [rad], both standing, or both bare
//   b  angle in the pose - angle as cut [rad]
//   l, H  rest length and height of a hinge [m]
//
// Chance folds are as often with b as against it and leave share near 0.
#pragma once

#include <rumple/mesh/rest_shape.hpp>
#include <span>
#include <vector>

namespace rumple {

struct PoseMemory {
    double share = 0;   // of the pose's bend that is left; 1: it stands as it sat
    double left = 0;    // 1/m^2, bending content of that; 0 where share is below 0
    double pose = 0;    // 1/m^2, bending content of the pose: <b, b>
    double change = 0;  // 1/m^2, bending content of the whole change: <d, d>
};

// Hinge angles [rad] of one garment: as cut, in the pose, before and after the motion.
struct PoseAngles {
    std::vector<double> cut, posed, before, after;
};

// Over the hinges whose edge lies in the region; zeros for a region without triangles.
PoseMemory pose_memory(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                       const PoseAngles& angles, std::span<const int> region);

}  // namespace rumple
