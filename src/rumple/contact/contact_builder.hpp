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

    // What was touched before the step sticks from there; what is met in it, from its beginning. What is
    // inside an obstacle and is pushed out sticks from x.
    void set_friction_memory(const ContactContext& context, std::span<const Vec3d> x, Contact& contact) const;
    // Of an ascending list of pairs the index of this one, or of one with the same first primitive whose
    // second shares a corner with it: what touched a triangle before its closest point moved on to the next
    // one. `count`: there is none.
    template <class PairAt>
    std::size_t find_remembered(ContactPair pair, std::size_t count, PairAt&& pair_at) const;
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

template <class PairAt>
std::size_t ContactBuilder::find_remembered(ContactPair pair, std::size_t count, PairAt&& pair_at) const {
    const auto same_first = [&](std::size_t i) {
        const ContactPair p = pair_at(i);
        return p.kind == pair.kind && p.a == pair.a;
    };
    std::size_t low = 0, high = count;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const ContactPair p = pair_at(middle);
        (p.kind != pair.kind ? p.kind < pair.kind : p.a < pair.a) ? low = middle + 1 : high = middle;
    }
    std::size_t neighbour = count;
    for (; low < count && same_first(low); ++low) {
        const int b = pair_at(low).b;
        if (b == pair.b) return low;
        if (neighbour == count && share_corner(pair, b)) neighbour = low;
    }
    return neighbour;
}

}  // namespace rumple::contact
