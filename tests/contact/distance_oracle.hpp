// The distance of a pair by another way than the library's, in long double: a sweep over all faces of the two
// primitives, each by its normal equations; and, from it, the first time a moving pair comes closer than a
// separation, by bisection with the Lipschitz bound on the distance.
#pragma once

#include <algorithm>
#include <cmath>
#include <rumple/contact/pair.hpp>
#include <rumple/core/vec.hpp>

namespace rumple::test {

using namespace contact;

using Long = long double;
using Vec3l = Vec3<Long>;

inline Vec3l wide(Vec3d v) { return {v.x, v.y, v.z}; }

inline Long point_segment(Vec3l p, Vec3l a, Vec3l b) {
    const Vec3l u = b - a;
    const Long uu = dot(u, u), s = uu > 0 ? std::clamp<Long>(dot(p - a, u) / uu, 0, 1) : 0;
    return norm(p - a - s * u);
}

inline Long vertex_face_distance(const Vec3l x[4]) {
    Long best = std::min(
        {point_segment(x[0], x[1], x[2]), point_segment(x[0], x[2], x[3]), point_segment(x[0], x[3], x[1])});
    const Vec3l u = x[2] - x[1], v = x[3] - x[1], q = x[0] - x[1];
    const Long uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    if (det <= 1e-16L * uu * vv) return best;
    const Long b1 = (vv * dot(q, u) - uv * dot(q, v)) / det, b2 = (uu * dot(q, v) - uv * dot(q, u)) / det;
    if (b1 >= 0 && b2 >= 0 && b1 + b2 <= 1) best = std::min(best, norm(q - b1 * u - b2 * v));
    return best;
}

inline Long edge_edge_distance(const Vec3l x[4]) {
    Long best = std::min({point_segment(x[0], x[2], x[3]), point_segment(x[1], x[2], x[3]),
                          point_segment(x[2], x[0], x[1]), point_segment(x[3], x[0], x[1])});
    const Vec3l u = x[1] - x[0], v = x[3] - x[2], r = x[0] - x[2];
    const Long uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    if (det <= 1e-16L * uu * vv) return best;
    const Long s = (uv * dot(v, r) - vv * dot(u, r)) / det, t = (uu * dot(v, r) - uv * dot(u, r)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, norm(r + s * u - t * v));
    return best;
}

inline Long distance(PairKind kind, const Vec3l x[4]) {
    return kind == PairKind::vertex_face ? vertex_face_distance(x) : edge_edge_distance(x);
}

struct MovingPair {
    PairKind kind;
    Vec3d x0[4], x1[4];

    Long distance_at(Long t) const {
        Vec3l x[4];
        for (int i = 0; i < 4; ++i) x[i] = wide(x0[i]) + t * (wide(x1[i]) - wide(x0[i]));
        return distance(kind, x);
    }
    // No two points of the primitives approach faster.
    Long speed() const {
        const int a_count = kind == PairKind::vertex_face ? 1 : 2;
        Long most = 0;
        for (int i = 0; i < a_count; ++i)
            for (int j = a_count; j < 4; ++j)
                most = std::max(most, norm((wide(x1[i]) - wide(x0[i])) - (wide(x1[j]) - wide(x0[j]))));
        return most;
    }
};

// First time in [begin, end], to 1e-7, at which the distance is surely at most `separation`; 2 if there is
// none. Dips below the separation that are shorter than 1e-7 may be overlooked: the oracle errs to the
// library's favour only there.
inline Long first_time(const MovingPair& m, Long separation, Long speed, Long begin, Long end, Long d_begin,
                       Long d_end) {
    if (d_begin <= separation) return begin;
    if ((d_begin + d_end - speed * (end - begin)) / 2 > separation) return 2;
    if (end - begin < 1e-7L) return d_end <= separation ? end : 2;
    const Long middle = (begin + end) / 2, d_middle = m.distance_at(middle);
    const Long first = first_time(m, separation, speed, begin, middle, d_begin, d_middle);
    return first <= 1 ? first : first_time(m, separation, speed, middle, end, d_middle, d_end);
}
inline Long first_time(const MovingPair& m, Long separation) {
    return first_time(m, separation, m.speed(), 0, 1, m.distance_at(0), m.distance_at(1));
}

}  // namespace rumple::test
