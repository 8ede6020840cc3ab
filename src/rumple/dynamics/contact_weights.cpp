// ContactSystem: weights. In a guide they are solved for with the cloth; without one they go first in a step.
#include <rumple/contact/continuous.hpp>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>

namespace rumple {

void ContactSystem::put_weight(std::size_t body, const ObstaclePart& weight, const RigidBodyState& state,
                               std::vector<Vec3d>& x) {
    std::vector<Vec3d> placed;
    place_weight(weight, state, placed);
    std::copy(placed.begin(), placed.end(), x.begin() + surface_.bodies[body].vertex_begin);
}

// Where weights would go if nothing stopped them.
void ContactSystem::let_weights_fall(const State& state, const StepInput& input) {
    std::size_t w = 0, body = model_.part_begin.size() - 1;
    for (const ObstaclePart& o : model_.contact.obstacles) {
        if (o.mass > 0 && active_[body] && o.guided) {
            RigidBodyState next = state.rigid_bodies[w];
            next.position += input.h * next.velocity;
            put_weight(body, o, next, predicted_);
        } else if (o.mass > 0 && active_[body])
            put_weight(
                body, o,
                advance_weight(o, weight_mass_[w], state.rigid_bodies[w], {}, {}, 0, input.h, input.gravity),
                predicted_);
        w += o.mass > 0;
        ++body;
    }
}

// How far, 0 to 1, these pairs can go from begin_ to end_ before they meet.
double ContactSystem::free_way(std::span<const ContactPair> pairs, double thickness) const {
    double way = 1;
    for (const ContactPair pair : pairs) {
        const std::array<int, 4> v = pair_vertices(surface_, pair);
        Vec3d p0[4], p1[4];
        for (std::size_t i = 0; i < 4; ++i) {
            p0[i] = begin_[at(v[i])];
            p1[i] = end_[at(v[i])];
        }
        way = std::min(way, time_of_impact(pair.kind, p0, p1, 0.1 * thickness));
    }
    return way;
}

double ContactSystem::share_of(const Contact& c, const Guided& g) const {
    const SurfaceBody& body = surface_.bodies[g.body];
    double share = 0;
    for (std::size_t i = 0; i < 4; ++i)
        if (c.vertex[i] >= body.vertex_begin && c.vertex[i] < body.vertex_end) share += c.weight[i];
    return share;
}

// Of an ascending list the pairs of weights and obstacles: cloth comes first in the surface.
std::vector<ContactPair> ContactSystem::without_cloth(std::span<const ContactPair> pairs) const {
    std::vector<ContactPair> found;
    const auto first_edges = std::ranges::lower_bound(pairs, ContactPair{PairKind::edge_edge, 0, 0});
    const auto keep = [&](auto begin, auto end, ContactPair first) {
        std::copy_if(std::lower_bound(begin, end, first), end, std::back_inserter(found),
                     [&](ContactPair pair) { return pair.b >= first.b; });
    };
    keep(pairs.begin(), first_edges, {PairKind::vertex_face, cloth_vertices_, cloth_triangles_});
    keep(first_edges, pairs.end(), {PairKind::edge_edge, cloth_edges_, cloth_edges_});
    return found;
}

void ContactSystem::begin_guided(std::span<const ContactPair> pairs, const State& state,
                                 const StepInput& input) {
    guided_.clear();
    std::size_t w = 0, body = model_.part_begin.size() - 1;
    for (std::size_t o = 0; o < model_.contact.obstacles.size(); ++o, ++body) {
        const ObstaclePart& weight = model_.contact.obstacles[o];
        if (!(weight.mass > 0)) continue;
        const std::size_t which = w++;
        if (!active_[body] || !weight.guided) continue;
        Guided g;
        g.which = which;
        g.body = body;
        g.along = normalized(weight.guide);
        g.mass = weight.mass;
        g.free_way = input.h * dot(g.along, state.rigid_bodies[which].velocity + input.h * input.gravity);
        for (const ContactPair pair : without_cloth(pairs)) {
            const std::array<int, 4> v = pair_vertices(surface_, pair);
            const int a = surface_.body_of_vertex[at(v[0])], b = surface_.body_of_vertex[at(v[3])];
            if (a != static_cast<int>(body) && b != static_cast<int>(body)) continue;
            g.pairs.push_back(pair);
            const Vec3d x[4] = {begin_[at(v[0])], begin_[at(v[1])], begin_[at(v[2])], begin_[at(v[3])]};
            const Closest closest = closest_points(pair.kind, x);
            Contact contact;
            if (!make_contact(pair, closest, contact)) continue;
            contact.stiffness *= neighbourhood_.share(pair, closest, begin_);
            contact.at_begin = closest.separation;
            if (contact.stiffness > 0) g.rests.push_back(contact);
        }
        guided_.push_back(std::move(g));
    }
}

void ContactSystem::place_guided(const Guided& g, double way) {
    const SurfaceBody& body = surface_.bodies[g.body];
    for (int v = body.vertex_begin; v < body.vertex_end; ++v) end_[at(v)] = begin_[at(v)] + way * g.along;
}

void ContactSystem::try_guided(double share) {
    for (const Guided& g : guided_) place_guided(g, g.way + share * g.step);
}

void ContactSystem::accept_guided(double share) {
    for (Guided& g : guided_) {
        g.way += share * g.step;
        g.step = 0;
        place_guided(g, g.way);
    }
}

// A weight that would pass through an obstacle stops on the way.
void ContactSystem::stop_guided() {
    for (Guided& g : guided_) {
        const double free = free_way(g.pairs, bodies_[g.body].thickness);
        if (free >= 1) continue;
        g.way *= free;
        place_guided(g, g.way);
    }
}

ContactSystem::Ride ContactSystem::ride(std::size_t guided, double h2,
                                        std::span<const std::uint8_t> constrained,
                                        std::span<Vec3d> coupling) const {
    const Guided& g = guided_[guided];
    std::fill(coupling.begin(), coupling.end(), Vec3d{});
    Ride ride{g.mass, g.mass * (g.free_way - g.way)};
    for (const Contact& c : g.rests) {
        const double slope = share_of(c, g) * dot(c.normal, g.along);
        const Push<double> p = push(dot(c.normal, c.at_begin) + slope * g.way, c.thickness, c.stiffness);
        ride.stiffness += h2 * slope * slope * p.stiffness;
        ride.force += h2 * slope * p.force;
    }
    for (const int contact : contacts_.with_obstacles()) {
        const std::size_t k = at(contact);
        if (!(contacts_.flags()[k] & kTouching)) continue;
        const Contact& c = contacts_.list()[k];
        const double share = share_of(c, g);
        if (share == 0) continue;
        const ContactForces& f = contacts_.forces()[k];
        const Vec3d pull = contacts_.stiffness(k) * g.along;
        ride.stiffness += h2 * share * share * dot(g.along, pull);
        ride.force += h2 * share * dot(g.along, f.push.force * c.normal - f.rub.force + f.shift);
        for (std::size_t i = 0; i < 4; ++i)
            if (c.vertex[i] < cloth_vertices_ && !constrained[at(c.vertex[i])])
                coupling[at(c.vertex[i])] += (h2 * share * c.weight[i]) * pull;
    }
    return ride;
}

// Of the incremental potential: what is not in the contacts with cloth.
double ContactSystem::guided_energy(double h2) const {
    double sum = 0;
    for (const Guided& g : guided_) {
        const double way = dot(g.along, end_[at(surface_.bodies[g.body].vertex_begin)] -
                                            begin_[at(surface_.bodies[g.body].vertex_begin)]);
        sum += 0.5 * g.mass * (way - g.free_way) * (way - g.free_way);
        for (const Contact& c : g.rests)
            sum += h2 * push(dot(c.normal, c.at_begin) + share_of(c, g) * dot(c.normal, g.along) * way,
                             c.thickness, c.stiffness)
                            .energy;
    }
    return sum;
}

// Weights go first, against cloth as it lies; cloth then goes with the weights' motion given. (Not against
// cloth where it would go by itself: a thread that jumps up would throw a weight which, in this half of the
// step, cannot know how light it is.) A weight that would pass through an obstacle stops on the way.
void ContactSystem::move_weights(std::span<const ContactPair> pairs, const State& state,
                                 const StepInput& input) {
    weight_contacts_.clear();
    std::size_t w = 0, body = model_.part_begin.size() - 1;
    for (std::size_t o = 0; o < model_.contact.obstacles.size(); ++o, ++body) {
        const ObstaclePart& weight = model_.contact.obstacles[o];
        if (!(weight.mass > 0)) continue;
        const std::size_t which = w++;
        if (!active_[body] || weight.guided) continue;
        const int first = surface_.bodies[body].vertex_begin, last = surface_.bodies[body].vertex_end;
        std::vector<Contact> touched;
        std::vector<ContactPair> with_obstacles;
        for (const ContactPair pair : pairs) {
            const std::array<int, 4> v = pair_vertices(surface_, pair);
            bool mine = false, cloth = false;
            for (int i : v) {
                mine |= i >= first && i < last;
                cloth |= i < cloth_vertices_;
            }
            if (!mine) continue;
            if (!cloth) with_obstacles.push_back(pair);
            const Vec3d x[4] = {begin_[at(v[0])], begin_[at(v[1])], begin_[at(v[2])], begin_[at(v[3])]};
            const Closest closest = closest_points(pair.kind, x);
            Contact contact;
            if (!make_contact(pair, closest, contact)) continue;
            contact.stiffness *= neighbourhood_.share(pair, closest, begin_);
            if (!(contact.stiffness > 0)) continue;
            contact.at_begin = closest.separation;
            if (const Vec3d* offset = remembered_offset(state.contact, pair)) contact.offset = *offset;
            touched.push_back(contact);
        }
        std::vector<Vec3d> around = predicted_;
        std::copy(begin_.begin(), begin_.begin() + cloth_vertices_, around.begin());
        std::copy(begin_.begin() + first, begin_.begin() + last, around.begin() + first);
        RigidBodyState next = advance_weight(weight, weight_mass_[which], state.rigid_bodies[which], touched,
                                             around, first, input.h, input.gravity);
        put_weight(body, weight, next, end_);
        if (free_way(with_obstacles, weight.thickness) < 1) {
            // stops on the way, without a turn (which would lead off the straight way)
            const RigidBodyState& before = state.rigid_bodies[which];
            const Vec3d way = next.position - before.position;
            next = before;
            next.velocity = next.spin = {};
            RigidBodyState straight = before;
            straight.position += way;
            put_weight(body, weight, straight, end_);
            next.position += free_way(with_obstacles, weight.thickness) * way;
            put_weight(body, weight, next, end_);
        }
        weights_[which] = next;
        std::copy(end_.begin() + first, end_.begin() + last, predicted_.begin() + first);
        for (const Contact& c : touched)
            if (c.vertex[0] >= cloth_vertices_ && c.vertex[3] >= cloth_vertices_)
                weight_contacts_.push_back(c);
    }
}

}  // namespace rumple
