// Rigid bodies with mass, free and on a slider (docs/theory/contact.md).
//
// Free bodies go first in a step, against cloth as it lies; cloth then goes with their motion given. (Not
// against cloth where it would go by itself: a thread that jumps up would throw a body which, in this half of
// the step, cannot know how light it is.)
//
// A body on a slider is an unknown of the same system as the cloth that bears it:
//   A x + B d = r,  B^T x + C d = s        d: displacement along the slider
// so it comes to rest on soft, light cloth as it should. SchurTerm holds C and s; B is the coupling.
#pragma once

#include <rumple/contact/contact_builder.hpp>
#include <rumple/contact/contact_set.hpp>
#include <rumple/contact/rigid_body.hpp>

namespace rumple::contact {

class RigidBodies {
  public:
    // Keeps references to all three.
    RigidBodies(const ContactGeometry& geometry, const ContactBuilder& builder, const ContactModel& model);

    std::size_t count() const { return bodies_.size(); }
    // Appends the vertices of one body in a state.
    void positions(std::size_t body, const RigidBodyState& state, std::vector<Vec3d>& x) const;

    // Puts all bodies where they are as the step begins, and predicts where they would go by themselves.
    // Sliders begin with `slider_speed` times their speed.
    void begin(std::span<const RigidBodyState> states, double slider_speed, ContactContext& context);
    // Moves the free bodies, and makes the sliders ready. `pairs`: everything that bodies may run into.
    void advance(std::span<const ContactPair> pairs, ContactContext& context);
    // The states at the end of the step.
    std::vector<RigidBodyState> end_states(double h) const;
    bool finite() const;  // the states of free bodies at the end of the step
    // Contacts of free bodies with obstacles and each other at the end of the step; sorted, each pair once.
    std::vector<Contact> contacts() const;

    struct SchurTerm {
        double stiffness = 0, force = 0;  // C, s
    };
    std::size_t slider_count() const { return sliders_.size(); }
    SchurTerm schur_term(std::size_t slider, const ContactSet& contacts, double h2,
                         std::span<const std::uint8_t> constrained, std::span<Vec3d> coupling) const;
    // Does cloth press on a body on a slider?
    bool sliders_press(const ContactSet& contacts) const;
    void set_slider_step(std::size_t slider, double step) { sliders_[slider].step = step; }
    // Puts sliders at a share of their Newton step, in context.end; accept also keeps it.
    void try_sliders(double share, ContactContext& context) const;
    void accept_sliders(double share, ContactContext& context);
    // A body on a slider that would pass through an obstacle stops on the way.
    void stop_sliders(ContactContext& context);
    // Returns sliders to where the step began.
    void reset_sliders(ContactContext& context);
    // Of the incremental potential: what is not in the contacts with cloth.
    double slider_energy(const ContactContext& context, double h2) const;

  private:
    struct Body {
        const ObstaclePart* part;
        std::size_t body;  // of the surface
        MassProperties mass;
    };
    struct Slider {
        std::size_t which, body;            // among the rigid bodies, the bodies of the surface
        Vec3d along;                        // unit
        double mass, free_displacement;     // kg; m: where it would go by itself
        double displacement = 0, step = 0;  // m along the slider: so far in this step, and the Newton step
        std::vector<Contact> rests;         // on obstacles
        std::vector<ContactPair> pairs;     // with obstacles
    };
    void put(std::size_t which, const RigidBodyState& state, std::vector<Vec3d>& x) const;
    void put_slider(const Slider& slider, double displacement, ContactContext& context) const;
    double share_of(const Contact& contact, const Slider& slider) const;
    double earliest_toi(std::span<const ContactPair> pairs, double thickness,
                        const ContactContext& context) const;
    std::vector<ContactPair> without_cloth(std::span<const ContactPair> pairs) const;
    Slider make_slider(std::size_t which, std::span<const ContactPair> pairs,
                       const ContactContext& context) const;
    void advance_free(std::size_t which, std::span<const ContactPair> pairs, ContactContext& context);
    // Where the body goes, in context.end; stops before obstacles.
    RigidBodyState stop_before(std::size_t which, std::span<const ContactPair> with_obstacles,
                               RigidBodyState next, ContactContext& context) const;

    const ContactGeometry& geometry_;
    const ContactBuilder& builder_;
    std::vector<Body> bodies_;
    std::vector<RigidBodyState> before_, next_;
    std::vector<Slider> sliders_;
    std::vector<Contact> contacts_;  // in the order in which bodies moved
};

}  // namespace rumple::contact
