// Ends a step without passing through: takes the positions where an implicit solve puts the vertices and
// changes them until no pair collides on the straight way there.
//
// First impulses, as Bridson, Fedkiw and Anderson (2002): a pair that collides is pushed apart along its
// normal at the moment of impact, by masses, so that momentum is conserved. Where that does not come to an
// end, cloth that collides with cloth moves in rigid zones (impact_zones.hpp): it stays with what is around
// it. What collides even then is rolled back to where the step began (or is carried along by the obstacle
// that hits them), and whatever then collides with those, until nothing does. Cloth that has not moved cannot
// have passed through cloth: the end of this is certain (docs/theory/contact.md).
#pragma once

#include <rumple/contact/candidate_cache.hpp>
#include <rumple/contact/contact_step.hpp>
#include <rumple/contact/impact_zones.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

struct Collision {
    ContactPair pair;
    double time = 0;  // 0..1
};

// What the response may not change, and what pairs keep.
struct CollisionRules {
    int cloth_vertices = 0;
    std::span<const double> inverse_mass;       // 1/kg, of cloth vertices; 0: its motion is given
    std::span<const double> thickness;          // m, one a body: what cloth keeps from it
    std::span<const std::uint8_t> active;       // one a body
    std::span<const std::uint8_t> penetrating;  // one a vertex: inside an obstacle, free to pass its surface
    bool cloth_on_cloth = true;
};

struct CollisionOutcome {
    int impulses = 0;              // pairs pushed apart
    int rolled_back = 0;           // vertices returned to where the step began
    int constraints_violated = 0;  // of them, those whose motion was given
    int unresolved = 0;            // pairs of cloth and obstacle that go through each other all the same
};

class CollisionResponse {
  public:
    // Keeps references to both. The cache's reach is above the separation() of every body.
    CollisionResponse(const Surface& surface, CandidateCache& candidates);

    // Smallest distance to which a pair may come.
    static double separation(double thickness);

    // All pairs that collide on the way x0 -> x1 (one entry a vertex of the surface), in order.
    std::vector<Collision> detect(const Threads& threads, std::span<const Vec3d> x0,
                                  std::span<const Vec3d> x1, const CollisionRules& rules,
                                  ContactTiming& timing);
    // `collisions`: what detect() found with the same arguments. Changes cloth vertices of x1 until nothing
    // collides.
    CollisionOutcome resolve(const Threads& threads, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                             const CollisionRules& rules, std::vector<Collision> collisions,
                             ContactTiming& timing);

  private:
    std::vector<Collision> detect_among(const Threads& threads, std::span<const ContactPair> pairs,
                                        std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                        const CollisionRules& rules, std::span<const ContactPair> unresolved,
                                        ContactTiming& timing);
    std::vector<Collision> detect_again(const Threads& threads, std::span<const Collision> changed,
                                        std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                        const CollisionRules& rules, std::span<const ContactPair> unresolved,
                                        ContactTiming& timing, std::span<const int> moved = {});
    void move_in_zones(const Threads& threads, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                       const CollisionRules& rules, std::vector<Collision>& collisions,
                       ContactTiming& timing);
    void push_apart_in_rounds(const Threads& threads, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                              const CollisionRules& rules, std::vector<Collision>& collisions,
                              CollisionOutcome& outcome, ContactTiming& timing);
    double impact(ContactPair pair, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                  const CollisionRules& rules) const;
    bool movable(ContactPair pair, const CollisionRules& rules) const;
    void push_apart(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                    const CollisionRules& rules, double target_growth);
    bool roll_back(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                   const CollisionRules& rules, CollisionOutcome& outcome);
    double thickness_of(ContactPair pair, const CollisionRules& rules) const;

    const Surface& surface_;
    CandidateCache& candidates_;
    ImpactZones zones_;
    std::vector<std::vector<Collision>> part_;  // scratch from here on
    std::vector<std::uint8_t> dirty_, rolled_back_;
    std::vector<int> changed_;  // the dirty vertices
    std::vector<ContactPair> dirty_pairs_;
    std::vector<Vec3d> best_;        // m: x1 of the round with the fewest collisions
    std::vector<Vec3<float>> back_;  // m: the motion of a step, from its end
    std::vector<double> reported_;   // m, one a body: so near are impacts
};

}  // namespace rumple::contact
