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

inline bool contains(const Box& outer, const Box& inner) { return joined(outer, inner) == outer; }

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

}  // namespace rumple::contact
