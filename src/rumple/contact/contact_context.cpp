#include <algorithm>
#include <rumple/contact/contact_context.hpp>

namespace rumple::contact {

ContactContext::ContactContext(const ContactGeometry& geometry, const ContactModel& model,
                               std::span<const double> cloth_mass)
    : geometry_(geometry), model_(model), cloth_mass_(cloth_mass) {
    begin = end = geometry.rest;
    active.assign(geometry.surface.bodies.size(), 1);
    inverse_mass.resize(cloth_mass.size());
}

void ContactContext::set(const ContactStepInput& input) {
    h = input.h;
    gravity = input.gravity;
    memory = &input.memory;
    moved_by_response = unresolved = false;
    settled = true;
    std::ranges::copy(input.x, begin.begin());
    place_obstacles(input.obstacles);
    predicted = end;
    for (std::size_t v = 0; v < cloth_mass_.size(); ++v) {
        inverse_mass[v] = input.constrained[v] ? 0.0 : 1 / cloth_mass_[v];
        predicted[v] = input.constrained[v] ? input.target[v] : begin[v] + h * input.v[v];
    }
}

void ContactContext::place_obstacles(const ObstacleMotion& motion) {
    std::size_t given = 0, next = cloth_mass_.size();
    for (std::size_t o = 0; o < model_.obstacles.size(); ++o) {
        const std::vector<Vec3d>& initial = model_.obstacles[o].vertices;
        active[geometry_.cloth_bodies + o] = motion.present.empty() || motion.present[o];
        const bool stands = !model_.obstacles[o].moves || motion.begin.empty();
        for (std::size_t i = 0; i < initial.size(); ++i, ++given, ++next) {
            begin[next] = stands ? initial[i] : motion.begin[given];
            end[next] = stands ? initial[i] : motion.end[given];
        }
    }
}

void ContactContext::set_cloth(std::span<const Vec3d> cloth) { std::ranges::copy(cloth, end.begin()); }

CollisionRules ContactContext::collision_rules() const {
    return {geometry_.cloth_vertices,         inverse_mass, geometry_.thickness, active, penetrating,
            geometry_.settings.cloth_on_cloth};
}

}  // namespace rumple::contact
