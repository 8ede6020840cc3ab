#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <rumple/modeling/garment.hpp>
#include <rumple/modeling/seam_tracer.hpp>

namespace rumple {

namespace {

constexpr double kLayer = 0.01;                   // m
constexpr double kTurn = std::numbers::pi / 120;  // rad, between the rays of a ring
constexpr double kLongestGap = 0.03;              // m
constexpr double kAroundMiddle = 0.15;            // m
constexpr double kNearest = 1e-4;                 // m: nearer hits are the origin itself

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// [MT97] T. Moeller, B. Trumbore: Fast, minimum storage ray-triangle intersection (1997). Distance, or < 0.
double distance_along(Vec3d o, Vec3d d, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d e = b - a, f = c - a, p = cross(d, f);
    const double det = dot(e, p);
    if (std::abs(det) < 1e-16) return -1;
    const Vec3d s = o - a, q = cross(s, e);
    const double u = dot(s, p) / det, v = dot(d, q) / det;
    return u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9 ? -1 : dot(f, q) / det;
}

}  // namespace

SeamTracer::SeamTracer(const TriMesh& cloth) : cloth_(cloth) {
    double high = -HUGE_VAL;
    low_ = HUGE_VAL;
    for (const Vec3d& p : cloth.positions) low_ = std::min(low_, p.z), high = std::max(high, p.z);
    layers_.resize(std::size_t(std::max(0.0, (high - low_) / kLayer)) + 1);
    for (std::size_t t = 0; t < cloth.triangles.size(); ++t) {
        double from = HUGE_VAL, to = -HUGE_VAL;
        for (const int v : cloth.triangles[t]) {
            from = std::min(from, cloth.positions[at(v)].z);
            to = std::max(to, cloth.positions[at(v)].z);
        }
        for (auto l = std::size_t((from - low_) / kLayer); l <= std::size_t((to - low_) / kLayer); ++l)
            layers_[l].push_back(int(t));
    }
}

std::optional<SeamTracer::Mark> SeamTracer::mark(Vec3d origin, Vec3d direction) const {
    const Vec3d d = normalized(direction);
    double nearest = HUGE_VAL;
    Vec3d normal;
    const auto try_one = [&](std::size_t t) {
        const auto& [i, j, k] = cloth_.triangles[t];
        const Vec3d a = cloth_.positions[at(i)], b = cloth_.positions[at(j)], c = cloth_.positions[at(k)];
        const double distance = distance_along(origin, d, a, b, c);
        if (!(distance > kNearest) || distance >= nearest) return;
        nearest = distance;
        normal = normalized(cross(b - a, c - a));
    };
    if (std::abs(d.z) < 1e-12) {
        const double layer = (origin.z - low_) / kLayer;
        if (layer < 0 || layer >= double(layers_.size())) return std::nullopt;
        for (const int t : layers_[std::size_t(layer)]) try_one(at(t));
    } else {
        for (std::size_t t = 0; t < cloth_.triangles.size(); ++t) try_one(t);
    }
    if (nearest == HUGE_VAL) return std::nullopt;
    return Mark{origin + nearest * d, dot(normal, d) < 0 ? -normal : normal};
}

SeamLine SeamTracer::line(SeamKind kind, const std::vector<Ray>& rays,
                          const std::function<Vec3d(Vec3d)>& left) const {
    SeamLine line{kind, {}, {}};
    double on_left = 0;
    for (const Ray& ray : rays) {
        const auto found = mark(ray.origin, ray.direction);
        if (!found) continue;
        if (!line.points.empty() && norm(found->point - line.points.back()) > kLongestGap) break;
        if (left && !line.points.empty())
            on_left += dot(cross(found->normal, found->point - line.points.back()), left(found->point));
        line.points.push_back(found->point);
        line.normals.push_back(found->normal);
    }
    if (on_left < 0) {
        std::reverse(line.points.begin(), line.points.end());
        std::reverse(line.normals.begin(), line.normals.end());
    }
    return line;
}

Vec3d SeamTracer::around(Vec3d origin, double facing, double start, double arc) const {
    const double sign = arc < 0 ? -1 : 1;
    double left = std::abs(arc), angle = start;
    std::optional<Vec3d> last;
    for (int i = 0; i < 240; ++i, angle += sign * kTurn) {
        const auto found = mark(origin, {std::sin(angle), facing * std::cos(angle), 0});
        if (!found) continue;
        const double step = last ? norm(found->point - *last) : 0;
        if (last && step >= left) return *last + (left / step) * (found->point - *last);
        left -= step;
        last = found->point;
    }
    return last.value_or(origin);
}

namespace {

// The closed lines of the border, with the triangles on their left as these wind.
std::vector<std::vector<int>> border_loops(const TriMesh& mesh) {
    std::map<std::pair<int, int>, int> uses;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) ++uses[std::minmax(t[i], t[(i + 1) % 3])];
    std::map<int, int> next;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            if (uses[std::minmax(t[i], t[(i + 1) % 3])] == 1) next[t[i]] = t[(i + 1) % 3];
    std::vector<std::vector<int>> loops;
    while (!next.empty()) {
        std::vector<int>& loop = loops.emplace_back();
        for (auto edge = next.begin(); edge != next.end();
             edge = next.find(edge->second), next.erase(loop.back()))
            loop.push_back(edge->first);
    }
    return loops;
}

}  // namespace

SeamLine top_border(SeamKind kind, const TriMesh& cloth, Vec2d middle) {
    SeamLine line{kind, {}, {}};
    double top = -HUGE_VAL;
    std::vector<int> highest;
    Vec3d centre;
    for (std::vector<int>& loop : border_loops(cloth)) {
        Vec3d mean;
        for (const int v : loop) mean += (1 / double(loop.size())) * cloth.positions[at(v)];
        if (mean.z < top || norm(Vec2d{mean.x, mean.y} - middle) > kAroundMiddle) continue;
        top = mean.z;
        centre = mean;
        highest = loop;
    }
    if (highest.empty()) return line;
    const std::vector<Vec3d> normals = vertex_normals(cloth);
    double outwards = 0;  // triangles may wind either way
    for (const int v : highest) outwards += dot(normals[at(v)], cloth.positions[at(v)] - centre);
    highest.push_back(highest.front());
    for (const int v : highest) {
        line.points.push_back(cloth.positions[at(v)]);
        line.normals.push_back(outwards < 0 ? -normals[at(v)] : normals[at(v)]);
    }
    if (outwards < 0) {
        std::reverse(line.points.begin(), line.points.end());
        std::reverse(line.normals.begin(), line.normals.end());
    }
    return line;
}

}  // namespace rumple
