// Ends a step without passing through: takes the places where an implicit solve wants the vertices to go and
// changes them until no pair meets on the straight way there.
//
// First impulses, as Bridson, Fedkiw and Anderson (2002): a pair that meets is pushed apart along its normal
// at the moment of impact, by masses, so that momentum is conserved. Where that does not come to an end, the
// vertices of what still meets are put back to where the step began (or are carried along by the obstacle
// that hits them), and whatever then meets those, until nothing does. Cloth that has not moved cannot have
// passed through cloth: the end of this is certain (docs/theory/contact.md).
#pragma once

#include <rumple/contact/candidates.hpp>
#include <rumple/contact/closest.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple {

struct Collision {
    ContactPair pair;
    double time = 0;  // 0..1
};

// What the response may not change, and what pairs keep.
struct CollisionRules {
    int cloth_vertices = 0;
    std::span<const double> inverse_mass;  // 1/kg, of cloth vertices; 0: its motion is given
    std::span<const double> thickness;     // m, one a body: what cloth keeps from it
    std::span<const std::uint8_t> active;  // one a body
    std::span<const std::uint8_t> exempt;  // one a vertex: not held against obstacles (it is inside one)
    bool cloth_on_cloth = true;
};

struct CollisionOutcome {
    int impulses = 0;      // pairs pushed apart
    int held_back = 0;     // vertices put back
    int handles_late = 0;  // of them, those whose motion was given
    int given_up = 0;      // pairs of cloth and obstacle that go through each other all the same
};

class CollisionResponse {
  public:
    // reach, slack, rest: see Candidates; the reach above the separation() of every body.
    CollisionResponse(const Surface& surface, std::vector<double> reach, double slack,
                      std::span<const Vec3d> rest = {});

    // Smallest distance to which a pair may come that began at the distance d.
    static double separation(double thickness) { return 0.02 * thickness; }

    // All pairs that meet on the way x0 -> x1 (one entry a vertex of the surface), in order.
    const std::vector<Collision>& detect(const Threads& threads, std::span<const Vec3d> x0,
                                         std::span<const Vec3d> x1, const CollisionRules& rules);
    // Goes on from the last detect() with the same arguments. Changes cloth vertices of x1 until nothing
    // meets.
    CollisionOutcome resolve(const Threads& threads, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                             const CollisionRules& rules);

    // Every pair within reach on the way, and some others: what detect() looks at.
    std::span<const ContactPair> candidates(const Threads& threads, std::span<const Vec3d> x0,
                                            std::span<const Vec3d> x1, const CollisionRules& rules);
    std::span<const ContactPair> candidates() const { return near_; }

    double broad_seconds = 0, narrow_seconds = 0;  // spent so far

  private:
    std::span<const ContactPair> candidates_with(const Threads& threads, std::span<const int> vertices,
                                                 std::span<const Vec3d> x0, std::span<const Vec3d> x1);
    void detect_among(const Threads& threads, std::span<const ContactPair> pairs, std::span<const Vec3d> x0,
                      std::span<const Vec3d> x1, const CollisionRules& rules);
    double impact(ContactPair pair, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                  const CollisionRules& rules) const;
    bool movable(ContactPair pair, const CollisionRules& rules) const;
    void push_apart(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                    const CollisionRules& rules, double insistence);
    bool hold_back(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                   const CollisionRules& rules, CollisionOutcome& outcome);
    double thickness_of(ContactPair pair, const CollisionRules& rules) const;

    const Surface& surface_;
    Candidates candidates_;
    std::span<const ContactPair> near_;
    std::vector<ContactPair> given_up_;
    std::vector<Collision> collisions_;
    std::vector<std::vector<Collision>> part_;
    std::vector<std::uint8_t> dirty_, held_;
    std::vector<int> changed_;        // the dirty vertices
    std::vector<Vec3<float>> back_;   // m: the way of a step, from its end
    std::vector<double> separation_;  // m, one a body
};

}  // namespace rumple
