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
// Of lengths that are added up: rounding of projections in single precision, with room to spare.
constexpr float kProjection = 1e-5f;

using Lane = float[kLanes];
struct Lanes3 {
    Lane x, y, z;
};
struct Batch {
    Lanes3 p[4];     // m: the pair's vertices, from its first one
    Lanes3 back[4];  // m: their motion, from the end of the way to its beginning
    Lane within;     // m: how near they are wanted
    Lane motion;     // m: the most that a vertex of the one moves against one of the other
};

Vec3<float> get(const Lanes3& a, int k) { return {a.x[k], a.y[k], a.z[k]}; }
float clamp01(float s) { return s < 0 ? 0.0f : (s > 1 ? 1.0f : s); }
float over(float a, float b) { return b > 0 ? a / b : 0.0f; }
float smaller(float a, float b) { return a < b ? a : b; }
float larger(float a, float b) { return a > b ? a : b; }
float size_of(float a) { return larger(a, -a); }

struct Measured {
    float distance2, size2;
    Vec3<float> apart;  // from the second to the first, where they are nearest
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
    return {dot(apart, apart), dd + ee, apart};
}

Vec3<float> select(bool first, Vec3<float> a, Vec3<float> b) {
    return {first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z};
}
Vec3<float> nearest_to_origin(Vec3<float> a, Vec3<float> along) {  // of the segment from a
    return a + clamp01(over(-dot(a, along), dot(along, along))) * along;
}
Vec3<float> nearer(Vec3<float> a, Vec3<float> b) { return select(dot(a, a) < dot(b, b), a, b); }

// The vertex is the origin.
Measured vertex_face(const Batch& b, int k) {
    const Vec3<float> p = get(b.p[1], k), q = get(b.p[2], k), r = get(b.p[3], k);
    const Vec3<float> pq = q - p, qr = r - q, rp = p - r, n = cross(pq, qr);
    const float nn = dot(n, n), height = dot(n, p), size2 = dot(pq, pq) + dot(qr, qr);
    const bool inside = (dot(cross(pq, p), n) <= 0) & (dot(cross(qr, q), n) <= 0) &
                        (dot(cross(rp, r), n) <= 0) & (nn > kSquaredSine * dot(pq, pq) * dot(qr, qr));
    const Vec3<float> on_edges =
        nearer(nearest_to_origin(p, pq), nearer(nearest_to_origin(q, qr), nearest_to_origin(r, rp)));
    const Vec3<float> nearest = select(inside, over(height, nn) * n, on_edges);
    return {inside ? over(height * height, nn) : dot(on_edges, on_edges), size2, -1.0f * nearest};
}

// A vector of all lanes each, and loops that do one thing, so that the compiler takes all lanes at once.
struct AllMeasured {
    Lane distance2, size2;
    Lanes3 apart;
};

template <class Measure>
void measure_all(const Batch& b, Measure&& measure, AllMeasured& all) {
    for (int k = 0; k < kLanes; ++k) {
        const Measured m = measure(b, k);
        all.distance2[k] = m.distance2;
        all.size2[k] = m.size2;
        all.apart.x[k] = m.apart.x;
        all.apart.y[k] = m.apart.y;
        all.apart.z[k] = m.apart.z;
    }
}

// How far the first vertices (of a vertex and a face: the first, else two) lead the others in the direction
// in which they are apart, times the length of `apart`.
template <PairKind kKind>
float lead(float a, float b, float c, float d) {
    if constexpr (kKind == PairKind::vertex_face) return a - larger(larger(b, c), d);
    return smaller(a, b) - larger(c, d);
}

// Apart at the end by more than they move against each other; or apart at both ends in one direction, and so
// on the whole straight way.
template <PairKind kKind>
std::uint32_t far_apart(const Batch& b, const AllMeasured& m) {
    std::uint32_t far[kLanes], bits = 0;
    for (int k = 0; k < kLanes; ++k) {
        const float size = std::sqrt(m.size2[k]), distance = std::sqrt(m.distance2[k]);
        const float limit = b.within[k] + b.motion[k] + kRounding * size;
        const Vec3<float> n = get(m.apart, k);
        const float a1 = dot(n, get(b.p[0], k)), b1 = dot(n, get(b.p[1], k));
        const float c1 = dot(n, get(b.p[2], k)), d1 = dot(n, get(b.p[3], k));
        const float a0 = a1 + dot(n, get(b.back[0], k)), b0 = b1 + dot(n, get(b.back[1], k));
        const float c0 = c1 + dot(n, get(b.back[2], k)), d0 = d1 + dot(n, get(b.back[3], k));
        const Vec3<float> back = get(b.back[0], k);
        const float moved = size_of(back.x) + size_of(back.y) + size_of(back.z) + b.motion[k];
        const float least = distance * (b.within[k] + kProjection * (size + distance + moved));
        const float nearest = smaller(lead<kKind>(a1, b1, c1, d1), lead<kKind>(a0, b0, c0, d0));
        const float beyond = larger(m.distance2[k] - limit * limit, nearest - least);
        far[k] = (beyond > 0) & (m.size2[k] < kLargest);
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
        if (!back.empty()) {
            for (std::size_t i = 0; i < 4; ++i) {
                const Vec3<float> d = back[at(v[i])];
                batch.back[i].x[k] = d.x;
                batch.back[i].y[k] = d.y;
                batch.back[i].z[k] = d.z;
            }
            for (std::size_t i = 0; i < split; ++i)
                for (std::size_t j = split; j < 4; ++j) {
                    const Vec3<float> d = back[at(v[i])] - back[at(v[j])];
                    most = std::max(most, dot(d, d));
                }
        }
        const int body = std::max(surface.body_of_vertex[at(v[0])], surface.body_of_vertex[at(v[3])]);
        batch.within[k] = static_cast<float>(within[at(body)]);
        batch.motion[k] = std::sqrt(most);
    }
    AllMeasured measured;
    const bool edges = kind == PairKind::edge_edge;
    edges ? measure_all(batch, edge_edge, measured) : measure_all(batch, vertex_face, measured);
    const std::uint32_t far = edges ? far_apart<PairKind::edge_edge>(batch, measured)
                                    : far_apart<PairKind::vertex_face>(batch, measured);
    return ~far & ((1u << pairs.size()) - 1);
}

}  // namespace rumple::contact
