// RigidBodies: those on a slider, which are solved for together with the cloth.
#include <algorithm>
#include <rumple/contact/rigid_bodies.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

// Of an ascending list the pairs of rigid bodies and obstacles: cloth comes first in the surface.
std::vector<ContactPair> RigidBodies::without_cloth(std::span<const ContactPair> pairs) const {
    std::vector<ContactPair> found;
    const auto first_edges = std::ranges::lower_bound(pairs, ContactPair{PairKind::edge_edge, 0, 0});
    const auto keep = [&](auto begin, auto end, ContactPair first) {
        std::copy_if(std::lower_bound(begin, end, first), end, std::back_inserter(found),
                     [&](ContactPair pair) { return pair.b >= first.b; });
    };
    keep(pairs.begin(), first_edges,
         {PairKind::vertex_face, geometry_.cloth_vertices, geometry_.cloth_triangles});
    keep(first_edges, pairs.end(), {PairKind::edge_edge, geometry_.cloth_edges, geometry_.cloth_edges});
    return found;
}

RigidBodies::Slider RigidBodies::make_slider(std::size_t which, std::span<const ContactPair> pairs,
                                             const ContactContext& context) const {
    const Body& rigid = bodies_[which];
    Slider s;
    s.which = which;
    s.body = rigid.body;
    s.along = normalized(rigid.part->slider);
    s.mass = rigid.mass.mass;
    s.free_displacement = context.h * dot(s.along, before_[which].velocity + context.h * context.gravity);
    for (const ContactPair pair : without_cloth(pairs)) {
        const std::array<int, 4> v = pair_vertices(geometry_.surface, pair);
        const auto own = static_cast<int>(rigid.body);
        if (geometry_.surface.body_of_vertex[at(v[0])] != own &&
            geometry_.surface.body_of_vertex[at(v[3])] != own)
            continue;
        s.pairs.push_back(pair);
        if (Contact contact; builder_.make_rigid(context, pair, contact)) s.rests.push_back(contact);
    }
    return s;
}

// The part of a contact's separation that moves with the body.
double RigidBodies::share_of(const Contact& c, const Slider& s) const {
    const SurfaceBody& body = geometry_.surface.bodies[s.body];
    double share = 0;
    for (std::size_t i = 0; i < 4; ++i)
        if (c.vertex[i] >= body.vertex_begin && c.vertex[i] < body.vertex_end) share += c.weight[i];
    return share;
}

void RigidBodies::put_slider(const Slider& s, double displacement, ContactContext& context) const {
    const SurfaceBody& body = geometry_.surface.bodies[s.body];
    for (int v = body.vertex_begin; v < body.vertex_end; ++v)
        context.end[at(v)] = context.begin[at(v)] + displacement * s.along;
}

void RigidBodies::try_sliders(double share, ContactContext& context) const {
    for (const Slider& s : sliders_) put_slider(s, s.displacement + share * s.step, context);
}

void RigidBodies::accept_sliders(double share, ContactContext& context) {
    for (Slider& s : sliders_) {
        s.displacement += share * s.step;
        s.step = 0;
        put_slider(s, s.displacement, context);
    }
}

void RigidBodies::stop_sliders(ContactContext& context) {
    for (Slider& s : sliders_) {
        const double toi = earliest_toi(s.pairs, geometry_.thickness[s.body], context);
        if (toi >= 1) continue;
        s.displacement *= toi;
        put_slider(s, s.displacement, context);
    }
}

void RigidBodies::reset_sliders(ContactContext& context) {
    for (Slider& s : sliders_) {
        s.displacement = 0;
        put_slider(s, 0, context);
    }
}

RigidBodies::SchurTerm RigidBodies::schur_term(std::size_t slider, const ContactSet& contacts, double h2,
                                               std::span<const std::uint8_t> constrained,
                                               std::span<Vec3d> coupling) const {
    const Slider& s = sliders_[slider];
    std::fill(coupling.begin(), coupling.end(), Vec3d{});
    SchurTerm term{s.mass, s.mass * (s.free_displacement - s.displacement)};
    for (const Contact& c : s.rests) {
        const double slope = share_of(c, s) * dot(c.normal, s.along);
        const NormalResponse<double> p =
            ContactSet::normal(c, dot(c.normal, c.at_begin) + slope * s.displacement);
        term.stiffness += h2 * slope * slope * p.stiffness;
        term.force += h2 * slope * p.force;
    }
    for (const int contact : contacts.with_obstacles()) {
        const std::size_t k = at(contact);
        if (!(contacts.flags()[k] & kTouching)) continue;
        const Contact& c = contacts.list()[k];
        const double share = share_of(c, s);
        if (share == 0) continue;
        const ContactForces& f = contacts.forces()[k];
        const Vec3d pull = contacts.stiffness(k) * s.along;
        term.stiffness += h2 * share * share * dot(s.along, pull);
        term.force += h2 * share * dot(s.along, f.normal.force * c.normal - f.friction.force + f.shift);
        for (std::size_t i = 0; i < 4; ++i)
            if (geometry_.is_cloth(c.vertex[i]) && !constrained[at(c.vertex[i])])
                coupling[at(c.vertex[i])] += (h2 * share * c.weight[i]) * pull;
    }
    return term;
}

bool RigidBodies::sliders_press(const ContactSet& contacts) const {
    return std::ranges::any_of(contacts.with_obstacles(), [&](int k) {
        return (contacts.flags()[at(k)] & kTouching) && std::ranges::any_of(sliders_, [&](const Slider& s) {
                   return share_of(contacts.list()[at(k)], s) != 0;
               });
    });
}

double RigidBodies::slider_energy(const ContactContext& context, double h2) const {
    double sum = 0;
    for (const Slider& s : sliders_) {
        const std::size_t v = at(geometry_.surface.bodies[s.body].vertex_begin);
        const double displacement = dot(s.along, context.end[v] - context.begin[v]);
        const double off = displacement - s.free_displacement;
        sum += 0.5 * s.mass * off * off;
        for (const Contact& c : s.rests)
            sum += h2 * ContactSet::normal(c, dot(c.normal, c.at_begin) +
                                                  share_of(c, s) * dot(c.normal, s.along) * displacement)
                            .energy;
    }
    return sum;
}

}  // namespace rumple::contact
