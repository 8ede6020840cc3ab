// Makes single contacts of pairs: from closest points, with what friction remembers of the pair. Pure: reads
// the geometry and the context of a step.
#pragma once

#include <rumple/contact/collision_response.hpp>
#include <rumple/contact/contact_context.hpp>
#include <rumple/contact/contact_geometry.hpp>
#include <rumple/contact/contact_region.hpp>
#include <rumple/contact/penetration.hpp>

namespace rumple::contact {

class ContactBuilder {
  public:
    // Keeps references to both.
    ContactBuilder(const ContactGeometry& geometry, const Penetration& penetration)
        : geometry_(geometry), region_(geometry.surface), penetration_(penetration) {}

    const ContactGeometry& geometry() const { return geometry_; }

    // The contact of a pair of cloth with cloth or with an obstacle at positions x. False: it is out of
    // reach, or another pair counts for it.
    bool make_near(const ContactContext& context, ContactPair pair, std::span<const Vec3d> x,
                   Contact& contact) const;
    // The contact of a pair with a rigid body at the beginning of the step, whatever its distance.
    bool make_rigid(const ContactContext& context, ContactPair pair, Contact& contact) const;
    // Contacts of what collides on the way, by pair: at the end of the step they are near on the wrong side,
    // so each is that of the moment of impact. Only a vertex's first impacts count: it does not come to the
    // later ones, and contacts with both sides of those would pull it apart.
    std::vector<Contact> make_impacts(const ContactContext& context,
                                      std::span<const Collision> collisions) const;

    // What a contact has from the beginning of the step.
    void set_smallest_gap(const ContactContext& context, Contact& contact) const;
    // What was touched before the step sticks from there; what is met at x, from x.
    void set_friction_memory(const ContactContext& context, std::span<const Vec3d> x, Contact& contact) const;
    // Null: friction remembers nothing of the pair.
    const Vec3d* remembered_displacement(const ContactMemory& memory, ContactPair pair) const;

  private:
    bool make(const ContactContext& context, ContactPair pair, const Closest& closest,
              Contact& contact) const;
    bool orient_contact_normal(const ContactContext& context, ContactPair pair, const std::array<int, 4>& v,
                               Closest& closest, std::span<const Vec3d> x) const;
    bool share_corner(ContactPair pair, int other_b) const;

    const ContactGeometry& geometry_;
    ContactRegion region_;
    const Penetration& penetration_;
};

}  // namespace rumple::contact
