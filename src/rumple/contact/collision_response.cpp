#include <rumple/contact/collision_response.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/closest.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/contact/continuous.hpp>
#include <rumple/core/stopwatch.hpp>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 512;
constexpr int kPatience = 2;  // rounds of impulses without fewer collisions

}  // namespace

CollisionResponse::CollisionResponse(const Surface& surface, CandidateCache& candidates)
    : surface_(surface), candidates_(candidates), zones_(surface.vertex_count) {
    dirty_.resize(at(surface.vertex_count));
    rolled_back_.resize(at(surface.vertex_count));
}

double CollisionResponse::separation(double thickness) { return kContactTuning.separation * thickness; }

// Can the response do something about it? Someone must be free to move, and what is inside an obstacle
// already is not kept from leaving it.
bool CollisionResponse::movable(ContactPair pair, const CollisionRules& rules) const {
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    bool free = false, obstacle = false, penetrating = false;
    for (int i : v) {
        if (i >= rules.cloth_vertices) {
            obstacle = true;
            continue;
        }
        free |= rules.inverse_mass[at(i)] > 0;
        penetrating |= rules.penetrating[at(i)] != 0;
    }
    return free && !(obstacle && penetrating);
}

double CollisionResponse::thickness_of(ContactPair pair, const CollisionRules& rules) const {
    const bool faces = pair.kind == PairKind::vertex_face;
    const int a = faces ? surface_.body_of_vertex[at(pair.a)] : surface_.body_of_edge[at(pair.a)];
    const int b = faces ? surface_.body_of_triangle[at(pair.b)] : surface_.body_of_edge[at(pair.b)];
    // cloth comes first in the surface, so the later body is the obstacle, if there is one
    return rules.thickness[at(std::max(a, b))];
}

double CollisionResponse::impact(ContactPair pair, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                 const CollisionRules& rules) const {
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    Vec3d p0[4], p1[4];
    for (std::size_t i = 0; i < 4; ++i) {
        p0[i] = x0[at(v[i])];
        p1[i] = x1[at(v[i])];
    }
    return time_of_impact(pair.kind, p0, p1, separation(thickness_of(pair, rules)));
}

std::vector<Collision> CollisionResponse::detect_among(const Threads& threads,
                                                       std::span<const ContactPair> pairs,
                                                       std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                                       const CollisionRules& rules,
                                                       std::span<const ContactPair> unresolved,
                                                       ContactTiming& timing) {
    const Stopwatch watch(timing.contact_narrow);
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    back_.resize(x0.size());
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) { back_[v] = single(x0[v] - x1[v]); });
    reported_.clear();
    for (double thickness : rules.thickness) reported_.push_back(kReported * separation(thickness));
    const ProximityFilter filter{surface_, x1, back_, reported_};
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<Collision>& found = part_[begin / kGrain];
        found.clear();
        filter.for_each_near(pairs.subspan(begin, end - begin), [&](std::size_t k) {
            const ContactPair pair = pairs[begin + k];
            const double t = impact(pair, x0, x1, rules);
            if (t > 1 || !movable(pair, rules)) return;
            if (std::binary_search(unresolved.begin(), unresolved.end(), pair)) return;
            found.push_back({pair, t});
        });
    });
    std::vector<Collision> collisions;
    for (const auto& found : part_) collisions.insert(collisions.end(), found.begin(), found.end());
    return collisions;
}

std::vector<Collision> CollisionResponse::detect(const Threads& threads, std::span<const Vec3d> x0,
                                                 std::span<const Vec3d> x1, const CollisionRules& rules,
                                                 ContactTiming& timing) {
    {
        const Stopwatch watch(timing.contact_broad);
        candidates_.find(threads, x0, x1, rules.active, rules.cloth_on_cloth);
    }
    return detect_among(threads, candidates_.pairs(), x0, x1, rules, {}, timing);
}

// Among the pairs of vertices that were changed, or could not be, and of those that moved with them.
std::vector<Collision> CollisionResponse::detect_again(const Threads& threads,
                                                       std::span<const Collision> changed,
                                                       std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                                       const CollisionRules& rules,
                                                       std::span<const ContactPair> unresolved,
                                                       ContactTiming& timing, std::span<const int> moved) {
    std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{0});
    for (const Collision& c : changed)
        for (int i : pair_vertices(surface_, c.pair)) dirty_[at(i)] = 1;
    for (const int i : moved) dirty_[at(i)] = 1;
    changed_.clear();
    for (std::size_t v = 0; v < dirty_.size(); ++v)
        if (dirty_[v]) changed_.push_back(static_cast<int>(v));
    const bool alone = static_cast<double>(changed_.size()) <=
                       kContactTuning.max_searched_alone * static_cast<double>(x0.size());
    std::span<const ContactPair> pairs;
    {
        const Stopwatch watch(timing.contact_broad);
        pairs = alone ? candidates_.find_with(threads, changed_, x0, x1)
                      : candidates_.find(threads, x0, x1, rules.active, rules.cloth_on_cloth);
    }
    {
        const Stopwatch watch(timing.contact_narrow);
        dirty_pairs_.clear();
        std::ranges::copy_if(pairs, std::back_inserter(dirty_pairs_), [&](ContactPair pair) {
            return std::ranges::any_of(pair_vertices(surface_, pair),
                                       [&](int i) { return dirty_[at(i)] != 0; });
        });
    }
    return detect_among(threads, dirty_pairs_, x0, x1, rules, unresolved, timing);
}

// Along the normal at the moment of impact, so that the gap at the end is a part of the thickness; but no
// larger than it was at the beginning: what lay close may stay close. `target_growth`, 0..1, grows with
// the rounds: a pair that comes too near on the way, and not at the end, is pushed further than that.
void CollisionResponse::push_apart(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                                   const CollisionRules& rules, double target_growth) {
    const std::array<int, 4> v = pair_vertices(surface_, collision.pair);
    Vec3d begin[4], impact[4];
    for (std::size_t i = 0; i < 4; ++i) {
        begin[i] = x0[at(v[i])];
        impact[i] = begin[i] + collision.time * (x1[at(v[i])] - begin[i]);
    }
    const Closest c = closest_points(collision.pair.kind, impact);
    if (!(c.distance > 0)) return;
    const Vec3d n = (1 / c.distance) * c.separation;
    const double most = kContactTuning.impulse_gap * thickness_of(collision.pair, rules);
    const double least = std::min(most, closest_points(collision.pair.kind, begin).distance);
    double gap = 0, inverse_mass = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        gap += c.weight[i] * dot(n, x1[at(v[i])]);
        if (v[i] < rules.cloth_vertices)
            inverse_mass += c.weight[i] * c.weight[i] * rules.inverse_mass[at(v[i])];
    }
    const double target = std::max(least, gap) + target_growth * most;
    if (!(inverse_mass > 0) || gap >= target) return;
    const double impulse = (target - gap) / inverse_mass;
    for (std::size_t i = 0; i < 4; ++i) {
        if (v[i] >= rules.cloth_vertices || rules.inverse_mass[at(v[i])] == 0) continue;
        x1[at(v[i])] += (impulse * c.weight[i] * rules.inverse_mass[at(v[i])]) * n;
    }
}

// Returns the pair's cloth to where the step began. The first time, cloth that an obstacle runs into is
// carried along by it. False: all of it was back already.
bool CollisionResponse::roll_back(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                                  const CollisionRules& rules, CollisionOutcome& outcome) {
    const std::array<int, 4> v = pair_vertices(surface_, collision.pair);
    Vec3d carry;
    double share = 0;
    for (int i : v) {
        if (i < rules.cloth_vertices) continue;
        carry += x1[at(i)] - x0[at(i)];
        share += 1;
    }
    const bool carried = share > 0 && dot(carry, carry) > 0;
    if (carried) carry *= 1 / share;
    constexpr std::uint8_t kCarried = 1, kBack = 2;
    bool changed = false;
    // Handles last, and only to keep cloth from cloth: what a handle does to an obstacle is the author's
    // choice.
    for (const bool handles : {false, true}) {
        if (handles && (changed || share > 0)) break;
        for (int i : v) {
            if (i >= rules.cloth_vertices || rolled_back_[at(i)] == kBack) continue;
            if ((rules.inverse_mass[at(i)] == 0) != handles) continue;
            const bool first = rolled_back_[at(i)] == 0, along = first && carried;
            outcome.rolled_back += first;
            outcome.constraints_violated += first && handles;
            rolled_back_[at(i)] = along ? kCarried : kBack;
            x1[at(i)] = x0[at(i)] + (along ? carry : Vec3d{});
            changed = true;
        }
    }
    return changed;
}

// Rounds of impulses, until nothing collides or they do no good any more: in cloth that is pressed together
// from all sides an impulse is the next collision. What is best, with the fewest collisions, is what is left.
void CollisionResponse::push_apart_in_rounds(const Threads& threads, std::span<const Vec3d> x0,
                                             std::span<Vec3d> x1, const CollisionRules& rules,
                                             std::vector<Collision>& collisions, CollisionOutcome& outcome,
                                             ContactTiming& timing) {
    const int rounds = kContactTuning.impulse_rounds;
    std::vector<Collision> fewest;
    int best = -1;
    for (int round = 0; round < rounds && !collisions.empty(); ++round) {
        const double target_growth = round / static_cast<double>(rounds);
        for (const Collision& c : collisions) push_apart(c, x0, x1, rules, target_growth);
        outcome.impulses += static_cast<int>(collisions.size());
        collisions = detect_again(threads, collisions, x0, x1, rules, {}, timing);
        if (best < 0 || collisions.size() < fewest.size()) {
            best = round;
            fewest = collisions;
            best_.assign(x1.begin(), x1.end());
        } else if (round - best >= kPatience &&
                   static_cast<double>(collisions.size()) >
                       kContactTuning.impulse_growth * static_cast<double>(fewest.size())) {
            break;
        }
    }
    if (collisions.size() <= fewest.size()) return;
    std::vector<int> returned;  // the search must know of them
    for (std::size_t v = 0; v < x1.size(); ++v)
        if (!(x1[v] == best_[v])) returned.push_back(static_cast<int>(v));
    std::ranges::copy(best_, x1.begin());
    collisions = detect_again(threads, fewest, x0, x1, rules, {}, timing, returned);
}

// Free cloth that still collides with cloth moves in zones, which grow until nothing collides.
void CollisionResponse::move_in_zones(const Threads& threads, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                                      const CollisionRules& rules, std::vector<Collision>& collisions,
                                      ContactTiming& timing) {
    zones_.clear();
    for (int round = 0; round < kContactTuning.zone_rounds && !collisions.empty(); ++round) {
        bool joined = false;
        for (const Collision& c : collisions) {
            const std::array<int, 4> v = pair_vertices(surface_, c.pair);
            const bool free = std::ranges::all_of(
                v, [&](int i) { return i < rules.cloth_vertices && rules.inverse_mass[at(i)] > 0; });
            if (free) zones_.join(v);
            joined |= free;
        }
        if (!joined) return;
        zones_.move(x0, x1, rules.inverse_mass);
        collisions = detect_again(threads, collisions, x0, x1, rules, {}, timing, zones_.changed());
    }
}

CollisionOutcome CollisionResponse::resolve(const Threads& threads, std::span<const Vec3d> x0,
                                            std::span<Vec3d> x1, const CollisionRules& rules,
                                            std::vector<Collision> collisions, ContactTiming& timing) {
    CollisionOutcome outcome;
    if (collisions.empty()) return outcome;
    std::fill(rolled_back_.begin(), rolled_back_.end(), std::uint8_t{0});
    std::vector<ContactPair> unresolved;
    push_apart_in_rounds(threads, x0, x1, rules, collisions, outcome, timing);
    move_in_zones(threads, x0, x1, rules, collisions, timing);
    while (!collisions.empty()) {
        for (const Collision& c : collisions) {
            if (roll_back(c, x0, x1, rules, outcome)) continue;
            if (impact(c.pair, x0, x1, rules) > 1) continue;  // settled by one before it
            unresolved.insert(std::upper_bound(unresolved.begin(), unresolved.end(), c.pair), c.pair);
            ++outcome.unresolved;
        }
        collisions = detect_again(threads, collisions, x0, x1, rules, unresolved, timing);
    }
    const Stopwatch watch(timing.contact_broad);
    candidates_.find(threads, x0, x1, rules.active, rules.cloth_on_cloth);
    return outcome;
}

}  // namespace rumple::contact
