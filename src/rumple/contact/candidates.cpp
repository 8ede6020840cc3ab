#include <rumple/contact/candidates.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/closest.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 2048;
// m: a weight at rest is expected to fall, a thousandth of a metre in a hundredth of a second, and does not.
constexpr double kWeightSlack = 3e-3;
// Distances and motions are kept in single precision, and rounded to the safe side by this.
constexpr float kDown = 1 - 1e-6f, kUp = 1 + 1e-5f;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Candidates::Candidates(const Surface& surface, std::vector<double> reach, double slack)
    : surface_(surface), broad_(surface), reach_(std::move(reach)) {
    // two boxes overlap when their primitives are within reach, and still after both have moved by the slack
    for (std::size_t b = 0; b < reach_.size(); ++b) {
        const double cloth = 0.5 * reach_.front();
        slack_.push_back(surface.bodies[b].kind == BodyKind::weight ? std::max(slack, kWeightSlack) : slack);
        margin_.push_back(slack_.back() + (surface.bodies[b].kind == BodyKind::cloth
                                               ? cloth
                                               : std::max(reach_[b] - cloth, 0.2 * reach_[b])));
    }
    for (auto& moved : moved_) moved.resize(at(surface.vertex_count));
}

bool Candidates::still_good(std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                            std::span<const std::uint8_t> active, bool cloth_on_cloth) const {
    if (reference_.empty() || cloth_on_cloth != cloth_on_cloth_ ||
        !std::equal(active.begin(), active.end(), active_.begin()))
        return false;
    const auto near_the_way = [&](std::size_t v, Vec3d p) {  // for which the boxes were made
        const double slack = slack_[at(surface_.body_of_vertex[v])];
        const Vec3d way = reference_[v] - began_[v], from = p - began_[v];
        const double length2 = dot(way, way);
        const double t = length2 > 0 ? std::clamp(dot(from, way) / length2, 0.0, 1.0) : 0.0;
        const Vec3d off = from - t * way;
        return dot(off, off) <= slack * slack;
    };
    for (std::size_t v = 0; v < x1.size(); ++v)
        if (!near_the_way(v, x0[v]) || !near_the_way(v, x1[v])) return false;
    return true;
}

void Candidates::measure_motion(const Threads& threads, std::span<const Vec3d> x0,
                                std::span<const Vec3d> x1) {
    const auto single = [](Vec3d d) {
        return Vec3<float>{static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
    };
    threads.for_each(x0.size(), kGrain, [&](std::size_t v) {
        moved_[0][v] = single(x0[v] - reference_[v]);
        moved_[1][v] = single(x1[v] - reference_[v]);
    });
}

// The closest points at any time of the way are means of vertices: they have come nearer, since the list was
// made, by no more than the most that a vertex of a has moved against one of b, at one end of the way or the
// other.
bool Candidates::within_reach(std::size_t listed) const {
    const ContactPair pair = list_[listed];
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    const int body = std::max(surface_.body_of_vertex[at(v[0])], surface_.body_of_vertex[at(v[3])]);
    const float beyond = distance_[listed] - kUp * static_cast<float>(reach_[at(body)]);
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
    broad_.update(threads, x0, x1, margin_, active);
    broad_.find_pairs(threads, list_, cloth_on_cloth);
    began_.assign(x0.begin(), x0.end());
    reference_.assign(x1.begin(), x1.end());
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
    if (!still_good(x0, x1, active, cloth_on_cloth)) search(threads, x0, x1, active, cloth_on_cloth);
    measure_motion(threads, x0, x1);
    part_.resize((list_.size() + kGrain - 1) / kGrain);
    threads.for_pieces(list_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        auto& part = part_[begin / kGrain];
        part.clear();
        for (std::size_t k = begin; k < end; ++k)
            if (within_reach(k)) part.push_back(list_[k]);
    });
    found_.clear();
    for (const auto& part : part_) found_.insert(found_.end(), part.begin(), part.end());
    return found_;
}

}  // namespace rumple
