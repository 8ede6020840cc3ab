#include <rumple/contact/collision_response.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/continuous.hpp>
#include <rumple/core/stopwatch.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 512;
constexpr int kImpulseRounds = 12;
constexpr double kMaxAlone = 0.01;  // of the vertices: so many are looked at by themselves
constexpr double kTarget = 0.25;    // of the thickness: the gap that an impulse aims at

}  // namespace

CollisionResponse::CollisionResponse(const Surface& surface, std::vector<double> reach, double slack,
                                     std::span<const Vec3d> rest)
    : surface_(surface), candidates_(surface, std::move(reach), slack, rest) {
    dirty_.resize(at(surface.vertex_count));
    held_.resize(at(surface.vertex_count));
}

std::span<const ContactPair> CollisionResponse::candidates(const Threads& threads, std::span<const Vec3d> x0,
                                                           std::span<const Vec3d> x1,
                                                           const CollisionRules& rules) {
    const Stopwatch watch(broad_seconds);
    near_ = candidates_.find(threads, x0, x1, rules.active, rules.cloth_on_cloth);
    return near_;
}

std::span<const ContactPair> CollisionResponse::candidates_with(const Threads& threads,
                                                                std::span<const int> vertices,
                                                                std::span<const Vec3d> x0,
                                                                std::span<const Vec3d> x1) {
    const Stopwatch watch(broad_seconds);
    return candidates_.find_with(threads, vertices, x0, x1);
}

// Is it the response's business? Someone must be able to give way, and what is inside an obstacle already is
// not kept from leaving it.
bool CollisionResponse::movable(ContactPair pair, const CollisionRules& rules) const {
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    bool free = false, obstacle = false, exempt = false;
    for (int i : v) {
        if (i >= rules.cloth_vertices) {
            obstacle = true;
            continue;
        }
        free |= rules.inverse_mass[at(i)] > 0;
        exempt |= rules.exempt[at(i)] != 0;
    }
    return free && !(obstacle && exempt);
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

void CollisionResponse::detect_among(const Threads& threads, std::span<const ContactPair> pairs,
                                     std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                                     const CollisionRules& rules) {
    const Stopwatch watch(narrow_seconds);
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    back_.resize(x0.size());
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) { back_[v] = single(x0[v] - x1[v]); });
    separation_.clear();
    for (double thickness : rules.thickness) separation_.push_back(separation(thickness));
    const ProximityFilter filter{surface_, x1, back_, separation_};
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<Collision>& found = part_[begin / kGrain];
        found.clear();
        filter.for_each_near(pairs.subspan(begin, end - begin), [&](std::size_t k) {
            const ContactPair pair = pairs[begin + k];
            const double t = impact(pair, x0, x1, rules);
            if (t > 1 || !movable(pair, rules)) return;
            if (!given_up_.empty() && std::binary_search(given_up_.begin(), given_up_.end(), pair)) return;
            found.push_back({pair, t});
        });
    });
    collisions_.clear();
    for (const auto& found : part_) collisions_.insert(collisions_.end(), found.begin(), found.end());
}

const std::vector<Collision>& CollisionResponse::detect(const Threads& threads, std::span<const Vec3d> x0,
                                                        std::span<const Vec3d> x1,
                                                        const CollisionRules& rules) {
    given_up_.clear();
    candidates(threads, x0, x1, rules);
    detect_among(threads, near_, x0, x1, rules);
    return collisions_;
}

// Along the normal at the moment of impact, so that the gap at the end is a part of the thickness; but no
// larger than it was at the beginning: what lay close may stay close. `insistence`, 0..1, grows with the
// rounds: a pair that comes too near on the way, and not at the end, is pushed further than that.
void CollisionResponse::push_apart(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
                                   const CollisionRules& rules, double insistence) {
    const std::array<int, 4> v = pair_vertices(surface_, collision.pair);
    Vec3d begin[4], impact[4];
    for (std::size_t i = 0; i < 4; ++i) {
        begin[i] = x0[at(v[i])];
        impact[i] = begin[i] + collision.time * (x1[at(v[i])] - begin[i]);
    }
    const Closest c = closest_points(collision.pair.kind, impact);
    if (!(c.distance > 0)) return;
    const Vec3d n = (1 / c.distance) * c.separation;
    const double most = kTarget * thickness_of(collision.pair, rules);
    const double least = std::min(most, closest_points(collision.pair.kind, begin).distance);
    double gap = 0, give = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        gap += c.weight[i] * dot(n, x1[at(v[i])]);
        if (v[i] < rules.cloth_vertices) give += c.weight[i] * c.weight[i] * rules.inverse_mass[at(v[i])];
    }
    const double target = std::max(least, gap) + insistence * most;
    if (!(give > 0) || gap >= target) return;
    const double impulse = (target - gap) / give;
    for (std::size_t i = 0; i < 4; ++i) {
        if (v[i] >= rules.cloth_vertices || rules.inverse_mass[at(v[i])] == 0) continue;
        x1[at(v[i])] += (impulse * c.weight[i] * rules.inverse_mass[at(v[i])]) * n;
    }
}

// Puts the pair's cloth back to where the step began. The first time, cloth that an obstacle runs into is
// carried along by it. False: all of it was back already.
bool CollisionResponse::hold_back(const Collision& collision, std::span<const Vec3d> x0, std::span<Vec3d> x1,
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
    // Handles last, and only for the sake of cloth: what a handle does to an obstacle is its author's wish.
    for (const bool handles : {false, true}) {
        if (handles && (changed || share > 0)) break;
        for (int i : v) {
            if (i >= rules.cloth_vertices || held_[at(i)] == kBack) continue;
            if ((rules.inverse_mass[at(i)] == 0) != handles) continue;
            const bool first = held_[at(i)] == 0, along = first && carried;
            outcome.held_back += first;
            outcome.handles_late += first && handles;
            held_[at(i)] = along ? kCarried : kBack;
            x1[at(i)] = x0[at(i)] + (along ? carry : Vec3d{});
            changed = true;
        }
    }
    return changed;
}

CollisionOutcome CollisionResponse::resolve(const Threads& threads, std::span<const Vec3d> x0,
                                            std::span<Vec3d> x1, const CollisionRules& rules) {
    CollisionOutcome outcome;
    std::fill(held_.begin(), held_.end(), std::uint8_t{0});
    const auto look_again = [&] {  // at what was changed, or could not be
        std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{0});
        for (const Collision& c : collisions_)
            for (int i : pair_vertices(surface_, c.pair)) dirty_[at(i)] = 1;
        changed_.clear();
        for (std::size_t v = 0; v < dirty_.size(); ++v)
            if (dirty_[v]) changed_.push_back(static_cast<int>(v));
        if (static_cast<double>(changed_.size()) > kMaxAlone * static_cast<double>(x0.size()))
            detect_among(threads, candidates(threads, x0, x1, rules), x0, x1, rules);
        else
            detect_among(threads, candidates_with(threads, changed_, x0, x1), x0, x1, rules);
    };
    if (collisions_.empty()) return outcome;
    for (int round = 0; round < kImpulseRounds && !collisions_.empty(); ++round) {
        const double insistence = round / static_cast<double>(kImpulseRounds);
        for (const Collision& c : collisions_) push_apart(c, x0, x1, rules, insistence);
        outcome.impulses += static_cast<int>(collisions_.size());
        look_again();
    }
    while (!collisions_.empty()) {
        for (const Collision& c : collisions_) {
            if (hold_back(c, x0, x1, rules, outcome)) continue;
            if (impact(c.pair, x0, x1, rules) > 1) continue;  // settled by one before it
            given_up_.insert(std::upper_bound(given_up_.begin(), given_up_.end(), c.pair), c.pair);
            ++outcome.given_up;
        }
        look_again();
    }
    candidates(threads, x0, x1, rules);
    return outcome;
}

}  // namespace rumple
