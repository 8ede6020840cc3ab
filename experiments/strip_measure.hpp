// How sharply a strip of cloth is folded, in angles that do not depend on the mesh: taken on its middle line,
// the mean over its width, never at a single hinge.
#pragma once

#include <rumple/core/vec.hpp>
#include <span>

namespace rumple {

struct StripGrid {
    int columns, rows;  // vertices along and across the strip, row after row
    double edge;        // m, along
};

// Angle between the two limbs [degrees]: 0 flat, 180 closed. Lines are fitted to `fitted` metres at each end.
double fold_angle(const StripGrid& grid, double fitted, std::span<const Vec3d> x);

// The sharpest bend [degrees]: the largest turn between two places of the middle line that are `window`
// metres apart.
double crease_angle(const StripGrid& grid, double window, std::span<const Vec3d> x);

}  // namespace rumple
