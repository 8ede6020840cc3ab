// The contacts of one step and what they add to the implicit system. The only caller of the contact law.
//
// Vertices below `cloth_vertices` are unknowns of the system; the others are obstacles', at their places at
// the end of the step. evaluate() computes each contact alone; what a vertex gets is gathered in the order of
// the contacts, so that sums have the same bits for any number of threads.
#pragma once

#include <rumple/contact/contact_builder.hpp>
#include <rumple/contact/contact_law.hpp>
#include <rumple/contact/friction_memory.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

struct ContactForces {
    NormalResponse<double> normal;
    FrictionResponse<double> friction;
    Vec3d along;  // unit tangential displacement
    Vec3d shift;  // N: from the force where friction was linearised to its tangent's at x
};

inline constexpr std::uint8_t kTouching = 1, kSliding = 2;

// Both are ascending by pair; what is added replaces what has the same pair.
void merge_sorted(std::vector<Contact>& list, std::span<const Contact> added);

class ContactSet {
  public:
    explicit ContactSet(int cloth_vertices) : cloth_vertices_(cloth_vertices) {}

    const std::vector<Contact>& list() const { return list_; }
    const std::vector<ContactForces>& forces() const { return forces_; }
    const std::vector<std::uint8_t>& flags() const { return flags_; }
    // Of the list, the contacts with an obstacle or a rigid body.
    std::span<const int> with_obstacles() const { return with_obstacles_; }

    // Replaces the list, which is sorted by pair.
    void assign(const Threads& threads, std::vector<Contact> list);
    // Makes the list at positions x: contacts of those of `pairs` that are near, and `added`, which replace
    // those of the same pair. What collides on the way to x is near on the wrong side there, and no contact
    // unless it is added. All are ascending by pair.
    void build(const Threads& threads, const ContactBuilder& builder, const ContactContext& context,
               std::span<const ContactPair> pairs, std::span<const Vec3d> x, std::span<const Contact> added,
               std::span<const Collision> collisions = {});
    // The same at the beginning of a step. Where little has moved since the list was made, only contacts of
    // what has moved are made again; the result is the same.
    void build_at_begin(const Threads& threads, const ContactBuilder& builder, const ContactContext& context,
                        std::span<const ContactPair> pairs);
    // The list holds contacts of the moments at which these collide: they do not stand for the positions.
    void mark_impacts(std::span<const Collision> collisions);

    // x: all vertices; obstacles at the end of the step.
    void evaluate(const Threads& threads, std::span<const Vec3d> x);
    // The same for the first solve of a step, which starts at x from rest. Friction is linearised where
    // everything would go by itself, or what slides would be taken for stuck. A normal force is linearised
    // where it was at the beginning when its obstacle withdraws: cloth that springs back follows, where it
    // would otherwise be shot through the place that seems free.
    void evaluate_first(const Threads& threads, const ContactContext& context);
    // Sets the loads that limit friction to those at x, here and until this is called again.
    void evaluate_with_loads(const Threads& threads, std::span<const Vec3d> x);
    // The same at an iterate. What has passed through, which is pressed as nothing ever is, has no load: its
    // friction would throw it back, and no line search finds a way.
    void evaluate_iterate(const Threads& threads, const ContactContext& context);
    double energy() const;

    // The share of the contacts of the last linearisation that did what it did not foresee at x, where
    // evaluate() was called last: let go where they would have had to pull, slipped where they would have
    // stuck, or slipped further.
    double active_set_changes(const Threads& threads, std::span<const Vec3d> x) const;
    // From now on active_set_changes() compares with the flags as they are.
    void mark_linearized() { linearized_flags_ = flags_; }

    // What friction holds at the end of the step, and what touches there.
    FrictionMemoryBuilder friction_memory(const Threads& threads, const ContactBuilder& builder,
                                          const ContactContext& context, std::span<const ContactPair> pairs,
                                          ContactTiming& timing);

    Vec3d gather_force(std::size_t vertex) const;
    // Calls add(column, block) for each block of one row of the stiffness, columns of cloth only, repeats
    // possible.
    template <class Add>
    void gather_row(std::size_t vertex, Add&& add) const {
        for (int k = begin_[vertex]; k < begin_[vertex + 1]; ++k) {
            const Incidence in = incidence_[static_cast<std::size_t>(k)];
            const double w = in.weight;
            if (w == 0 || !(flags_[static_cast<std::size_t>(in.contact)] & kTouching)) continue;
            const Contact& c = list_[static_cast<std::size_t>(in.contact)];
            const Mat3d b = stiffness(static_cast<std::size_t>(in.contact));
            for (std::size_t j = 0; j < 4; ++j)
                if (c.vertex[j] < cloth_vertices_ && c.weight[j] != 0)
                    add(c.vertex[j], (w * c.weight[j]) * b);
        }
    }
    bool touches(std::size_t vertex) const { return begin_[vertex] < begin_[vertex + 1]; }
    Mat3d stiffness(std::size_t contact) const;  // of one contact; block (i, j) is w_i w_j times this

    // The law of one contact, for those who solve for rigid bodies.
    static NormalResponse<double> normal(const Contact& contact, double gap);
    static FrictionResponse<double> friction(const Contact& contact, Vec3d displacement);
    static Vec3d held(const Contact& contact, Vec3d displacement);  // after the step

  private:
    struct Incidence {
        int contact;
        double weight;  // of the vertex in it
    };
    // For which the list was made: positions, and who could move and was there.
    struct MadeFor {
        std::vector<Vec3d> x;
        std::vector<double> inverse_mass;
        std::vector<std::uint8_t> active;
        std::vector<ContactPair> impacts;  // contacts of another moment
        bool penetrating = false;          // some cloth was in an obstacle
    };
    void evaluate_one(std::size_t k, double gap, Vec3d displacement);
    bool take_secant(std::size_t k, double slip, double h2);
    void index(const Threads& threads);
    bool can_update_incrementally(const ContactContext& context) const;
    void find_near(const Threads& threads, const ContactBuilder& builder, const ContactContext& context,
                   std::span<const ContactPair> pairs, std::span<const Vec3d> x,
                   std::span<const Collision> collisions);
    void join_parts(const Threads& threads, std::span<const Contact> added, std::vector<Contact>& list);
    void mark_moved(const Surface& surface, std::span<const Vec3d> x);
    bool any_moved(const std::array<int, 4>& vertices) const;
    std::vector<Contact> make_moved(const Threads& threads, const ContactBuilder& builder,
                                    const ContactContext& context, std::span<const ContactPair> pairs,
                                    std::span<const Vec3d> x);
    void update_moved(const Threads& threads, const ContactBuilder& builder, const ContactContext& context,
                      std::span<const ContactPair> pairs);

    int cloth_vertices_;
    std::vector<Contact> list_;
    std::vector<ContactForces> forces_;
    std::vector<Vec3d> total_;  // N: normal force, friction and shift together, on a
    std::vector<std::uint8_t> flags_, linearized_flags_;
    std::vector<double>
        guessed_slip_;        // m: where evaluate_first() took a secant, the displacement it guessed
    std::vector<int> begin_;  // cloth vertices + 1
    std::vector<Incidence> incidence_;  // of each cloth vertex, in the order of the list
    std::vector<int> with_obstacles_;
    std::vector<std::vector<int>> counts_;  // scratch of index(): one list a piece, one entry a cloth vertex
    std::vector<std::vector<Contact>> part_;  // scratch: contacts of pieces of the pairs
    MadeFor made_for_;
    std::vector<std::uint8_t> moved_;  // scratch, one a vertex: since the list was made, or beside such a one
};

}  // namespace rumple::contact
