// Contact inside a step, in this order (docs/theory/contact.md):
//
//   begin     obstacles and rigid bodies move; everything near at the beginning is a contact
//   evaluate  forces of the contacts at an iterate of the solve
//   update    after evaluate() at the same iterate: contacts are made of what is near there and of what would
//             collide on the way
//   resolve   what update() found to collide is kept apart without a solve
//   commit    friction's memory and the rigid bodies
#pragma once

#include <rumple/contact/penetration_recovery.hpp>
#include <rumple/contact/rigid_bodies.hpp>

namespace rumple::contact {

// What update() finds at an iterate.
struct ContactUpdate {
    std::vector<Collision> collisions;  // on the way to the iterate
    double active_set_changes = 0;      // share of the contacts that did what the solve did not foresee
};

class ContactSystem {
  public:
    // Keeps references to the model and to what the view shows.
    ContactSystem(const ContactModel& model, const ClothView& cloth);
    ContactSystem(const ContactSystem&) = delete;  // its parts refer to each other
    ContactSystem& operator=(const ContactSystem&) = delete;

    const ContactGeometry& geometry() const { return geometry_; }
    const ContactSet& contacts() const { return set_; }
    RigidBodies& rigid_bodies() { return bodies_; }
    // Does cloth press on a body on a slider?
    bool sliders_press() const { return bodies_.sliders_press(set_); }
    const RigidBodies& rigid_bodies() const { return bodies_; }

    void begin(const ContactStepInput& input, ContactWork work);
    void evaluate(const Threads& threads, std::span<const Vec3d> cloth);
    // The same for the first solve: see ContactSet::evaluate_first.
    void evaluate_first(const Threads& threads, std::span<const Vec3d> cloth);
    ContactUpdate update(std::span<const Vec3d> cloth, ContactWork work);
    // Changes cloth until the step is free of collisions.
    CollisionOutcome resolve(std::span<Vec3d> cloth, ContactUpdate found, ContactWork work);
    // `cloth`: where the step ends.
    void commit(std::span<const Vec3d> cloth, ContactMemory& memory,
                std::vector<RigidBodyState>& rigid_bodies, ContactWork work);

    // h^2 times the energy of contacts and sliders at the last iterate.
    double potential() const;
    // Sliders at a share of their Newton step: to look at, or to stay.
    void try_sliders(double share) { bodies_.try_sliders(share, context_); }
    void accept_sliders(double share) { bodies_.accept_sliders(share, context_); }

  private:
    ContactGeometry geometry_;
    PenetrationRecovery recovery_;
    ContactBuilder builder_;
    CandidateCache candidates_;
    CollisionResponse response_;
    ContactSet set_;
    RigidBodies bodies_;
    ContactContext context_;
};

}  // namespace rumple::contact
