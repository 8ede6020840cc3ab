// Which of the pairs that are near count as contacts: the region of each primitive.
//
// A vertex over a sheet is near several of its triangles, but it touches the sheet once. A closest point on
// the rim of a triangle counts only where the vertex lies in the outward cone of that edge or corner, over
// none of the faces around it (the regions of Offset Geometric Contact, Chen et al. 2025, section 4); else
// flat surfaces would feel like washboards, with a bump at every edge inside. Two edges count where they
// cross, not where one of them ends; towards the borders of their region they fade, so that forces do not
// jump when primitives slide along each other.
#pragma once

#include <rumple/contact/closest.hpp>
#include <rumple/contact/pair.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

class ContactRegion {
  public:
    explicit ContactRegion(const Surface& surface) : surface_(surface) {}

    // Weight, 0 to 1, with which a pair counts as a contact, at positions x of all vertices.
    double weight(ContactPair pair, const Closest& closest, std::span<const Vec3d> x) const;

  private:
    double face_weight(int triangle, const Closest& closest, std::span<const Vec3d> x) const;
    double edge_weight(int edge, Vec3d outward, std::span<const Vec3d> x) const;

    const Surface& surface_;
};

}  // namespace rumple::contact
