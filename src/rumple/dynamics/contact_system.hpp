// Contact inside a step: finds what is near, gives the implicit system its contacts, sees to it that nothing
// passes through, remembers what sticks (docs/theory/contact.md).
//
//   begin     obstacles and weights move; everything near at the beginning is a contact
//   evaluate  push and rub of the contacts at an iterate of the solve
//   update    at an iterate: contacts are made anew of what is near there and of what would meet on the way
//   resolve   what still meets is kept apart without a solve
//   commit    friction's memory and the weights
#pragma once

#include <rumple/contact/collision_response.hpp>
#include <rumple/contact/contacts.hpp>
#include <rumple/contact/neighbourhood.hpp>
#include <rumple/contact/penetration.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/dynamics/weight.hpp>

namespace rumple {

class ContactSystem {
  public:
    explicit ContactSystem(const Model& model);

    const Contacts& contacts() const { return contacts_; }
    Contacts& contacts() { return contacts_; }

    // Whether what a state remembers of contacts and weights can be of this model: it may come from a file.
    bool knows(const State& state) const;
    bool weights_are_finite() const;  // where they would be at the end of this step

    // constrained: cloth vertices that are at `target` at the end of the step.
    void begin(const Threads& threads, const State& state, const StepInput& input,
               std::span<const std::uint8_t> constrained, std::span<const Vec3d> target, StepReport& report);
    void evaluate(const Threads& threads, std::span<const Vec3d> cloth);
    // The same for the first solve: see Contacts::evaluate_moving.
    void evaluate_moving(const Threads& threads, std::span<const Vec3d> cloth, double h2);
    // True when something meets on the way there. Forces are then those of the new contacts.
    bool update(const Threads& threads, std::span<const Vec3d> cloth, const State& state, StepReport& report);
    std::size_t collisions() const { return collisions_; }  // that the last update() found
    // The share of the contacts of the last solve that did what its linearisation did not know of: let go
    // where they would have had to pull, slipped where they would have stuck, or slipped further. To be asked
    // between evaluate() and update().
    double surprises(const Threads& threads) const;
    // Changes cloth until the step is free of collisions. Follows update() at the same positions.
    CollisionOutcome resolve(const Threads& threads, std::span<Vec3d> cloth, StepReport& report);
    // Weights in a guide are unknowns of the same system as the cloth that bears them:
    //   A x + B d = r,  B^T x + C d = s        d: way along the guide
    // They come to rest on soft, light cloth as they should; weights without a guide go first in a step.
    struct Ride {
        double stiffness = 0, force = 0;  // C, s
    };
    std::size_t guided_count() const { return guided_.size(); }
    Ride ride(std::size_t guided, double h2, std::span<const std::uint8_t> constrained,
              std::span<Vec3d> coupling) const;
    void set_guided_step(std::size_t guided, double step) { guided_[guided].step = step; }
    // Puts guided weights at a share of their step; evaluate() then sees them there.
    void try_guided(double share);
    void accept_guided(double share);
    double guided_energy(double h2) const;

    void commit(const Threads& threads, State& state, std::span<const Vec3d> cloth, const StepInput& input,
                StepReport& report);

  private:
    static constexpr double kReach = 1.25;   // in thicknesses: pairs this near are contacts, pushing or not
    static constexpr double kDeepest = 0.1;  // m: further inside nothing is led out
    struct Body {
        double thickness, friction;
    };
    static void set_law(Contact& contact, const Body& body) {
        contact.thickness = body.thickness;
        contact.friction = body.friction;
        contact.slip_length = kSlipLength * body.thickness;
    }
    void place_obstacles(const State& state, const StepInput& input);
    bool goes_on() const;
    // Both are ascending; what is added takes the place of what was there.
    static void put_in(std::vector<Contact>& list, std::span<const Contact> added);
    void remember(Contact& contact, std::span<const Vec3d> x, const ContactMemory& memory) const;
    // The list of contacts at x: of those pairs that are near, and `added`, which take the place of the same.
    void make_contacts(const Threads& threads, std::span<const ContactPair> pairs, std::span<const Vec3d> x,
                       const ContactMemory& memory, std::span<const Contact> added);
    void find_near(const Threads& threads, std::span<const ContactPair> pairs, std::span<const Vec3d> x,
                   const ContactMemory& memory);
    void join_parts(const Threads& threads, std::span<const Contact> added, std::vector<Contact>& list);
    bool any_moved(const std::array<int, 4>& vertices) const;
    void find_renewed(const Threads& threads, std::span<const Vec3d> x, const ContactMemory& memory);
    void renew_contacts(const Threads& threads, std::span<const Vec3d> x, const ContactMemory& memory);
    void mark_moved(std::span<const Vec3d> x);
    struct Held;
    Held hold_list(const Threads& threads) const;
    static void hold_too(Held& all, const Held& added);
    bool near_contact(ContactPair pair, std::span<const Vec3d> x, const ContactMemory& memory,
                      Contact& contact) const;
    bool set_right(ContactPair pair, const std::array<int, 4>& v, Closest& closest,
                   std::span<const Vec3d> x) const;
    bool make_contact(ContactPair pair, const Closest& closest, Contact& contact) const;
    bool apart_at_rest(PairKind kind, const std::array<int, 4>& v, double distance) const;
    std::vector<Contact> impacts(std::span<const Collision> met);
    const Vec3d* remembered_offset(const ContactMemory& memory, ContactPair pair) const;
    int body_of(ContactPair pair) const;
    double area_of(ContactPair pair, bool second) const;
    void lead_out(const Threads& threads);
    void draw_off(const Threads& threads, std::span<const std::uint8_t> behind);
    struct Guided {
        std::size_t which, body;     // among the weights, the bodies
        Vec3d along;                 // unit
        double mass, free_way;       // kg; m: where it would go by itself
        double way = 0, step = 0;    // m along the guide: so far in this step, and the Newton step
        std::vector<Contact> rests;  // on obstacles
        std::vector<ContactPair> pairs;
    };
    double share_of(const Contact& contact, const Guided& guided) const;
    void place_guided(const Guided& guided, double way);
    void begin_guided(std::span<const ContactPair> pairs, const State& state, const StepInput& input);
    void stop_guided();
    std::vector<ContactPair> without_cloth(std::span<const ContactPair> pairs) const;
    void let_weights_fall(const State& state, const StepInput& input);
    void move_weights(std::span<const ContactPair> pairs, const State& state, const StepInput& input);
    double free_way(std::span<const ContactPair> pairs, double thickness) const;
    void put_weight(std::size_t body, const ObstaclePart& weight, const RigidBodyState& state,
                    std::vector<Vec3d>& x);
    bool adjacent(int triangle_a, int triangle_b) const;
    CollisionRules rules() const;
    void put_cloth(std::span<const Vec3d> cloth);

    const Model& model_;
    int cloth_vertices_;
    int cloth_edges_ = 0, cloth_triangles_ = 0;
    Surface surface_;
    Neighbourhood neighbourhood_;
    Penetration penetration_;
    Contacts contacts_;
    std::vector<Vec3d> rest_;  // m: where everything begins
    CollisionResponse response_;
    std::vector<Body> bodies_;
    std::vector<double> thickness_, reach_;  // m, one a body
    std::vector<std::uint8_t> active_;
    std::vector<double> vertex_area_, edge_area_;  // m^2, of the whole surface
    std::vector<Vec3d> begin_, end_, predicted_;   // m: whole surface over this step; end_ holds the iterate
    std::vector<double> inverse_mass_, first_impact_;  // of cloth vertices
    std::vector<std::uint8_t> exempt_;
    std::vector<std::int32_t> inside_;        // the exempt vertices
    std::vector<Contact> leading_out_;        // their contacts, by pair; made once a step
    bool troubled_ = false;                   // cloth was given up to an obstacle in this step
    std::vector<std::uint8_t> flags_before_;  // of the contacts, in the last linearisation
    std::vector<std::vector<Contact>> part_;
    // For which the list of contacts was made: places, and who could give way and was there.
    struct MadeFor {
        std::vector<Vec3d> x;
        std::vector<double> inverse_mass;
        std::vector<std::uint8_t> active;
        std::vector<ContactPair> impacts;  // contacts of another moment
        bool inside = false;               // some cloth was in an obstacle
    } made_for_;
    std::vector<Contact> renewed_;
    std::vector<std::uint8_t> moved_;  // one a vertex, since the list was made, or beside such a one
    std::vector<MassProperties> weight_mass_;
    bool moved_after_update_ = false;
    std::size_t collisions_ = 0;
    std::vector<RigidBodyState> weights_;  // at the end of this step
    std::vector<Guided> guided_;
    std::vector<RigidBodyState> weights_before_;
    std::vector<Contact> weight_contacts_;  // of weights with obstacles, at the end of this step
};

}  // namespace rumple
