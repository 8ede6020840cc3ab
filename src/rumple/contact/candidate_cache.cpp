#include <rumple/contact/candidate_cache.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/closest.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <utility>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 2048;
// Distances and motions are kept in single precision, and rounded to the safe side by this.
constexpr float kDown = 1 - 1e-6f, kUp = 1 + 1e-5f;

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
        bodies_.least_margin.push_back(bodies_.margin.back() - own);
        bodies_.listed.push_back(reach[b] + 2 * (1 + kChoice) * own);
        bodies_.chosen.push_back(reach[b] + 2 * kChoice * own);
    }
    for (auto& moved : moved_) moved.resize(at(surface.vertex_count));
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

void CandidateCache::measure_motion(const Threads& threads, std::span<const Vec3d> x0,
                                    std::span<const Vec3d> x1) {
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) {
        moved_[0][v] = single(x0[v] - searched_.ended[v]);
        moved_[1][v] = single(x1[v] - searched_.ended[v]);
    });
}

// The closest points at any time of the way are means of vertices: they have come nearer, since the list was
// made, by no more than the most that a vertex of a has moved against one of b, at one end of the way or the
// other.
bool CandidateCache::within_reach(std::size_t listed) const {
    const ContactPair pair = list_[listed];
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    const int body = std::max(surface_.body_of_vertex[at(v[0])], surface_.body_of_vertex[at(v[3])]);
    const float beyond = distance_[listed] - kUp * static_cast<float>(bodies_.chosen[at(body)]);
    if (!(beyond > 0)) return true;
    float most = 0;
    const std::size_t split = pair.kind == PairKind::vertex_face ? 1 : 2;
    for (const auto& moved : moved_)
        for (std::size_t i = 0; i < split; ++i)
            for (std::size_t j = split; j < 4; ++j) {
                const Vec3<float> d = moved[at(v[i])] - moved[at(v[j])];
                most = std::max(most, dot(d, d));
            }
    return !(beyond * beyond > kUp * most);
}

void CandidateCache::search(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                            std::span<const std::uint8_t> active, bool cloth_on_cloth) {
    if (!rest_.empty()) broad_.set_rest_shape(threads, std::exchange(rest_, {}), bodies_.listed.front());
    searched_.set(x0, x1);
    measure_motion(threads, x0, x1);
    broad_.update(threads, x0, x1, bodies_.margin, active);
    const ProximityFilter filter{surface_, x1, moved_[0], bodies_.listed};
    broad_.find_pairs(threads, list_, cloth_on_cloth, &filter);
    active_.assign(active.begin(), active.end());
    cloth_on_cloth_ = cloth_on_cloth;
    distance_.resize(list_.size());
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        const std::array<int, 4> v = pair_vertices(surface_, list_[k]);
        const Vec3d p[4] = {x1[at(v[0])], x1[at(v[1])], x1[at(v[2])], x1[at(v[3])]};
        distance_[k] = kDown * static_cast<float>(closest_points(list_[k].kind, p).distance);
    });
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
    measure_motion(threads, x0, x1);
    chosen_.set(x0, x1);
    part_.resize((list_.size() + kGrain - 1) / kGrain);
    threads.for_pieces(list_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        auto& part = part_[begin / kGrain];
        part.clear();
        for (std::size_t k = begin; k < end; ++k)
            if (within_reach(k)) part.push_back(list_[k]);
    });
    found_.clear();
    for (const auto& part : part_) found_.insert(found_.end(), part.begin(), part.end());
}

std::span<const ContactPair> CandidateCache::find_with(const Threads& threads, std::span<const int> vertices,
                                                       std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
    broad_.stretch(threads, vertices, x0, x1, bodies_.least_margin);
    back_.resize(x0.size());
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) { back_[v] = single(x0[v] - x1[v]); });
    broad_.find_pairs_with(threads, vertices, of_displaced_, cloth_on_cloth_,
                           ProximityFilter{surface_, x1, back_, bodies_.chosen});
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
