// A weight: a rigid obstacle with mass.
#pragma once

#include <rumple/dynamics/contact_model.hpp>
#include <rumple/dynamics/state.hpp>

namespace rumple {

// Of the solid that the surface encloses, at uniform density; of the surface's box where it encloses none.
struct MassProperties {
    Vec3d centre;   // m, where the weight begins
    Mat3d inertia;  // kg m^2 about the centre
};
MassProperties mass_properties(const ObstaclePart& weight);

// Appends the weight's vertices as they are in this state.
void place_weight(const ObstaclePart& weight, const WeightState& state, std::vector<Vec3d>& positions);

}  // namespace rumple
