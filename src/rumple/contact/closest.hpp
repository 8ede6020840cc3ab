// Closest points of a vertex and a triangle, and of two segments: where a contact is, and which way it
// pushes.
//
// Both are found as the nearest of a few candidates, each of which is a true point of the primitive: the foot
// of the perpendicular where it lies inside, and the nearest points on the border. Rounding can then choose a
// neighbouring candidate but never a point that is off the primitive, and degenerate primitives need no cases
// of their own: a triangle without area is its three sides, a segment without length is its first end.
//
//   weight      signed weights of the four vertices: separation = sum weight[i] x[i]
//               vertex-face  1, -b0, -b1, -b2        (b: barycentric coordinates)
//               edge-edge    1-s, s, -(1-t), -t      (s, t: fractions along the edges)
//               exactly 0 where the point is on the border away from a vertex
//   separation  point on a minus point on b [m]
#pragma once

#include <cmath>
#include <rumple/contact/pair.hpp>
#include <rumple/core/hd.hpp>
#include <rumple/core/vec.hpp>

namespace rumple::contact {

struct Closest {
    double weight[4] = {};
    Vec3d separation;
    double distance = 0;
};

// A triangle is taken for its sides when it is flatter than this (height over length), two segments for
// parallel when the sine of their angle is smaller: below it the perpendicular's foot is lost in rounding.
inline constexpr double kFlat = 1e-8;

namespace closest_detail {

RUMPLE_HD inline double clamp_unit(double s) { return s < 0 ? 0 : (s > 1 ? 1 : s); }

// Fraction along a + s u, s in [0, 1], of the point nearest to the origin. 0 for a segment without length.
RUMPLE_HD inline double nearest_fraction(Vec3d a, Vec3d u) {
    const double uu = dot(u, u);
    return uu > 0 ? clamp_unit(-dot(a, u) / uu) : 0;
}

struct Best {
    double squared = HUGE_VAL;
    double s = 0, t = 0;
    Vec3d separation;

    RUMPLE_HD void offer(double s_new, double t_new, Vec3d d) {
        const double squared_new = dot(d, d);
        if (squared_new < squared) *this = {squared_new, s_new, t_new, d};
    }
};

}  // namespace closest_detail

RUMPLE_HD inline Closest closest_vertex_face(const Vec3d x[4]) {
    using namespace closest_detail;
    const Vec3d q = x[0] - x[1], u = x[2] - x[1], v = x[3] - x[1];  // q = b1 u + b2 v + the rest
    const Vec3d n = cross(u, v);
    const double nn = dot(n, n), uu = dot(u, u), vv = dot(v, v);
    Best best;  // s, t: barycentric b1, b2
    bool is_on_w = false;

    if (nn > kFlat * kFlat * uu * vv) {
        const double b1 = dot(cross(q, v), n) / nn, b2 = dot(cross(u, q), n) / nn;
        if (b1 >= 0 && b2 >= 0 && b1 + b2 <= 1) best.offer(b1, b2, q - b1 * u - b2 * v);
    }
    if (best.squared == HUGE_VAL) {  // the foot is outside, so the nearest point is on a side
        const double on_u = nearest_fraction(-q, u);
        best.offer(on_u, 0, q - on_u * u);
        const double on_v = nearest_fraction(-q, v);
        best.offer(0, on_v, q - on_v * v);
        const Vec3d w = v - u;
        const double on_w = nearest_fraction(u - q, w);
        const double nearest_yet = best.squared;
        best.offer(1 - on_w, on_w, q - u - on_w * w);
        is_on_w = best.squared < nearest_yet;
    }
    Closest c;
    c.weight[0] = 1;
    c.weight[1] =
        is_on_w ? 0
                : -(1 - best.s - best.t);  // exactly 0 off the corner, not what rounding leaves of 1 - s - t
    c.weight[2] = -best.s;
    c.weight[3] = -best.t;
    c.separation = best.separation;
    c.distance = std::sqrt(best.squared);
    return c;
}

RUMPLE_HD inline Closest closest_edge_edge(const Vec3d x[4]) {
    using namespace closest_detail;
    const Vec3d u = x[1] - x[0], v = x[3] - x[2], r = x[0] - x[2];  // separation = r + s u - t v
    const Vec3d n = cross(u, v);
    const double nn = dot(n, n), uu = dot(u, u), vv = dot(v, v);
    Best best;

    const bool parallel = nn <= kFlat * kFlat * uu * vv;
    if (!parallel) {
        // t from s, not from its own cross product: for nearly parallel edges both would err, each its own
        // way
        const double s = dot(cross(v, r), n) / nn, t = dot(r + s * u, v) / vv;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best.offer(s, t, r + s * u - t * v);
    }
    if (parallel && uu > 0 &&
        vv > 0) {  // the middle of the part of a that faces b; its nearer end if none does
        const double s0 = clamp_unit(-dot(r, u) / uu), s1 = clamp_unit(dot(v - r, u) / uu);
        const double s = 0.5 * (s0 + s1), t = nearest_fraction(-(r + s * u), v);
        best.offer(s, t, r + s * u - t * v);
    }
    if (best.squared == HUGE_VAL) {  // an end of one is nearest to the other
        const double t0 = nearest_fraction(-r, v), t1 = nearest_fraction(-(r + u), v);
        const double s0 = nearest_fraction(r, u), s1 = nearest_fraction(r - v, u);
        best.offer(0, t0, r - t0 * v);
        best.offer(1, t1, r + u - t1 * v);
        best.offer(s0, 0, r + s0 * u);
        best.offer(s1, 1, r + s1 * u - v);
    }
    Closest c;
    c.weight[0] = 1 - best.s;
    c.weight[1] = best.s;
    c.weight[2] = -(1 - best.t);
    c.weight[3] = -best.t;
    c.separation = best.separation;
    c.distance = std::sqrt(best.squared);
    return c;
}

RUMPLE_HD inline Closest closest_points(PairKind kind, const Vec3d x[4]) {
    return kind == PairKind::vertex_face ? closest_vertex_face(x) : closest_edge_edge(x);
}

// Where on the triangle of a vertex-face pair the closest point lies: inside (3 corners bear it), on the edge
// opposite to `missing` (2), or on `corner` (1).
struct PlaceOnFace {
    int corners = 0, corner = -1, missing = -1;
};
RUMPLE_HD inline PlaceOnFace place_on_face(const Closest& closest) {
    constexpr double kRim = 1e-9;  // a barycentric weight below this is none
    PlaceOnFace place;
    for (int i = 0; i < 3; ++i) {
        if (-closest.weight[i + 1] > kRim) {
            ++place.corners;
            place.corner = i;
        } else {
            place.missing = i;
        }
    }
    return place;
}

}  // namespace rumple::contact
