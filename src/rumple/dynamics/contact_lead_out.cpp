// ContactSystem: contacts that bring cloth out of obstacles it is caught in.
#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>

namespace rumple {

// Each exempt vertex is drawn out of the nearest surface, or kept outside it, by a contact of its own: as if
// it were no deeper than a thickness, so that it comes out by about two in a step, however deep it is.
void ContactSystem::lead_out(const Threads& threads) {
    std::vector<Contact> all(inside_.size());
    std::vector<std::uint8_t> behind(exempt_.size(), 0);  // one a vertex, of the exempt
    if (!inside_.empty()) penetration_.place(threads, begin_, active_);
    threads.for_each(inside_.size(), 16, [&](std::size_t k) {
        const int v = inside_[k];
        const NearestFace face = penetration_.nearest(v, kDeepest);
        behind[at(v)] = face.height < 0;
        if (face.triangle < 0 || !(inverse_mass_[at(v)] > 0)) return;
        const Body& body = bodies_[at(surface_.body_of_triangle[at(face.triangle)])];
        if (face.height > kReach * body.thickness || norm(face.outward) == 0) return;
        Contact& c = all[k];
        c.pair = {PairKind::vertex_face, v, face.triangle};
        c.vertex = pair_vertices(surface_, c.pair);
        for (std::size_t i = 0; i < 4; ++i) c.weight[i] = face.closest.weight[i];
        c.normal = face.outward;
        set_law(c, body);
        c.stiffness = model_.contact.settings.stiffness * area_of(c.pair, false);
        c.at_begin = face.closest.separation;
        c.give = inverse_mass_[at(v)];
        c.lift = std::max(0.0, -face.height - body.thickness);
    });
    leading_out_.clear();
    for (const Contact& c : all)
        if (c.stiffness > 0) leading_out_.push_back(c);
    draw_off(threads, behind);
    std::ranges::sort(leading_out_, {}, &Contact::pair);
}

// Cloth triangles that an obstacle sticks out through, all of whose corners are outside, are drawn off it: a
// point of theirs that is inside is held to the obstacle's nearest face, written as a contact with one of
// that face's corners.
void ContactSystem::draw_off(const Threads& threads, std::span<const std::uint8_t> behind) {
    std::vector<int> suspects;
    for (int v : inside_)
        for (int t : surface_.triangles_around(v))
            if (std::ranges::all_of(surface_.triangles[at(t)], [&](int w) { return exempt_[at(w)] != 0; }))
                suspects.push_back(t);
    std::ranges::sort(suspects);
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
    std::vector<Contact> all(suspects.size());
    threads.for_each(suspects.size(), 4, [&](std::size_t k) {
        const std::array<int, 3>& corners = surface_.triangles[at(suspects[k])];
        if (std::ranges::any_of(corners, [&](int v) { return behind[at(v)] != 0; }))
            return;  // led out by its corners
        const PiercedPoint point = penetration_.pierced(suspects[k], kDeepest);
        if (point.face.triangle < 0 || norm(point.face.outward) == 0) return;
        const Body& body = bodies_[at(surface_.body_of_triangle[at(point.face.triangle)])];
        const auto& face = surface_.triangles[at(point.face.triangle)];
        const double* on_face = point.face.closest.weight + 1;  // negative
        const int corner = face[static_cast<std::size_t>(std::min_element(on_face, on_face + 3) - on_face)];
        Contact& c = all[k];
        c.pair = {PairKind::vertex_face, corner, suspects[k]};
        c.vertex = pair_vertices(surface_, c.pair);
        c.weight[0] = 1;
        for (std::size_t i = 0; i < 3; ++i) {
            c.weight[i + 1] = -point.weight[i];
            c.give += point.weight[i] * point.weight[i] * inverse_mass_[at(corners[i])];
        }
        if (!(c.give > 0)) return;
        c.normal = -point.face.outward;
        set_law(c, body);
        c.at_begin = Contacts::separation(c, begin_);
        c.stiffness = model_.contact.settings.stiffness * area_of(c.pair, true) / 3;
        // the gap is that to the face; the deep are taken to be no deeper than a thickness
        c.lift = std::max(point.face.height, -body.thickness) - dot(c.normal, c.at_begin);
    });
    for (const Contact& c : all)
        if (c.stiffness > 0) leading_out_.push_back(c);
}

}  // namespace rumple
