// One rigid body: its mass properties, its vertices in a state, and an implicit step of it by itself.
#pragma once

#include <rumple/contact/contact.hpp>
#include <rumple/contact/contact_model.hpp>
#include <rumple/contact/contact_state.hpp>
#include <span>

namespace rumple::contact {

// Of the solid that the surface encloses, at uniform density; of the surface's box where it encloses none.
struct MassProperties {
    double mass = 0;  // kg
    Vec3d centre;     // m, where the body begins
    Mat3d inertia;    // kg m^2 about the centre
};
MassProperties mass_properties(const ObstaclePart& part);

// Appends the body's vertices as they are in this state.
void place_rigid_body(const ObstaclePart& part, const MassProperties& mass, const RigidBodyState& state,
                      std::vector<Vec3d>& positions);

// What the body touches: `contacts`, with everything where `x` says, its own vertices [first, last) at the
// beginning of the step.
struct RigidBodyContacts {
    std::span<Contact> contacts;
    std::span<const Vec3d> x;
    int first = 0, last = 0;
};

// One implicit step of a free rigid body. With d = (translation, rotation vector) over the step, minimises
//   (d - h v)^T M (d - h v) / 2 + h^2 (potential of the contacts - gravity)
// a convex function of six variables, by Newton's method with backtracking. The contacts' tangential
// displacements and loads are then those of the end.
RigidBodyState advance_rigid_body(const MassProperties& mass, const RigidBodyState& state,
                                  const RigidBodyContacts& around, double h, Vec3d gravity);

}  // namespace rumple::contact
