#include <rumple/contact/smooth_patches.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/broad_phase.hpp>
#include <rumple/contact/closest.hpp>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 256;
// Single precision, of patches of a few edges: far less than this share of the patch's size.
constexpr float kRounding = 1e-5f;
constexpr float kLargest = 1e3f;  // m: of a patch; beyond, something is wrong with it

Vec3<float> across(Vec3<float> n) {  // a unit vector across the unit vector n
    return normalized(std::abs(n.x) < 0.6f ? Vec3<float>{0, -n.z, n.y} : Vec3<float>{n.z, 0, -n.x});
}

}  // namespace

bool has_gaps(const Surface& surface, std::span<const Vec3d> rest, double within) {
    std::ptrdiff_t all = 0, high = 0;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (surface.bodies[at(surface.body_of_triangle[t])].kind != BodyKind::cloth) continue;
        const auto& v = surface.triangles[t];
        const Vec3d p = rest[at(v[1])] - rest[at(v[0])], q = rest[at(v[2])] - rest[at(v[0])];
        const double longest = std::sqrt(std::max({dot(p, p), dot(q, q), dot(p - q, p - q)}));
        ++all;
        high += norm(cross(p, q)) > within * longest;
    }
    return 2 * high > all;
}

RestGaps rest_gaps(const Threads& threads, const Surface& surface, std::span<const Vec3d> rest, double most) {
    RestGaps gaps;
    const float far = (1 - kRounding) * static_cast<float>(most);
    gaps.vertex.assign(at(surface.vertex_count), far);
    gaps.edge.assign(surface.edges.size(), far);
    std::vector<std::uint8_t> cloth;
    for (const SurfaceBody& body : surface.bodies) cloth.push_back(body.kind == BodyKind::cloth);
    const std::vector<double> margin(surface.bodies.size(), 0.5 * most), within(surface.bodies.size(), most);
    BroadPhase broad(surface);
    broad.update(threads, rest, rest, margin, cloth);
    std::vector<ContactPair> pairs;
    const ProximityFilter filter{surface, rest, {}, within};
    broad.find_pairs(threads, pairs, true, &filter);
    for (const ContactPair& pair : pairs) {
        const std::array<int, 4> v = pair_vertices(surface, pair);
        if (surface.body_of_vertex[at(v[0])] != surface.body_of_vertex[at(v[3])]) continue;
        const Vec3d p[4] = {rest[at(v[0])], rest[at(v[1])], rest[at(v[2])], rest[at(v[3])]};
        const float d = (1 - kRounding) * static_cast<float>(closest_points(pair.kind, p).distance);
        const bool edges = pair.kind == PairKind::edge_edge;
        float& gap = edges ? gaps.edge[at(pair.a)] : gaps.vertex[at(pair.a)];
        gap = std::min(gap, d);
        if (edges) gaps.edge[at(pair.b)] = std::min(gaps.edge[at(pair.b)], d);
    }
    return gaps;
}

void SmoothPatches::build(const Surface& surface, const SurfaceBody& body, const Bvh& tree,
                          const RestGaps& gaps, std::span<const Vec3d> rest) {
    of_node_.assign(at(tree.node_count()), -1);
    patches_.clear();
    triangles_.clear();
    for (int node = 0; node < tree.node_count(); ++node) {
        if (tree.node(node).second != 0) continue;
        Patch patch = {};
        int vertices[3 * Bvh::kLeafItems], *end = vertices;
        patch.gap = HUGE_VALF;
        patch.first_triangle = static_cast<int>(triangles_.size());
        for (int slot = tree.node(node).begin; slot < tree.leaf_end(node); ++slot) {
            const std::size_t t = at(body.triangle_begin + tree.item(slot));
            const std::array<int, 3> corners = surface.triangles[t];
            triangles_.push_back(corners);
            end = std::copy(corners.begin(), corners.end(), end);
            for (unsigned k = 0; k < 3; ++k) {
                if (surface.owns[t] >> k & 1u) patch.gap = std::min(patch.gap, gaps.vertex[at(corners[k])]);
                if (surface.owns[t] >> (3 + k) & 1u)
                    patch.gap = std::min(patch.gap, gaps.edge[at(surface.triangle_edges[t][k])]);
            }
            patch.rest_normal += single(cross(rest[at(corners[1])] - rest[at(corners[0])],
                                              rest[at(corners[2])] - rest[at(corners[0])]));
        }
        patch.triangle_end = static_cast<int>(triangles_.size());
        std::sort(vertices, end);
        end = std::unique(vertices, end);
        patch.count = static_cast<int>(end - vertices);
        if (patch.count > kLanes) continue;
        for (int k = 0; k < patch.count; ++k) patch.rest_mean += (1.0 / patch.count) * rest[at(vertices[k])];
        for (int k = 0; k < kLanes; ++k) {
            patch.vertex[k] = vertices[k < patch.count ? k : 0];
            const Vec3<float> X = single(rest[at(patch.vertex[k])] - patch.rest_mean);
            for (int i = 0; i < 3; ++i) patch.rest[i][k] = X[i];
            if (k < patch.count) patch.rest_moment += outer(X, X);
        }
        of_node_[at(node)] = static_cast<int>(patches_.size());
        patches_.push_back(patch);
    }
}

void SmoothPatches::update(const Threads& threads, const ProximityFilter& filter, double within) {
    within_ = static_cast<float>(within);
    threads.for_each(patches_.size(), kGrain, [&](std::size_t i) {
        Patch& patch = patches_[i];
        patch.smooth = patch.gap > within_;
        if (!patch.smooth) return;
        measure(patch, filter);
        patch.smooth = patch.size < kLargest && apart(patch, patch);  // not if it is not a number
    });
}

void SmoothPatches::measure(Patch& patch, const ProximityFilter& filter) const {
    patch.mean = {};
    for (int k = 0; k < patch.count; ++k) patch.mean += (1.0 / patch.count) * filter.x1[at(patch.vertex[k])];
    patch.moment = {};
    float sum = 0;
    for (int k = 0; k < kLanes; ++k) {
        const Vec3<float> x = single(filter.x1[at(patch.vertex[k])] - patch.mean);
        const Vec3<float> back = filter.back.empty() ? Vec3<float>{} : filter.back[at(patch.vertex[k])];
        sum += dot(x, x) + dot(back, back);
        for (int i = 0; i < 3; ++i) {
            patch.now[i][k] = x[i];
            patch.back[i][k] = back[i];
        }
        if (k < patch.count)
            patch.moment += outer(x, Vec3<float>{patch.rest[0][k], patch.rest[1][k], patch.rest[2][k]});
    }
    patch.size = std::sqrt(sum);
    patch.normal = {};
    for (int i = patch.first_triangle; i < patch.triangle_end; ++i) {
        const std::array<int, 3>& t = triangles_[at(i)];
        const Vec3d origin = filter.x1[at(t[0])];
        patch.normal += cross(single(filter.x1[at(t[1])] - origin), single(filter.x1[at(t[2])] - origin));
    }
}

// The map from rest to now, N, d and B of the header.
struct SmoothPatches::Fit {
    Vec3<float> N, T1, T2;           // axes at rest
    Vec3<float> d, t1, t2;           // axes now
    Vec3<float> rest_off, off;       // m: from the mean of a to that of b
    Vec3<float> B1, B2;              // B1 . X is the first part of B Y
    float smallest = 0, larger = 0;  // singular value of B; at least the other one
    float rest_size = 0;             // m

    bool make(const Patch& a, const Patch& b);
};

// False where there is none, or none that would be of use. A patch may come as a and b.
bool SmoothPatches::Fit::make(const Patch& a, const Patch& b) {
    N = a.rest_normal + b.rest_normal;
    d = a.normal + b.normal;
    if (!(dot(N, N) > 0) || !(dot(d, d) > 0)) return false;
    N = normalized(N);
    d = normalized(d);
    T1 = across(N);
    T2 = cross(N, T1);
    t1 = across(d);
    t2 = cross(d, t1);
    rest_off = single(b.rest_mean - a.rest_mean);
    off = single(b.mean - a.mean);

    // Least squares: B = sum(y Y^T) sum(Y Y^T)^-1, about the mean of both.
    const float weight = static_cast<float>(a.count * b.count) / static_cast<float>(a.count + b.count);
    const auto sums = [&](Vec3<float> T, Vec3<float>& rest_sum, Vec3<float>& sum) {
        const float lever = weight * dot(rest_off, T);
        rest_sum = a.rest_moment * T + b.rest_moment * T + lever * rest_off;
        sum = a.moment * T + b.moment * T + lever * off;
    };
    Vec3<float> K1, K2, H1, H2;
    sums(T1, K1, H1);
    sums(T2, K2, H2);
    const float k11 = dot(T1, K1), k12 = dot(T1, K2), k22 = dot(T2, K2), det = k11 * k22 - k12 * k12;
    if (!(det > 0)) return false;
    const auto row = [&](Vec3<float> t) {
        const float h1 = dot(t, H1), h2 = dot(t, H2);
        return Vec2<float>{(h1 * k22 - h2 * k12) / det, (h2 * k11 - h1 * k12) / det};
    };
    const Vec2<float> p = row(t1), q = row(t2);
    B1 = p.x * T1 + p.y * T2;
    B2 = q.x * T1 + q.y * T2;
    // The singular values of a 2x2 matrix are half the sum and the difference of these.
    const float turning = norm(Vec2<float>{p.x + q.y, q.x - p.y}),
                mirroring = norm(Vec2<float>{p.x - q.y, q.x + p.y});
    smallest = 0.5f * std::abs(turning - mirroring);
    larger = turning + mirroring;
    rest_size = std::sqrt(k11 + k22);
    return true;
}

// What the vertices have of a quantity.
struct SmoothPatches::Spread {
    Lanes low, high;

    void begin(const Lanes& first) { low = high = first; }
    void add(const Lanes& more) {
        low = more < low ? more : low;
        high = more > high ? more : high;
    }
    float width() const {
        float lo[kLanes], hi[kLanes];
        std::memcpy(lo, &low, sizeof lo);
        std::memcpy(hi, &high, sizeof hi);
        for (int half = kLanes / 2; half > 0; half /= 2)
            for (int k = 0; k < half; ++k) {
                lo[k] = lo[k + half] < lo[k] ? lo[k + half] : lo[k];
                hi[k] = hi[k + half] > hi[k] ? hi[k + half] : hi[k];
            }
        return hi[0] - lo[0];
    }
};

bool SmoothPatches::apart(int leaf_a, int leaf_b) const {
    if (of_node_[at(leaf_a)] < 0 || of_node_[at(leaf_b)] < 0) return false;
    const Patch &a = patches_[at(of_node_[at(leaf_a)])], &b = patches_[at(of_node_[at(leaf_b)])];
    if (!a.smooth || !b.smooth) return false;
    if (&a == &b) return true;
    // In dense contact most leaves that meet are of different layers: not worth a fit.
    const Vec3d rest_off = b.rest_mean - a.rest_mean, off = b.mean - a.mean;
    if (dot(a.normal, b.normal) < 0 || 4 * dot(off, off) < dot(rest_off, rest_off)) return false;
    return apart(a, b);
}

bool SmoothPatches::apart(const Patch& a, const Patch& b) const {
    Fit fit;
    if (!fit.make(a, b)) return false;

    // At the end of the way: e, its two parts, and f, of the vertices of a and of b.
    Lanes e[2][3], Z[2];
    const Patch* const patch[2] = {&a, &b};
    const Vec3<float> rest_off[2] = {{}, fit.rest_off}, off[2] = {{}, fit.off};
    for (int i = 0; i < 2; ++i) {
        const Lanes *X = patch[i]->rest, *x = patch[i]->now;
        const auto part = [&](Vec3<float> t, Vec3<float> T, Lanes& out) {
            out = x[0] * t.x + x[1] * t.y + x[2] * t.z - (X[0] * T.x + X[1] * T.y + X[2] * T.z) +
                  (dot(off[i], t) - dot(rest_off[i], T));
        };
        part(fit.t1, fit.B1, e[i][0]);
        part(fit.t2, fit.B2, e[i][1]);
        part(fit.d, fit.N, e[i][2]);
        Z[i] = X[0] * fit.N.x + X[1] * fit.N.y + X[2] * fit.N.z + dot(rest_off[i], fit.N);
    }
    Spread depth;
    depth.begin(Z[0]);
    depth.add(Z[1]);
    const float T = depth.width(), r = std::min(a.gap, b.gap), s = std::min(1.0f, fit.smallest);
    const float size = a.size + b.size + (1 + fit.larger) * (fit.rest_size + T);
    const float limit = (1 + kRounding) * within_ + kRounding * size;
    const auto is_apart = [&] {
        Spread spread[3];
        for (int k = 0; k < 3; ++k) {
            spread[k].begin(e[0][k]);
            spread[k].add(e[1][k]);
        }
        const float f = spread[2].width(), c = f < T ? (2 * T - f) * f : T * T;
        const float off_plan = norm(Vec2<float>{spread[0].width(), spread[1].width()});
        return s * std::sqrt(std::max(0.0f, r * r - c)) - off_plan > limit;
    };
    if (!is_apart()) return false;
    const Vec3<float> axis[3] = {fit.t1, fit.t2, fit.d};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k)
            e[i][k] +=
                patch[i]->back[0] * axis[k].x + patch[i]->back[1] * axis[k].y + patch[i]->back[2] * axis[k].z;
    return is_apart();
}

}  // namespace rumple::contact
