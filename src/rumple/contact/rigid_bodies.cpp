#include <algorithm>
#include <cmath>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/contact/continuous.hpp>
#include <rumple/contact/rigid_bodies.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

RigidBodies::RigidBodies(const ContactGeometry& geometry, const ContactBuilder& builder,
                         const ContactModel& model)
    : geometry_(geometry), builder_(builder) {
    for (std::size_t o = 0; o < model.obstacles.size(); ++o)
        if (const ObstaclePart& part = model.obstacles[o]; part.mass > 0)
            bodies_.push_back({&part, geometry.cloth_bodies + o, mass_properties(part)});
}

void RigidBodies::positions(std::size_t body, const RigidBodyState& state, std::vector<Vec3d>& x) const {
    place_rigid_body(*bodies_[body].part, bodies_[body].mass, state, x);
}

void RigidBodies::put(std::size_t which, const RigidBodyState& state, std::vector<Vec3d>& x) const {
    std::vector<Vec3d> placed;
    positions(which, state, placed);
    std::copy(placed.begin(), placed.end(),
              x.begin() + geometry_.surface.bodies[bodies_[which].body].vertex_begin);
}

void RigidBodies::begin(std::span<const RigidBodyState> states, double slider_speed,
                        ContactContext& context) {
    before_.assign(states.begin(), states.end());
    for (std::size_t w = 0; w < bodies_.size(); ++w)
        if (bodies_[w].part->on_slider) before_[w].velocity *= slider_speed;
    next_ = before_;
    for (std::size_t w = 0; w < bodies_.size(); ++w) {
        put(w, before_[w], context.begin);
        put(w, before_[w], context.end);
        put(w, before_[w], context.predicted);
        if (!context.active[bodies_[w].body]) continue;
        RigidBodyState free = before_[w];
        if (bodies_[w].part->on_slider)
            free.position += context.h * free.velocity;
        else
            free = advance_rigid_body(bodies_[w].mass, before_[w], {}, context.h, context.gravity);
        put(w, free, context.predicted);
    }
}

void RigidBodies::advance(std::span<const ContactPair> pairs, ContactContext& context) {
    sliders_.clear();
    contacts_.clear();
    for (std::size_t w = 0; w < bodies_.size(); ++w)
        if (context.active[bodies_[w].body] && bodies_[w].part->on_slider)
            sliders_.push_back(make_slider(w, pairs, context));
    for (std::size_t w = 0; w < bodies_.size(); ++w)
        if (context.active[bodies_[w].body] && !bodies_[w].part->on_slider) advance_free(w, pairs, context);
}

void RigidBodies::advance_free(std::size_t which, std::span<const ContactPair> pairs,
                               ContactContext& context) {
    const SurfaceBody& body = geometry_.surface.bodies[bodies_[which].body];
    const int first = body.vertex_begin, last = body.vertex_end;
    std::vector<Contact> touched;
    std::vector<ContactPair> with_obstacles;
    for (const ContactPair pair : pairs) {
        const std::array<int, 4> v = pair_vertices(geometry_.surface, pair);
        if (std::ranges::none_of(v, [&](int i) { return i >= first && i < last; })) continue;
        if (std::ranges::none_of(v, [&](int i) { return geometry_.is_cloth(i); }))
            with_obstacles.push_back(pair);
        Contact contact;
        if (!builder_.make_rigid(context, pair, contact)) continue;
        if (const Vec3d* u = builder_.remembered_displacement(*context.memory, pair))
            contact.tangential_displacement = *u;
        touched.push_back(contact);
    }
    // cloth as it lies, other bodies where they go
    std::vector<Vec3d> x = context.predicted;
    std::copy(context.begin.begin(), context.begin.begin() + geometry_.cloth_vertices, x.begin());
    std::copy(context.begin.begin() + first, context.begin.begin() + last, x.begin() + first);
    const RigidBodyState next = advance_rigid_body(bodies_[which].mass, before_[which],
                                                   {touched, x, first, last}, context.h, context.gravity);
    next_[which] = stop_before(which, with_obstacles, next, context);
    std::copy(context.end.begin() + first, context.end.begin() + last, context.predicted.begin() + first);
    for (const Contact& c : touched)
        if (!geometry_.is_cloth(c.vertex[0]) && !geometry_.is_cloth(c.vertex[3])) contacts_.push_back(c);
}

RigidBodyState RigidBodies::stop_before(std::size_t which, std::span<const ContactPair> with_obstacles,
                                        RigidBodyState next, ContactContext& context) const {
    const double thickness = bodies_[which].part->thickness;
    put(which, next, context.end);
    if (earliest_toi(with_obstacles, thickness, context) >= 1) return next;
    // without a turn, which would not be a straight motion
    RigidBodyState straight = before_[which];
    const Vec3d displacement = next.position - straight.position;
    straight.position += displacement;
    put(which, straight, context.end);
    next = before_[which];
    next.velocity = next.spin = {};
    next.position += earliest_toi(with_obstacles, thickness, context) * displacement;
    put(which, next, context.end);
    return next;
}

// How far, 0 to 1, these pairs can go from the beginning to the end of the step before they meet.
double RigidBodies::earliest_toi(std::span<const ContactPair> pairs, double thickness,
                                 const ContactContext& context) const {
    double earliest = 1;
    for (const ContactPair pair : pairs) {
        const std::array<int, 4> v = pair_vertices(geometry_.surface, pair);
        Vec3d p0[4], p1[4];
        for (std::size_t i = 0; i < 4; ++i) {
            p0[i] = context.begin[at(v[i])];
            p1[i] = context.end[at(v[i])];
        }
        earliest = std::min(earliest,
                            time_of_impact(pair.kind, p0, p1, kContactTuning.rigid_separation * thickness));
    }
    return earliest;
}

std::vector<RigidBodyState> RigidBodies::end_states(double h) const {
    std::vector<RigidBodyState> states = next_;
    for (const Slider& s : sliders_) {
        states[s.which].position = before_[s.which].position + s.displacement * s.along;
        states[s.which].velocity = (s.displacement / h) * s.along;
        states[s.which].spin = {};
    }
    return states;
}

bool RigidBodies::finite() const {
    return std::all_of(next_.begin(), next_.end(), [](const RigidBodyState& w) {
        const Vec3d sum = w.position + w.velocity + w.spin;
        return std::isfinite(dot(sum, sum));
    });
}

// Two free bodies that touch each make their contact. The one that moved later knew where both end.
std::vector<Contact> RigidBodies::contacts() const {
    std::vector<Contact> sorted = contacts_;
    std::ranges::stable_sort(sorted, {}, &Contact::pair);
    std::vector<Contact> once;
    for (const Contact& c : sorted) {
        if (!once.empty() && once.back().pair == c.pair) once.pop_back();
        once.push_back(c);
    }
    return once;
}

}  // namespace rumple::contact
