#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <rumple/core/stopwatch.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 1024;
constexpr double kSlack = 0.05;       // in mean edges, at most: how far things move between searches
constexpr double kSameImpact = 0.05;  // of the step: impacts this close count as one
constexpr double kMisguess = 0.02;    // of the slip's length: beyond, its secant was a poor one
constexpr double kLetGo = 1.05;       // in thicknesses: a gap from which a contact has surely let go

std::vector<double> reach_of(const Model& model, double thicknesses) {
    std::vector<double> reach(model.part_begin.size() - 1, thicknesses * model.contact.settings.thickness);
    for (const ObstaclePart& o : model.contact.obstacles) reach.push_back(thicknesses * o.thickness);
    return reach;
}

std::vector<Vec3d> rest_of(const Model& model) {
    std::vector<Vec3d> rest = model.initial;
    for (const ObstaclePart& o : model.contact.obstacles)
        rest.insert(rest.end(), o.vertices.begin(), o.vertices.end());
    return rest;
}

Surface surface_of(const Model& model) {
    std::vector<std::vector<std::array<int, 3>>> local;
    std::vector<BodyMesh> bodies;
    for (std::size_t p = 0; p + 1 < model.part_begin.size(); ++p) {
        local.emplace_back(model.triangles.begin() + model.part_triangle_begin[p],
                           model.triangles.begin() + model.part_triangle_begin[p + 1]);
        for (auto& triangle : local.back())
            for (int& v : triangle) v -= model.part_begin[p];
    }
    for (std::size_t p = 0; p < local.size(); ++p)
        bodies.push_back({BodyKind::cloth, model.part_begin[p + 1] - model.part_begin[p], local[p], true});
    for (const ObstaclePart& o : model.contact.obstacles)
        bodies.push_back({o.mass > 0 ? BodyKind::weight : BodyKind::obstacle,
                          static_cast<int>(o.vertices.size()), o.triangles, o.moves || o.mass > 0});
    return make_surface(bodies);
}

}  // namespace

ContactSystem::ContactSystem(const Model& model)
    : model_(model),
      cloth_vertices_(model.vertex_count()),
      surface_(surface_of(model)),
      neighbourhood_(surface_),
      penetration_(surface_),
      contacts_(model.vertex_count()),
      rest_(rest_of(model)),
      response_(surface_, reach_of(model, kReach),
                std::min(kReach * model.contact.settings.thickness, kSlack * model.mean_edge_length), rest_) {
    const ContactSettings& s = model.contact.settings;
    for (const ObstaclePart& o : model.contact.obstacles)
        if (o.mass > 0) weight_mass_.push_back(mass_properties(o));
    const std::size_t cloths = model.part_begin.size() - 1;
    for (std::size_t b = 0; b < surface_.bodies.size(); ++b) {
        if (b < cloths)
            bodies_.push_back({s.thickness, s.friction});
        else
            bodies_.push_back({model.contact.obstacles[b - cloths].thickness,
                               model.contact.obstacles[b - cloths].friction});
        thickness_.push_back(bodies_.back().thickness);
        reach_.push_back(kReach * thickness_.back());
    }
    active_.assign(surface_.bodies.size(), 1);

    vertex_area_.assign(at(surface_.vertex_count), 0.0);
    edge_area_.assign(surface_.edges.size(), 0.0);
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
        const auto& v = surface_.triangles[t];
        const double area =
            0.5 * norm(cross(rest_[at(v[1])] - rest_[at(v[0])], rest_[at(v[2])] - rest_[at(v[0])]));
        for (int i : v) vertex_area_[at(i)] += area / 3;
        for (int e : surface_.triangle_edges[t]) edge_area_[at(e)] += area / 3;
    }
    begin_ = end_ = predicted_ = rest_;
    for (std::size_t b = 0; b < cloths; ++b) {
        cloth_edges_ = std::max(cloth_edges_, surface_.bodies[b].edge_end);
        cloth_triangles_ = std::max(cloth_triangles_, surface_.bodies[b].triangle_end);
    }
    exempt_.assign(at(surface_.vertex_count), 0);
    inverse_mass_.resize(at(cloth_vertices_));
}

bool ContactSystem::knows(const State& state) const {
    if (state.rigid_bodies.size() != weight_mass_.size()) return false;
    const ContactMemory& memory = state.contact;
    const auto below = [](std::int32_t i, std::size_t count) { return i >= 0 && at(i) < count; };
    for (std::size_t k = 0; k < memory.kind.size(); ++k) {
        const bool edges = memory.kind[k] == static_cast<std::int32_t>(PairKind::edge_edge);
        if (!edges && memory.kind[k] != static_cast<std::int32_t>(PairKind::vertex_face)) return false;
        if (!below(memory.a[k], edges ? surface_.edges.size() : at(surface_.vertex_count)) ||
            !below(memory.b[k], edges ? surface_.edges.size() : surface_.triangles.size()))
            return false;
    }
    return std::all_of(memory.inside.begin(), memory.inside.end(),
                       [&](std::int32_t v) { return below(v, at(cloth_vertices_)); });
}

bool ContactSystem::weights_are_finite() const {
    return std::all_of(weights_.begin(), weights_.end(), [](const RigidBodyState& w) {
        const Vec3d sum = w.position + w.velocity + w.spin;
        return std::isfinite(dot(sum, sum));
    });
}

CollisionRules ContactSystem::rules() const {
    return {cloth_vertices_, inverse_mass_, thickness_,
            active_,         exempt_,       model_.contact.settings.cloth_on_cloth};
}

void ContactSystem::put_cloth(std::span<const Vec3d> cloth) {
    std::copy(cloth.begin(), cloth.end(), end_.begin());
}

void ContactSystem::place_obstacles(const State& state, const StepInput& input) {
    const std::size_t cloths = model_.part_begin.size() - 1;
    std::size_t weight = 0, given = 0, next = at(cloth_vertices_);
    std::vector<Vec3d> placed;
    for (std::size_t o = 0; o < model_.contact.obstacles.size(); ++o) {
        const ObstaclePart& obstacle = model_.contact.obstacles[o];
        const std::size_t count = obstacle.vertices.size();
        active_[cloths + o] = input.obstacles.present.empty() || input.obstacles.present[o];
        if (obstacle.mass > 0) {
            placed.clear();
            place_weight(obstacle, state.rigid_bodies[weight++], placed);
            std::copy(placed.begin(), placed.end(), begin_.begin() + static_cast<std::ptrdiff_t>(next));
            std::copy(placed.begin(), placed.end(), end_.begin() + static_cast<std::ptrdiff_t>(next));
        } else if (obstacle.moves && !input.obstacles.begin.empty()) {
            for (std::size_t i = 0; i < count; ++i) {
                begin_[next + i] = input.obstacles.begin[given + i];
                end_[next + i] = input.obstacles.end[given + i];
            }
        }
        given += count;
        next += count;
    }
}

void ContactSystem::begin(const Threads& threads, const State& state, const StepInput& input,
                          std::span<const std::uint8_t> constrained, std::span<const Vec3d> target,
                          StepReport& report) {
    std::copy(state.x.begin(), state.x.end(), begin_.begin());
    place_obstacles(state, input);
    for (std::size_t v = 0; v < inverse_mass_.size(); ++v)
        inverse_mass_[v] = constrained[v] ? 0.0 : 1 / model_.mass[v];

    // where everything would go by itself
    std::copy(end_.begin(), end_.end(), predicted_.begin());
    for (std::size_t v = 0; v < inverse_mass_.size(); ++v)
        predicted_[v] = constrained[v] ? target[v] : begin_[v] + input.h * state.v[v];
    troubled_ = false;
    inside_ = state.contact.inside;
    if (state.step == 0 || input.obstacles.rearranged) {
        penetration_.place(threads, begin_, active_);
        const std::vector<int> found = penetration_.find(threads);
        inside_.assign(found.begin(), found.end());
    }
    std::fill(exempt_.begin(), exempt_.end(), std::uint8_t{0});
    for (int v : inside_) exempt_[at(v)] = 1;
    weights_ = state.rigid_bodies;
    let_weights_fall(state, input);
    // weights need to know whom they would run into; cloth, who is near now
    const double broad_before = response_.broad_seconds;
    const auto pairs = response_.candidates(threads, begin_, weights_.empty() ? begin_ : predicted_, rules());
    report.timing.contact_broad += response_.broad_seconds - broad_before;
    const Stopwatch watch(report.timing.contact_narrow);
    weights_before_ = state.rigid_bodies;
    begin_guided(pairs, state, input);
    move_weights(pairs, state, input);
    lead_out(threads);
    if (goes_on())
        renew_contacts(threads, begin_, state.contact);
    else
        make_contacts(threads, pairs, begin_, state.contact, leading_out_);
    // the first loads are those with which the step begins
    contacts_.evaluate_with_loads(threads, begin_);
    report.contact.pairs = static_cast<int>(contacts_.list().size());
}

void ContactSystem::evaluate(const Threads& threads, std::span<const Vec3d> cloth) {
    put_cloth(cloth);
    contacts_.evaluate(threads, end_);
}

void ContactSystem::evaluate_moving(const Threads& threads, std::span<const Vec3d> cloth, double h2) {
    put_cloth(cloth);
    contacts_.evaluate_moving(threads, end_, begin_, predicted_, h2);
    flags_before_ = contacts_.flags();
}

double ContactSystem::surprises(const Threads& threads) const {
    std::atomic<int> touching = 0, surprising = 0;
    threads.for_pieces(contacts_.list().size(), kGrain, [&](std::size_t begin, std::size_t end) {
        int touches = 0, surprised = 0;
        for (std::size_t k = begin; k < end; ++k) {
            if (!(flags_before_[k] & kTouching)) continue;
            ++touches;
            const Contact& c = contacts_.list()[k];
            const bool slips = contacts_.flags()[k] & kSliding, slipped = flags_before_[k] & kSliding;
            const double guess = contacts_.guessed_slip(k);
            const bool misguessed =
                guess > 0 && std::abs(norm(Contacts::offset_at(c, end_)) - guess) > kMisguess * guess;
            surprised += slips != slipped || misguessed || contacts_.gap(c, end_) > kLetGo * c.thickness;
        }
        touching += touches;
        surprising += surprised;
    });
    return touching > 0 ? static_cast<double>(surprising) / touching : 0;
}

bool ContactSystem::update(const Threads& threads, std::span<const Vec3d> cloth, const State& state,
                           StepReport& report) {
    put_cloth(cloth);
    stop_guided();
    moved_after_update_ = false;
    renewed_.clear();
    const double broad_before = response_.broad_seconds, narrow_before = response_.narrow_seconds;
    const std::vector<Collision>& met = response_.detect(threads, begin_, end_, rules());
    report.timing.contact_broad += response_.broad_seconds - broad_before;
    report.timing.contact_narrow += response_.narrow_seconds - narrow_before;
    const Stopwatch watch(report.timing.contact_narrow);
    collisions_ = met.size();
    report.contact.collisions += static_cast<int>(met.size());
    std::vector<Contact> added = leading_out_;
    if (!met.empty()) put_in(added, impacts(met));
    make_contacts(threads, response_.candidates(), end_, state.contact, added);
    for (const Collision& collision : met) made_for_.impacts.push_back(collision.pair);
    contacts_.evaluate_with_loads(threads, end_);
    flags_before_ = contacts_.flags();
    return !met.empty();
}

// What meets on the way is near at the end on the wrong side: its contact is that of the moment they meet.
// Only a vertex's first impacts count: what it would have run into after them it will not, and contacts with
// both sides of that would tear at it.
std::vector<Contact> ContactSystem::impacts(std::span<const Collision> met) {
    first_impact_.assign(at(cloth_vertices_), 2.0);
    for (const Collision& collision : met)
        for (int v : pair_vertices(surface_, collision.pair))
            if (v < cloth_vertices_) first_impact_[at(v)] = std::min(first_impact_[at(v)], collision.time);
    std::vector<Contact> added;
    for (const Collision& collision : met) {
        const std::array<int, 4> v = pair_vertices(surface_, collision.pair);
        if (std::any_of(v.begin(), v.end(), [&](int i) {
                return i < cloth_vertices_ && collision.time > first_impact_[at(i)] + kSameImpact;
            }))
            continue;
        Vec3d impact[4];
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3d begin = begin_[at(v[i])];
            impact[i] = begin + collision.time * (end_[at(v[i])] - begin);
        }
        const Closest closest = closest_points(collision.pair.kind, impact);
        Contact contact;
        if (!make_contact(collision.pair, closest, contact)) continue;
        contact.at_begin = closest.separation;
        added.push_back(contact);
    }
    return added;
}

CollisionOutcome ContactSystem::resolve(const Threads& threads, std::span<Vec3d> cloth, StepReport& report) {
    const double broad_before = response_.broad_seconds, narrow_before = response_.narrow_seconds;
    double all = 0;
    CollisionOutcome outcome;
    {
        const Stopwatch watch(all);
        outcome = response_.resolve(threads, begin_, end_, rules());
        if (outcome.given_up > 0 && !guided_.empty()) {
            // a weight that finds no room stands still, and is counted among what was held back
            put_cloth(cloth);
            for (Guided& g : guided_) {
                g.way = 0;
                place_guided(g, 0);
            }
            response_.detect(threads, begin_, end_, rules());
            outcome = response_.resolve(threads, begin_, end_, rules());
            ++outcome.held_back;
        }
    }
    std::copy(end_.begin(), end_.begin() + cloth_vertices_, cloth.begin());
    moved_after_update_ = true;
    troubled_ |= outcome.given_up > 0;
    const double broad = response_.broad_seconds - broad_before,
                 narrow = response_.narrow_seconds - narrow_before;
    report.timing.contact_broad += broad;
    report.timing.contact_narrow += narrow;
    report.timing.contact_response += all - broad - narrow;
    report.contact.collisions += outcome.impulses;
    return outcome;
}

}  // namespace rumple
