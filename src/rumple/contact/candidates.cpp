#include <rumple/contact/candidates.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/closest.hpp>
#include <utility>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 2048;
// m: a weight at rest is expected to fall, a thousandth of a metre in a hundredth of a second, and does not.
constexpr double kWeightSlack = 3e-3;
constexpr double kNearShare = 0.25;  // of the slack: how far things move while the choice from the list holds
constexpr double kMaxDisplacedVertices = 0.02;  // of the vertices: more, and a search is cheaper
constexpr double kFewStrays = 0.01;  // of the vertices: not more, and the choice of the others holds
constexpr double kMaxAdded = 0.25;   // of the choice: so many more, and it is made anew
// Distances and motions are kept in single precision, and rounded to the safe side by this.
constexpr float kDown = 1 - 1e-6f, kUp = 1 + 1e-5f;

}  // namespace

Candidates::Candidates(const Surface& surface, std::vector<double> reach, double slack,
                       std::span<const Vec3d> rest)
    : surface_(surface), broad_(surface), rest_(rest.begin(), rest.end()), reach_(std::move(reach)) {
    // two boxes overlap when their primitives are within reach, and still after both have moved by the slack
    for (std::size_t b = 0; b < reach_.size(); ++b) {
        const double cloth = 0.5 * reach_.front();
        slack_.push_back(surface.bodies[b].kind == BodyKind::weight ? std::max(slack, kWeightSlack) : slack);
        margin_.push_back((1 + kNearShare) * slack_.back() +
                          (surface.bodies[b].kind == BodyKind::cloth
                               ? cloth
                               : std::max(reach_[b] - cloth, 0.2 * reach_[b])));
        least_.push_back(margin_.back() - slack_.back());
        within_.push_back(reach_[b] + 2 * (1 + kNearShare) * slack_.back());
        near_.push_back(reach_[b] + 2 * kNearShare * slack_.back());
    }
    for (auto& moved : moved_) moved.resize(at(surface.vertex_count));
}

// Who is further than a share of the slack from where the vertices were at one moment of the way? The moment
// is the one that fits best.
void Candidates::add_strays(const Threads& threads, const Way& way, double share, std::span<const Vec3d> x) {
    double along = 0, whole = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Vec3d back = way.began[v] - way.ended[v];
        along += dot(x[v] - way.ended[v], back);
        whole += dot(back, back);
    }
    const double moment = whole > 0 ? std::clamp(along / whole, 0.0, 1.0) : 0.0;
    stray_.resize(x.size());
    threads.for_each(x.size(), kGrain, [&](std::size_t v) {
        const double slack = share * slack_[at(surface_.body_of_vertex[v])];
        const Vec3d off = x[v] - way.ended[v] - moment * (way.began[v] - way.ended[v]);
        stray_[v] = !(dot(off, off) <= slack * slack);
    });
    for (std::size_t v = 0; v < stray_.size(); ++v)
        if (stray_[v]) strays_.push_back(static_cast<int>(v));
}

void Candidates::measure_motion(const Threads& threads, std::span<const Vec3d> x0,
                                std::span<const Vec3d> x1) {
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) {
        moved_[0][v] = single(x0[v] - searched_.ended[v]);
        moved_[1][v] = single(x1[v] - searched_.ended[v]);
    });
}

// The closest points at any time of the way are means of vertices: they have come nearer, since the list was
// made, by no more than the most that a vertex of a has moved against one of b, at one end of the way or the
// other.
bool Candidates::within_reach(std::size_t listed) const {
    const ContactPair pair = list_[listed];
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    const int body = std::max(surface_.body_of_vertex[at(v[0])], surface_.body_of_vertex[at(v[3])]);
    const float beyond = distance_[listed] - kUp * static_cast<float>(near_[at(body)]);
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

void Candidates::search(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                        std::span<const std::uint8_t> active, bool cloth_on_cloth) {
    if (!rest_.empty()) broad_.set_rest_shape(threads, std::exchange(rest_, {}), within_.front());
    searched_.set(x0, x1);
    measure_motion(threads, x0, x1);
    broad_.update(threads, x0, x1, margin_, active);
    const ProximityFilter filter{surface_, x1, moved_[0], within_};
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

std::span<const ContactPair> Candidates::find(const Threads& threads, std::span<const Vec3d> x0,
                                              std::span<const Vec3d> x1, std::span<const std::uint8_t> active,
                                              bool cloth_on_cloth) {
    const bool same_bodies = !searched_.ended.empty() && cloth_on_cloth == cloth_on_cloth_ &&
                             std::equal(active.begin(), active.end(), active_.begin());
    const auto find_strays = [&](const Way& way, double share) {
        strays_.clear();
        add_strays(threads, way, share, x0);
        add_strays(threads, way, share, x1);
    };
    const auto more_than = [&](double share) {
        return static_cast<double>(strays_.size()) > share * static_cast<double>(x0.size());
    };
    if (same_bodies) {
        find_strays(chosen_, kNearShare);
        if (strays_.empty()) return found_;
        if (!more_than(kFewStrays) &&
            static_cast<double>(found_.size()) <= (1 + kMaxAdded) * static_cast<double>(chosen_count_)) {
            add_pairs_of_strays(threads, x0, x1);
            return found_;
        }
        find_strays(searched_, 1);
    }
    if (!same_bodies || more_than(kMaxDisplacedVertices)) {
        search(threads, x0, x1, active, cloth_on_cloth);
        strays_.clear();
    }
    choose(threads, x0, x1);
    if (!strays_.empty()) add_pairs_of_strays(threads, x0, x1);
    chosen_count_ = found_.size();
    return found_;
}

void Candidates::choose(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
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

std::span<const ContactPair> Candidates::find_with(const Threads& threads, std::span<const int> vertices,
                                                   std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
    broad_.stretch(threads, vertices, x0, x1, least_);
    back_.resize(x0.size());
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) { back_[v] = single(x0[v] - x1[v]); });
    broad_.find_pairs_with(threads, vertices, of_strays_, cloth_on_cloth_,
                           ProximityFilter{surface_, x1, back_, near_});
    return of_strays_;
}

// List or choice know nothing of where they are now.
void Candidates::add_pairs_of_strays(const Threads& threads, std::span<const Vec3d> x0,
                                     std::span<const Vec3d> x1) {
    find_with(threads, strays_, x0, x1);
    std::vector<ContactPair> all;
    std::set_union(found_.begin(), found_.end(), of_strays_.begin(), of_strays_.end(),
                   std::back_inserter(all));
    found_.swap(all);
}

}  // namespace rumple
