#include <algorithm>
#include <numeric>
#include <rumple/scene/attachment.hpp>

namespace rumple {

namespace {

constexpr std::size_t kTriangles = 12;  // that carry a point: a patch about three edges across

struct TriangleFrame {
    Vec3d origin, x, y, z;
    Vec3d to_local(Vec3d p) const {
        const Vec3d d = p - origin;
        return {dot(d, x), dot(d, y), dot(d, z)};
    }
    Vec3d to_world(Vec3d q) const { return origin + q.x * x + q.y * y + q.z * z; }
};

Vec3d centre_of(const std::array<int, 3>& t, std::span<const Vec3d> x) {
    return (1.0 / 3) * (x[std::size_t(t[0])] + x[std::size_t(t[1])] + x[std::size_t(t[2])]);
}

TriangleFrame frame_of(const std::array<int, 3>& t, std::span<const Vec3d> x) {
    const Vec3d a = x[std::size_t(t[0])], b = x[std::size_t(t[1])], c = x[std::size_t(t[2])];
    TriangleFrame f;
    f.origin = centre_of(t, x);
    f.x = normalized(b - a);
    f.z = normalized(cross(b - a, c - a));
    f.y = cross(f.z, f.x);
    return f;
}

}  // namespace

Attachment::Attachment(std::span<const Vec3d> points, std::span<const Vec3d> surface,
                       std::span<const std::array<int, 3>> triangles) {
    std::vector<double> squared(triangles.size());
    std::vector<std::size_t> order(triangles.size());
    const std::size_t count = std::min(kTriangles, triangles.size());
    for (const Vec3d& p : points) {
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const Vec3d d = p - centre_of(triangles[t], surface);
            squared[t] = dot(d, d);
        }
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                          [&](std::size_t a, std::size_t b) {
                              return squared[a] < squared[b] || (squared[a] == squared[b] && a < b);
                          });
        begin_.push_back(anchors_.size());
        // The farthest has almost no weight, so that neighbours which share the other triangles move alike.
        const double reach = 1.01 * squared[order[count - 1]];
        double sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const auto& triangle = triangles[order[k]];
            const double weight = reach > 0 ? 1 - squared[order[k]] / reach : 1;
            anchors_.push_back({triangle, weight, frame_of(triangle, surface).to_local(p)});
            sum += weight;
        }
        for (std::size_t k = begin_.back(); k < anchors_.size(); ++k) anchors_[k].weight /= sum;
    }
    begin_.push_back(anchors_.size());
}

void Attachment::add_targets(std::span<const Vec3d> surface, std::vector<Vec3d>& targets) const {
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
        Vec3d target;
        for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k)
            target +=
                anchors_[k].weight * frame_of(anchors_[k].triangle, surface).to_world(anchors_[k].local);
        targets.push_back(target);
    }
}

}  // namespace rumple
