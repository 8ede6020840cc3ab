#include <rumple/contact/proximity_filter.hpp>
#include <rumple/core/index.hpp>

#include <cmath>

namespace rumple::contact {

namespace {

constexpr int kLanes = static_cast<int>(ProximityFilter::kLanes);
// Rounding in single precision, nearly parallel edges and slivers move the distance by far less than this
// share of the primitives' size.
constexpr float kRounding = 0.02f;
constexpr float kSquaredSine = 1e-5f;  // below, edges count as parallel and triangles as slivers
constexpr float kLargest = 1e12f;      // m^2: beyond, single precision is not to be trusted

using Lane = float[kLanes];
struct Lanes3 {
    Lane x, y, z;
};
struct Batch {
    Lanes3 p[4];     // m: the pair's vertices, from its first one
    Lane allowance;  // m: how far apart they may be, motion on the way included
};

Vec3<float> get(const Lanes3& a, int k) { return {a.x[k], a.y[k], a.z[k]}; }
float clamp01(float s) { return s < 0 ? 0.0f : (s > 1 ? 1.0f : s); }
float over(float a, float b) { return b > 0 ? a / b : 0.0f; }
float smaller(float a, float b) { return a < b ? a : b; }

struct Measured {
    float distance2, size2;
};

// Of segments: the line parameter of the one, then the nearest point of the other, then back (Ericson,
// Real-Time Collision Detection, 5.1.9, without branches).
Measured edge_edge(const Batch& b, int k) {
    const Vec3<float> p0 = get(b.p[0], k), q0 = get(b.p[2], k);
    const Vec3<float> d = get(b.p[1], k) - p0, e = get(b.p[3], k) - q0, r = p0 - q0;
    const float dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
    const float sine2 = dd * ee - de * de;
    const float first = sine2 > kSquaredSine * dd * ee ? clamp01((de * er - dr * ee) / sine2) : 0.0f;
    const float t = clamp01(over(de * first + er, ee));
    const float s = clamp01(over(de * t - dr, dd));
    const Vec3<float> apart = r + s * d - t * e;
    return {dot(apart, apart), dd + ee};
}

float from_origin(Vec3<float> a, Vec3<float> along) {  // to the segment from a
    const Vec3<float> nearest = a + clamp01(over(-dot(a, along), dot(along, along))) * along;
    return dot(nearest, nearest);
}

// The vertex is the origin.
Measured vertex_face(const Batch& b, int k) {
    const Vec3<float> p = get(b.p[1], k), q = get(b.p[2], k), r = get(b.p[3], k);
    const Vec3<float> pq = q - p, qr = r - q, rp = p - r, n = cross(pq, qr);
    const float nn = dot(n, n), height = dot(n, p), size2 = dot(pq, pq) + dot(qr, qr);
    const bool inside = (dot(cross(pq, p), n) <= 0) & (dot(cross(qr, q), n) <= 0) &
                        (dot(cross(rp, r), n) <= 0) & (nn > kSquaredSine * dot(pq, pq) * dot(qr, qr));
    const float edges = smaller(from_origin(p, pq), smaller(from_origin(q, qr), from_origin(r, rp)));
    return {inside ? height * height / nn : edges, size2};
}

template <class Measure>
std::uint32_t far_apart(const Batch& b, Measure&& measure) {
    std::uint32_t far[kLanes], bits = 0;
    for (int k = 0; k < kLanes; ++k) {
        const Measured m = measure(b, k);
        const float limit = b.allowance[k] + kRounding * std::sqrt(m.size2);
        far[k] = (m.distance2 > limit * limit) & (m.size2 < kLargest);
    }
    for (int k = 0; k < kLanes; ++k) bits |= far[k] << k;
    return bits;
}

}  // namespace

std::uint32_t ProximityFilter::near(std::span<const ContactPair> pairs) const {
    Batch batch = {};
    const PairKind kind = pairs.front().kind;
    const std::size_t split = kind == PairKind::vertex_face ? 1 : 2;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::array<int, 4> v = pair_vertices(surface, pairs[k]);
        const Vec3d origin = x1[at(v[0])];
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3d d = x1[at(v[i])] - origin;
            batch.p[i].x[k] = static_cast<float>(d.x);
            batch.p[i].y[k] = static_cast<float>(d.y);
            batch.p[i].z[k] = static_cast<float>(d.z);
        }
        float most = 0;
        if (!back.empty())
            for (std::size_t i = 0; i < split; ++i)
                for (std::size_t j = split; j < 4; ++j) {
                    const Vec3<float> d = back[at(v[i])] - back[at(v[j])];
                    most = std::max(most, dot(d, d));
                }
        const int body = std::max(surface.body_of_vertex[at(v[0])], surface.body_of_vertex[at(v[3])]);
        batch.allowance[k] = static_cast<float>(within[at(body)]) + std::sqrt(most);
    }
    const std::uint32_t far =
        kind == PairKind::edge_edge ? far_apart(batch, edge_edge) : far_apart(batch, vertex_face);
    return ~far & ((1u << pairs.size()) - 1);
}

}  // namespace rumple::contact
