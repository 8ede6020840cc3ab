// On which side of a plane, or of a line, is a point? Exact signs for any doubles.
//
// Evaluated in double with a bound on the rounding error; where the value is within the bound, again in exact
// arithmetic: sums of doubles that do not overlap ("expansions": Dekker 1971; Shewchuk, Adaptive precision
// floating-point arithmetic and fast robust geometric predicates, 1997). Exact as long as no product under-
// or overflows: coordinates between about 1e-100 and 1e100, or 0.
#pragma once

#include <rumple/core/vec.hpp>

namespace rumple::contact {

// Sign of the determinant |a - d, b - d, c - d|: +1, 0 (in one plane) or -1.
int orientation(Vec3d a, Vec3d b, Vec3d c, Vec3d d);

// Sign of the determinant |a - c, b - c|: +1 (a, b, c turn left), 0 (on one line) or -1.
int orientation(Vec2d a, Vec2d b, Vec2d c);

}  // namespace rumple::contact
