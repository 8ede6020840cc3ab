// Continuous detection: when does a moving pair first come closer than a given separation?
//
// All four vertices move on straight lines, x(t) = x0 + t (x1 - x0), 0 <= t <= 1. The answer is conservative:
// the time is never later than the true one, and "no impact" is only said when it is certain.
//
// Conservative advancement (Mirtich 1996; additive CCD in Li, Kaufman and Jiang, Codimensional Incremental
// Potential Contact, SIGGRAPH 2021, section 5) with a bound that knows the direction of motion. At time t let
// n be any unit vector. Both primitives are convex hulls of their vertices, so the plane that n is normal to
// separates them by at least
//
//     g(t + dt) = min over vertices i of a, j of b of  n . (x_i - x_j)(t) + dt n . (v_i - v_j)     <=
//     distance(t + dt)
//
// which is a minimum of linear functions of dt. As long as g stays above the separation there is no impact,
// WHATEVER n was: closest points only propose a good n (for theirs g(t) is the distance), so that an error in
// them costs time and never an impact. The first dt at which g falls to the separation is where the next
// round starts. Sliding at constant distance and moving apart are settled in the first round.
#pragma once

#include <rumple/contact/pair.hpp>
#include <rumple/core/vec.hpp>

namespace rumple::contact {

inline constexpr double kNoImpact = 2;

// A pair that begins closer than the separation may stay, slide and move apart: it is held to this part of
// its own initial distance instead.
inline constexpr double kKeptDistance = 0.9;

// No impact is reported of a pair that stays further apart than so many separations.
inline constexpr double kReported = 1.25;

// Time in [0, 1] at or before which the distance first falls to `separation` [m], or kNoImpact.
//   - The time is within about 1.2 times the separation: at it the distance is at most that, unless the
//     rounds ran out, when the time reached so far is given.
//   - A pair that already begins at or within the separation gives 0, unless its distance certainly stays
//   above
//     kKeptDistance of the initial one: kNoImpact.
//   - separation <= 0 means plain contact: a millionth of the longest edge of the two primitives.
double time_of_impact(PairKind kind, const Vec3d x0[4], const Vec3d x1[4], double separation);

}  // namespace rumple::contact
