// ContactSystem: weights, which go first in a step.
#include <rumple/contact/continuous.hpp>
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>

namespace rumple {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void ContactSystem::put_weight(std::size_t body, const ObstaclePart& weight, const WeightState& state,
                               std::vector<Vec3d>& x) {
    std::vector<Vec3d> placed;
    place_weight(weight, state, placed);
    std::copy(placed.begin(), placed.end(), x.begin() + surface_.bodies[body].vertex_begin);
}

// Where weights would go if nothing stopped them.
void ContactSystem::let_weights_fall(const State& state, const StepInput& input) {
    std::size_t w = 0, body = model_.part_begin.size() - 1;
    for (const ObstaclePart& o : model_.contact.obstacles) {
        if (o.mass > 0 && active_[body])
            put_weight(
                body, o,
                advance_weight(o, weight_mass_[w], state.weights[w], {}, {}, 0, input.h, input.gravity),
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
        if (!active_[body]) continue;
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
        WeightState next = advance_weight(weight, weight_mass_[which], state.weights[which], touched, around,
                                          first, input.h, input.gravity);
        put_weight(body, weight, next, end_);
        if (free_way(with_obstacles, weight.thickness) < 1) {
            // stops on the way, without a turn (which would lead off the straight way)
            const WeightState& before = state.weights[which];
            const Vec3d way = next.position - before.position;
            next = before;
            next.velocity = next.spin = {};
            WeightState straight = before;
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
