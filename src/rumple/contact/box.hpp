// Axis-aligned boxes in single precision, rounded outward: half the memory of doubles, and still around what
// they box.
#pragma once

#include <cmath>
#include <limits>
#include <rumple/core/pack.hpp>
#include <rumple/core/vec.hpp>

namespace rumple::contact {

struct Box {
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
    // Four lanes, so that a corner is one vector register; the last is 0. An empty box overlaps nothing.
    alignas(16) float lo[4] = {kInfinity, kInfinity, kInfinity, 0};
    alignas(16) float hi[4] = {-kInfinity, -kInfinity, -kInfinity, 0};

    friend bool operator==(const Box&, const Box&) = default;
};

inline bool overlap(const Box& a, const Box& b) {
    const auto a_lo = load_pack<4>(a.lo), a_hi = load_pack<4>(a.hi);
    const auto b_lo = load_pack<4>(b.lo), b_hi = load_pack<4>(b.hi);
    using Halves = Pack<long long, 2>;
    const Halves all = reinterpret_cast<Halves>((a_lo <= b_hi) & (b_lo <= a_hi));
    return (all[0] & all[1]) == -1;
}

inline Box joined(const Box& a, const Box& b) {
    Box c;
    for (int k = 0; k < 4; ++k) {
        c.lo[k] = a.lo[k] < b.lo[k] ? a.lo[k] : b.lo[k];
        c.hi[k] = a.hi[k] > b.hi[k] ? a.hi[k] : b.hi[k];
    }
    return c;
}

// Sum of the three edge lengths. Of an empty box: 0.
inline double half_girth(const Box& b) {
    if (!(b.lo[0] <= b.hi[0])) return 0;
    return (double{b.hi[0]} - b.lo[0]) + (double{b.hi[1]} - b.lo[1]) + (double{b.hi[2]} - b.lo[2]);
}

inline float rounded_down(double x) {
    const float f = static_cast<float>(x);
    return double{f} > x ? std::nextafterf(f, -Box::kInfinity) : f;
}
inline float rounded_up(double x) {
    const float f = static_cast<float>(x);
    return double{f} < x ? std::nextafterf(f, Box::kInfinity) : f;
}

// Box around the segment from p to q, grown by `margin`. A point that is not a number has no place: its box
// is empty.
inline Box box_around(Vec3d p, Vec3d q, double margin) {
    Box b;
    for (int k = 0; k < 3; ++k) {
        const double low = (p[k] < q[k] ? p[k] : q[k]) - margin, high = (p[k] > q[k] ? p[k] : q[k]) + margin;
        if (!(low <= high) || std::isnan(p[k])) return {};
        b.lo[k] = rounded_down(low);
        b.hi[k] = rounded_up(high);
    }
    return b;
}

// Of what moves in a straight line: where it begins and where it ends. Its box at any time in between lies
// between these two.
struct MovingBox {
    Box begin, end;
};

// False only where the two are apart on the whole way: beyond each other along an axis, on the same side at
// both ends. Two that move together meet no more often than two that rest; boxes around whole ways would.
inline bool overlap(const MovingBox& a, const MovingBox& b) {
    const auto reaches = [](const float* lo0, const float* lo1, const float* hi0, const float* hi1) {
        return (load_pack<4>(lo0) <= load_pack<4>(hi0)) | (load_pack<4>(lo1) <= load_pack<4>(hi1));
    };
    using Halves = Pack<long long, 2>;
    const Halves all = reinterpret_cast<Halves>(reaches(a.begin.lo, a.end.lo, b.begin.hi, b.end.hi) &
                                                reaches(b.begin.lo, b.end.lo, a.begin.hi, a.end.hi));
    return (all[0] & all[1]) == -1;
}

inline MovingBox joined(const MovingBox& a, const MovingBox& b) {
    return {joined(a.begin, b.begin), joined(a.end, b.end)};
}
// Around the whole way.
inline Box swept(const MovingBox& box) { return joined(box.begin, box.end); }

// Of a point that moves from p to q, grown by `margin`. One that is not a number anywhere has no place.
inline MovingBox moving_box(Vec3d p, Vec3d q, double margin) {
    const MovingBox box{box_around(p, p, margin), box_around(q, q, margin)};
    return box.begin == Box{} || box.end == Box{} ? MovingBox{} : box;
}

}  // namespace rumple::contact
