#include <algorithm>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/contact/penetration_recovery.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

void PenetrationRecovery::begin(const Threads& threads, bool search, ContactContext& context) {
    context.penetrating_vertices = context.memory->inside;
    if (search) {
        penetration_.place(threads, context.begin, context.active);
        const std::vector<int> found = penetration_.find(threads);
        context.penetrating_vertices.assign(found.begin(), found.end());
    }
    context.penetrating.assign(context.begin.size(), 0);
    for (int v : context.penetrating_vertices) context.penetrating[at(v)] = 1;
}

// Each penetrating vertex is pushed out of the nearest surface, or kept outside it, by a contact of its own:
// as if it were no deeper than a thickness, so that it comes out by about two in a step, however deep it is.
void PenetrationRecovery::make_contacts(const Threads& threads, ContactContext& context) {
    const std::vector<std::int32_t>& inside = context.penetrating_vertices;
    context.recovery_contacts.clear();
    if (inside.empty()) return;
    std::vector<Contact> all(inside.size());
    std::vector<std::uint8_t> behind(context.penetrating.size(), 0);  // one a vertex, of the penetrating
    penetration_.place(threads, context.begin, context.active);
    threads.for_each(inside.size(), 16, [&](std::size_t k) {
        const NearestFace face = penetration_.nearest(inside[k], kContactTuning.max_depth);
        behind[at(inside[k])] = face.height < 0;
        all[k] = vertex_contact(inside[k], face, context);
    });
    for (const Contact& c : all)
        if (c.stiffness > 0) context.recovery_contacts.push_back(c);
    add_piercing_contacts(threads, behind, context);
    std::ranges::sort(context.recovery_contacts, {}, &Contact::pair);
}

// Without stiffness: there is none to make.
Contact PenetrationRecovery::vertex_contact(int v, const NearestFace& face,
                                            const ContactContext& context) const {
    Contact c;
    if (face.triangle < 0 || !(context.inverse_mass[at(v)] > 0)) return c;
    const int body = geometry_.surface.body_of_triangle[at(face.triangle)];
    if (face.height > geometry_.reach[at(body)] || norm(face.outward) == 0) return c;
    c.pair = {PairKind::vertex_face, v, face.triangle};
    c.vertex = pair_vertices(geometry_.surface, c.pair);
    for (std::size_t i = 0; i < 4; ++i) c.weight[i] = face.closest.weight[i];
    c.normal = face.outward;
    geometry_.set_law(c, body);
    c.stiffness = geometry_.settings.stiffness * geometry_.area(c.pair, false);
    c.at_begin = face.closest.separation;
    c.inverse_effective_mass = context.inverse_mass[at(v)];
    c.gap_offset = std::max(0.0, -face.height - c.thickness);
    return c;
}

// Cloth triangles that an obstacle sticks out through, though all of their corners are outside, are pulled
// off it.
void PenetrationRecovery::add_piercing_contacts(const Threads& threads, std::span<const std::uint8_t> behind,
                                                ContactContext& context) const {
    const Surface& surface = geometry_.surface;
    std::vector<int> suspects;
    for (int v : context.penetrating_vertices)
        for (int t : surface.triangles_around(v))
            if (std::ranges::all_of(surface.triangles[at(t)],
                                    [&](int w) { return context.penetrating[at(w)] != 0; }))
                suspects.push_back(t);
    std::ranges::sort(suspects);
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
    std::vector<Contact> all(suspects.size());
    threads.for_each(suspects.size(), 4, [&](std::size_t k) {
        if (std::ranges::any_of(surface.triangles[at(suspects[k])],
                                [&](int v) { return behind[at(v)] != 0; }))
            return;  // pushed out by its corners
        all[k] = piercing_contact(suspects[k], context);
    });
    for (const Contact& c : all)
        if (c.stiffness > 0) context.recovery_contacts.push_back(c);
}

// A point of the triangle that is inside is held to the obstacle's nearest face, written as a contact with
// one of that face's corners. Without stiffness: there is none to make.
Contact PenetrationRecovery::piercing_contact(int triangle, const ContactContext& context) const {
    const Surface& surface = geometry_.surface;
    const PiercedPoint point = penetration_.pierced(triangle, kContactTuning.max_depth);
    if (point.face.triangle < 0 || norm(point.face.outward) == 0) return {};
    const auto& face = surface.triangles[at(point.face.triangle)];
    const double* on_face = point.face.closest.weight + 1;  // negative
    const int corner = face[static_cast<std::size_t>(std::min_element(on_face, on_face + 3) - on_face)];
    Contact c;
    c.pair = {PairKind::vertex_face, corner, triangle};
    c.vertex = pair_vertices(surface, c.pair);
    c.weight[0] = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        const int v = surface.triangles[at(triangle)][i];
        c.weight[i + 1] = -point.weight[i];
        c.inverse_effective_mass += point.weight[i] * point.weight[i] * context.inverse_mass[at(v)];
    }
    if (!(c.inverse_effective_mass > 0)) return {};
    c.normal = -point.face.outward;
    geometry_.set_law(c, surface.body_of_triangle[at(point.face.triangle)]);
    c.at_begin = c.separation(context.begin);
    c.stiffness = geometry_.settings.stiffness * geometry_.area(c.pair, true) / 3;
    // the gap is that to the face; what is deeper than a thickness is taken to be that deep
    c.gap_offset = std::max(point.face.height, -c.thickness) - dot(c.normal, c.at_begin);
    return c;
}

PenetrationRecovery::Depth PenetrationRecovery::measure(const Threads& threads,
                                                        const ContactContext& context) {
    Depth depth;
    if (!context.unresolved && context.penetrating_vertices.empty()) return depth;
    penetration_.place(threads, context.end, context.active);
    for (int v : penetration_.find(threads)) {
        depth.vertices.push_back(v);
        depth.deepest = std::max(depth.deepest, -penetration_.nearest(v, kContactTuning.max_depth).height);
    }
    return depth;
}

}  // namespace rumple::contact
