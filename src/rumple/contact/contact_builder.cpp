#include <algorithm>
#include <rumple/contact/contact_builder.hpp>
#include <rumple/contact/contact_law.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

bool ContactBuilder::make_near(const ContactContext& context, ContactPair pair, std::span<const Vec3d> x,
                               Contact& contact) const {
    const std::array<int, 4> v = pair_vertices(geometry_.surface, pair);
    if (!geometry_.is_cloth(v[0]) && !geometry_.is_cloth(v[3])) return false;
    const Vec3d p[4] = {x[at(v[0])], x[at(v[1])], x[at(v[2])], x[at(v[3])]};
    Closest closest = closest_points(pair.kind, p);
    if (closest.distance >= geometry_.reach[at(geometry_.body_of(pair))]) return false;
    if (!(closest.distance > 0) || !orient_contact_normal(context, pair, v, closest, x)) return false;
    const double weight = region_.weight(pair, closest, x);
    if (!(weight > 0) || !make(context, pair, closest, contact)) return false;
    contact.stiffness *= weight;
    if (closest.distance >= kContactTuning.reach * contact.thickness || !(contact.stiffness > 0))
        return false;
    set_friction_memory(context, x, contact);
    return true;
}

bool ContactBuilder::make_rigid(const ContactContext& context, ContactPair pair, Contact& contact) const {
    const std::array<int, 4> v = pair_vertices(geometry_.surface, pair);
    const std::vector<Vec3d>& x = context.begin;
    const Vec3d p[4] = {x[at(v[0])], x[at(v[1])], x[at(v[2])], x[at(v[3])]};
    const Closest closest = closest_points(pair.kind, p);
    if (!make(context, pair, closest, contact)) return false;
    contact.stiffness *= region_.weight(pair, closest, x);
    contact.at_begin = closest.separation;
    return contact.stiffness > 0;
}

std::vector<Contact> ContactBuilder::make_impacts(const ContactContext& context,
                                                  std::span<const Collision> collisions) const {
    std::vector<double> first_impact(at(geometry_.cloth_vertices), 2.0);
    for (const Collision& collision : collisions)
        for (int v : pair_vertices(geometry_.surface, collision.pair))
            if (geometry_.is_cloth(v)) first_impact[at(v)] = std::min(first_impact[at(v)], collision.time);
    std::vector<Contact> contacts;
    for (const Collision& collision : collisions) {
        const std::array<int, 4> v = pair_vertices(geometry_.surface, collision.pair);
        if (std::any_of(v.begin(), v.end(), [&](int i) {
                return geometry_.is_cloth(i) &&
                       collision.time > first_impact[at(i)] + kContactTuning.same_impact;
            }))
            continue;
        Vec3d impact[4];
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3d begin = context.begin[at(v[i])];
            impact[i] = begin + collision.time * (context.end[at(v[i])] - begin);
        }
        const Closest closest = closest_points(collision.pair.kind, impact);
        Contact contact;
        if (!make(context, collision.pair, closest, contact)) continue;
        contact.at_begin = closest.separation;
        contacts.push_back(contact);
    }
    return contacts;
}

void ContactBuilder::set_friction_memory(const ContactContext& context, std::span<const Vec3d> x,
                                         Contact& contact) const {
    const Vec3d* remembered = remembered_displacement(*context.memory, contact.pair);
    contact.tangential_displacement = remembered ? *remembered : Vec3d{};
    contact.at_begin = contact.separation(remembered ? context.begin : x);
}

// Cloth that is or may be behind an obstacle's surface is pushed to the side where it belongs, not to where
// it is. False: which side that is cannot be decided.
bool ContactBuilder::orient_contact_normal(const ContactContext& context, ContactPair pair,
                                           const std::array<int, 4>& v, Closest& closest,
                                           std::span<const Vec3d> x) const {
    bool inside = false, obstacle = false;
    for (int i : v) {
        inside |= context.penetrating[at(i)] != 0;
        obstacle |= !geometry_.is_cloth(i);
    }
    if (!obstacle || !inside) return true;
    const Vec3d normal = penetration_.obstacle_normal(pair, closest, x);
    const bool obstacle_first = !geometry_.is_cloth(v[0]);
    const double height = (obstacle_first ? -1 : 1) * dot(normal, closest.separation);
    if (height < 0) closest.separation = -closest.separation;
    return height != 0;
}

// A contact with the normal and the weights of these closest points. False: there is none to make.
bool ContactBuilder::make(const ContactContext& context, ContactPair pair, const Closest& closest,
                          Contact& contact) const {
    const Surface& surface = geometry_.surface;
    const std::array<int, 4> v = pair_vertices(surface, pair);
    bool free = !geometry_.is_cloth(v[0]) && !geometry_.is_cloth(v[3]);  // a rigid body on an obstacle
    for (std::size_t i = 0; i < 4; ++i) {
        contact.weight[i] = closest.weight[i];
        if (!geometry_.is_cloth(v[i])) continue;
        free |= context.inverse_mass[at(v[i])] > 0;
        contact.inverse_effective_mass +=
            closest.weight[i] * closest.weight[i] * context.inverse_mass[at(v[i])];
    }
    if (!free || !(closest.distance > 0)) return false;

    const bool faces = pair.kind == PairKind::vertex_face;
    const int body_a = faces ? surface.body_of_vertex[at(pair.a)] : surface.body_of_edge[at(pair.a)];
    const int body_b = faces ? surface.body_of_triangle[at(pair.b)] : surface.body_of_edge[at(pair.b)];
    contact.pair = pair;
    contact.vertex = v;
    contact.normal = (1 / closest.distance) * closest.separation;
    geometry_.set_law(contact, std::max(body_a, body_b));
    contact.stiffness =
        geometry_.settings.stiffness * std::min(geometry_.area(pair, false), geometry_.area(pair, true));
    // neighbours in the rest shape are nearer than the thickness, and are to stay so
    constexpr double kRestShare = kContactTuning.rest_share;
    if (body_a == body_b && !geometry_.apart_at_rest(pair.kind, v, contact.thickness / kRestShare)) {
        const std::vector<Vec3d>& rest = geometry_.rest;
        const Vec3d p[4] = {rest[at(v[0])], rest[at(v[1])], rest[at(v[2])], rest[at(v[3])]};
        const double near = closest_points(pair.kind, p).distance;
        if (!(near > 0)) return false;
        contact.thickness = std::min(contact.thickness, kRestShare * near);
    }
    set_smallest_gap(context, contact);
    return true;
}

// Cloth that is in an obstacle has no gap.
void ContactBuilder::set_smallest_gap(const ContactContext& context, Contact& contact) const {
    const bool inside =
        std::ranges::any_of(contact.vertex, [&](int v) { return context.penetrating[at(v)] != 0; });
    contact.smallest_gap = inside ? kSmallestGap * contact.thickness
                                  : smallest_gap(contact.gap(context.begin), contact.thickness);
}

bool ContactBuilder::share_corner(ContactPair pair, int other_b) const {
    const Surface& surface = geometry_.surface;
    const auto overlap = [](const auto& p, const auto& q) {
        return std::ranges::any_of(p, [&](int i) { return std::ranges::find(q, i) != q.end(); });
    };
    return pair.kind == PairKind::vertex_face
               ? overlap(surface.triangles[at(pair.b)], surface.triangles[at(other_b)])
               : overlap(surface.edges[at(pair.b)], surface.edges[at(other_b)]);
}

// What stuck to a triangle still sticks when its closest point has moved on to the next one.
const Vec3d* ContactBuilder::remembered_displacement(const ContactMemory& memory, ContactPair pair) const {
    const int kind = static_cast<int>(pair.kind);
    const auto before = [&](std::size_t i) {
        return memory.kind[i] != kind ? memory.kind[i] < kind : memory.a[i] < pair.a;
    };
    std::size_t low = 0, high = memory.a.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        before(middle) ? low = middle + 1 : high = middle;
    }
    std::size_t neighbour = memory.a.size();
    for (; low < memory.a.size() && memory.kind[low] == kind && memory.a[low] == pair.a; ++low) {
        if (memory.b[low] == pair.b) return &memory.tangential_displacement[low];
        if (neighbour == memory.a.size() && share_corner(pair, memory.b[low])) neighbour = low;
    }
    return neighbour < memory.a.size() ? &memory.tangential_displacement[neighbour] : nullptr;
}

}  // namespace rumple::contact
