// A weight: a rigid obstacle with mass.
#pragma once

#include <rumple/contact/contacts.hpp>
#include <rumple/dynamics/contact_model.hpp>
#include <rumple/dynamics/state.hpp>
#include <span>

namespace rumple {

// Of the solid that the surface encloses, at uniform density; of the surface's box where it encloses none.
struct MassProperties {
    Vec3d centre;   // m, where the weight begins
    Mat3d inertia;  // kg m^2 about the centre
};
MassProperties mass_properties(const ObstaclePart& weight);

// Appends the weight's vertices as they are in this state.
void place_weight(const ObstaclePart& weight, const RigidBodyState& state, std::vector<Vec3d>& positions);

// One implicit step of a weight by itself: what it touches stands where `x` says, its own vertices (from
// `first` on) at the beginning of the step. With d = (translation, rotation vector) over the step, minimises
//   (d - h v)^T M (d - h v) / 2 + h^2 (push and rub of the contacts - gravity)
// a convex function of six variables (one along a guide), by Newton's method with backtracking. The contacts'
// offsets and loads are then those of the end.
RigidBodyState advance_weight(const ObstaclePart& weight, const MassProperties& mass,
                              const RigidBodyState& state, std::span<Contact> contacts,
                              std::span<const Vec3d> x, int first, double h, Vec3d gravity);

}  // namespace rumple
