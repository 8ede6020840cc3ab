// What the parts of contact share within one step. ContactSystem::begin() fills it; it is meaningful until
// commit(). Positions have one entry a vertex of the surface: cloth first, then obstacles.
#pragma once

#include <rumple/contact/collision_response.hpp>
#include <rumple/contact/contact_geometry.hpp>
#include <rumple/contact/contact_step.hpp>

namespace rumple::contact {

// With what the parts of contact work in a step, and where they report.
struct ContactWork {
    const Threads& threads;
    ContactReport& report;
    ContactTiming& timing;
};

class ContactContext {
  public:
    // Keeps references to all three. cloth_mass: kg, one a cloth vertex.
    ContactContext(const ContactGeometry& geometry, const ContactModel& model,
                   std::span<const double> cloth_mass);

    // Takes over the input of a step; rigid bodies and penetration are set by their own classes.
    void set(const ContactStepInput& input);
    // Where the cloth is at an iterate, in `end`.
    void set_cloth(std::span<const Vec3d> cloth);
    CollisionRules collision_rules() const;  // refers to this

    double h = 0;   // s
    Vec3d gravity;  // m/s^2
    // m: at the beginning of the step; at the iterate that was given last, with obstacles and rigid bodies
    // where they end; and where everything would go by itself.
    std::vector<Vec3d> begin, end, predicted;
    std::vector<double> inverse_mass;       // 1/kg, one a cloth vertex; 0: its motion is given
    std::vector<std::uint8_t> active;       // one a body: it is there
    const ContactMemory* memory = nullptr;  // as the step begins
    // Cloth that is inside an obstacle as the step begins: flags, one a vertex; the vertices, ascending; and
    // the recovery contacts, by pair.
    std::vector<std::uint8_t> penetrating;
    std::vector<std::int32_t> penetrating_vertices;
    std::vector<Contact> recovery_contacts;
    bool settled = true;             // few pairs collide on the way to `end`
    bool moved_by_response = false;  // cloth of `end`, since the contacts were made
    bool unresolved = false;         // some cloth goes through an obstacle in this step

  private:
    void place_obstacles(const ObstacleMotion& motion);

    const ContactGeometry& geometry_;
    const ContactModel& model_;
    std::span<const double> cloth_mass_;
};

}  // namespace rumple::contact
