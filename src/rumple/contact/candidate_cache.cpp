#include <rumple/contact/candidate_cache.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/contact_tuning.hpp>
#include <utility>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 2048;

}  // namespace

CandidateCache::CandidateCache(const Surface& surface, std::span<const double> reach, double slack,
                               std::span<const Vec3d> rest)
    : surface_(surface), broad_(surface), rest_(rest.begin(), rest.end()) {
    constexpr double kChoice = kContactTuning.choice_slack;
    // two boxes overlap when their primitives are within reach, and still after both have moved by the slack
    for (std::size_t b = 0; b < reach.size(); ++b) {
        const double cloth = 0.5 * reach.front();
        const BodyKind kind = surface.bodies[b].kind;
        const double own = kind == BodyKind::rigid_body ? std::max(slack, kContactTuning.rigid_slack) : slack;
        bodies_.slack.push_back(own);
        bodies_.margin.push_back((1 + kChoice) * own + (kind == BodyKind::cloth
                                                            ? cloth
                                                            : std::max(reach[b] - cloth, 0.2 * reach[b])));
        // the trees of what stands are not made again
        bodies_.least_margin.push_back(bodies_.margin.back() - (surface.bodies[b].moves ? own : 0));
        bodies_.listed.push_back(reach[b] + 2 * (1 + kChoice) * own);
        bodies_.chosen.push_back(reach[b] + 2 * kChoice * own);
    }
    back_.resize(at(surface.vertex_count));
}

// Who is further than a share of the slack from where the vertices were at one moment of the motion? The
// moment is the one that fits best.
void CandidateCache::add_displaced(const Threads& threads, const Motion& motion, double share,
                                   std::span<const Vec3d> x) {
    double along = 0, whole = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Vec3d back = motion.began[v] - motion.ended[v];
        along += dot(x[v] - motion.ended[v], back);
        whole += dot(back, back);
    }
    const double moment = whole > 0 ? std::clamp(along / whole, 0.0, 1.0) : 0.0;
    displaced_.resize(x.size());
    threads.for_each(x.size(), kGrain, [&](std::size_t v) {
        const double slack = share * bodies_.slack[at(surface_.body_of_vertex[v])];
        const Vec3d off = x[v] - motion.ended[v] - moment * (motion.began[v] - motion.ended[v]);
        displaced_[v] = !(dot(off, off) <= slack * slack);
    });
    for (std::size_t v = 0; v < displaced_.size(); ++v)
        if (displaced_[v]) displaced_vertices_.push_back(static_cast<int>(v));
}

// Of this way, those of pairs that come within these distances.
ProximityFilter CandidateCache::filter(const Threads& threads, std::span<const Vec3d> x0,
                                       std::span<const Vec3d> x1, std::span<const double> within) {
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) { back_[v] = single(x0[v] - x1[v]); });
    return {surface_, x1, back_, within};
}

void CandidateCache::search(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                            std::span<const std::uint8_t> active, bool cloth_on_cloth) {
    if (!rest_.empty()) broad_.set_rest_shape(threads, std::exchange(rest_, {}), bodies_.listed.front());
    searched_.set(x0, x1);
    broad_.update(threads, x0, x1, bodies_.margin, active);
    const ProximityFilter near = filter(threads, x0, x1, bodies_.listed);
    broad_.find_pairs(threads, list_, cloth_on_cloth, &near);
    active_.assign(active.begin(), active.end());
    cloth_on_cloth_ = cloth_on_cloth;
}

std::span<const ContactPair> CandidateCache::find(const Threads& threads, std::span<const Vec3d> x0,
                                                  std::span<const Vec3d> x1,
                                                  std::span<const std::uint8_t> active, bool cloth_on_cloth) {
    const bool same_bodies = !searched_.ended.empty() && cloth_on_cloth == cloth_on_cloth_ &&
                             std::equal(active.begin(), active.end(), active_.begin());
    const auto find_displaced = [&](const Motion& motion, double share) {
        displaced_vertices_.clear();
        add_displaced(threads, motion, share, x0);
        add_displaced(threads, motion, share, x1);
    };
    const auto more_than = [&](double share) {
        return static_cast<double>(displaced_vertices_.size()) > share * static_cast<double>(x0.size());
    };
    if (same_bodies) {
        find_displaced(chosen_, kContactTuning.choice_slack);
        if (displaced_vertices_.empty()) return found_;
        if (!more_than(kContactTuning.max_displaced_of_choice) &&
            static_cast<double>(found_.size()) <=
                (1 + kContactTuning.max_added_pairs) * static_cast<double>(chosen_count_)) {
            add_pairs_of_displaced(threads, x0, x1);
            return found_;
        }
        find_displaced(searched_, 1);
    }
    if (!same_bodies || more_than(kContactTuning.max_displaced_of_list)) {
        search(threads, x0, x1, active, cloth_on_cloth);
        displaced_vertices_.clear();
    }
    choose(threads, x0, x1);
    if (!displaced_vertices_.empty()) add_pairs_of_displaced(threads, x0, x1);
    chosen_count_ = found_.size();
    return found_;
}

void CandidateCache::choose(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
    chosen_.set(x0, x1);
    const ProximityFilter near = filter(threads, x0, x1, bodies_.chosen);
    part_.resize((list_.size() + kGrain - 1) / kGrain);
    threads.for_pieces(list_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        auto& part = part_[begin / kGrain];
        part.clear();
        near.for_each_near(std::span(list_).subspan(begin, end - begin),
                           [&](std::size_t k) { part.push_back(list_[begin + k]); });
    });
    found_.clear();
    for (const auto& part : part_) found_.insert(found_.end(), part.begin(), part.end());
}

std::span<const ContactPair> CandidateCache::find_with(const Threads& threads, std::span<const int> vertices,
                                                       std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
    broad_.update(threads, x0, x1, bodies_.least_margin, active_);
    broad_.find_pairs_with(threads, vertices, of_displaced_, cloth_on_cloth_,
                           filter(threads, x0, x1, bodies_.chosen));
    return of_displaced_;
}

// List and choice do not hold for where these are now.
void CandidateCache::add_pairs_of_displaced(const Threads& threads, std::span<const Vec3d> x0,
                                            std::span<const Vec3d> x1) {
    find_with(threads, displaced_vertices_, x0, x1);
    std::vector<ContactPair> all;
    std::set_union(found_.begin(), found_.end(), of_displaced_.begin(), of_displaced_.end(),
                   std::back_inserter(all));
    found_.swap(all);
}

}  // namespace rumple::contact
