// Eight numbers side by side in vector registers of any width. Laws and formulas of
// elements are templates: with T = Lanes one call computes eight elements.
//
// Every lane is computed for itself, by the same IEEE operations on every machine: what an element gets does
// not depend on its neighbours, nor on the width of the registers. exp, expm1 and atan2 are our own, within
// three units in the last place (tests/core/lanes_test.cpp), since the library's take one number at a time.
#pragma once

#include <array>
#include <rumple/core/pack.hpp>
#include <rumple/core/scalar.hpp>

namespace rumple {

// One truth a lane: all bits set, or none.
struct Mask {
    using Bits = Pack<long long, 8>;
    Bits bits{};

    friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
    friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
    friend Mask operator!(Mask a) { return {~a.bits}; }
};
inline bool any(Mask m) {
    long long all = 0;
    for (int k = 0; k < 8; ++k) all |= m.bits[k];
    return all != 0;
}

struct Lanes {
    static constexpr std::size_t kCount = 8;
    using Values = Pack<double, kCount>;
    Values v{};

    Lanes() = default;
    Lanes(Values values) : v(values) {}
    Lanes(double s) : v{s, s, s, s, s, s, s, s} {}
    // number(k) for each lane k.
    template <class Number>
    static Lanes gather(Number&& number) {
        std::array<double, kCount> values;
        for (std::size_t k = 0; k < kCount; ++k) values[k] = number(k);
        Lanes a;
        std::memcpy(&a.v, values.data(), sizeof a.v);
        return a;
    }
    std::array<double, kCount> numbers() const {
        std::array<double, kCount> values;
        std::memcpy(values.data(), &v, sizeof v);
        return values;
    }

    friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
    friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
    friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
    friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
    friend Lanes operator-(Lanes a) { return -a.v; }
    Lanes& operator+=(Lanes b) { return *this = *this + b; }
    Lanes& operator-=(Lanes b) { return *this = *this - b; }
    Lanes& operator*=(Lanes b) { return *this = *this * b; }

    friend Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
    friend Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
    friend Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
    friend Mask operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
    friend Mask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }
    friend Mask operator!=(Lanes a, Lanes b) { return {a.v != b.v}; }
};

inline Lanes select(Mask condition, Lanes then, Lanes otherwise) {
    return condition.bits ? then.v : otherwise.v;
}

namespace lanes_detail {
inline Mask::Bits bits(Lanes a) { return reinterpret_cast<Mask::Bits>(a.v); }
inline Lanes from_bits(Mask::Bits b) { return reinterpret_cast<Lanes::Values>(b); }
inline Mask::Bits sign() { return bits(Lanes(-0.0)); }

// Horner's rule, coefficients from the lowest.
template <std::size_t N>
Lanes polynomial(Lanes x, const double (&coefficient)[N]) {
    Lanes sum = coefficient[N - 1];
    for (std::size_t k = N - 1; k-- > 0;) sum = sum * x + Lanes(coefficient[k]);
    return sum;
}

// exp(x) = scale (1 + rest): scale a power of two, |rest| < 0.42.
struct Exponential {
    Lanes scale, rest;
};
inline Exponential exponential(Lanes x) {
    constexpr double kInverse = 1.4426950408889634, kHigh = 0x1.62e42feep-1,
                     kLow = 0x1.a39ef35793c76p-33;  // ln 2
    constexpr double kRound = 0x1.8p52;  // added, it leaves no room for fractions: the rest is an integer
    constexpr double kSeries[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                  1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                  1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    x = select(x < -708.0, -708.0, x);  // below, exp is 0 for all our uses; a NaN stays NaN
    x = select(x > 709.0, 709.0, x);
    const Lanes shifted = x * kInverse + kRound, power = shifted - kRound;
    const Lanes r = (x - power * kHigh) - power * kLow;
    return {from_bits((bits(shifted) << 52) + bits(Lanes(1.0))), r + r * r * polynomial(r, kSeries)};
}
}  // namespace lanes_detail

inline Lanes abs(Lanes a) { return lanes_detail::from_bits(lanes_detail::bits(a) & ~lanes_detail::sign()); }
inline Lanes copysign(Lanes size, Lanes sign) {
    using namespace lanes_detail;
    return from_bits(bits(abs(size)) | (bits(sign) & lanes_detail::sign()));
}
inline Lanes sqrt(Lanes a) {
    return Lanes::gather([v = a.numbers()](std::size_t k) { return std::sqrt(v[k]); });
}

// x from -708 to 709; beyond, as there.
inline Lanes exp(Lanes x) {
    const auto [scale, rest] = lanes_detail::exponential(x);
    return scale + scale * rest;
}
inline Lanes expm1(Lanes x) {
    const auto [scale, rest] = lanes_detail::exponential(x);
    return (scale - 1.0) + scale * rest;
}

// In (-pi, pi]; 0 where both are 0.
inline Lanes atan2(Lanes y, Lanes x) {
    // (atan(t)/t - 1)/t^2 as a polynomial of t^2 up to tan(pi/8), within 4e-17 (Chebyshev interpolation)
    constexpr double kSeries[] = {-0.333333333333333302, 0.199999999999955207,   -0.142857142846665429,
                                  0.111111110152563617,  -0.0909090457812390189, 0.0769218319082608656,
                                  -0.06664511447381948,  0.0585814891280220988,  -0.0508544973794025986,
                                  0.0392316582955871913, -0.019176887119062259};
    constexpr double kTanEighth = 0.41421356237309503;  // tan(pi/8)
    // pi/4, and what its double lacks
    constexpr double kQuarter = 0.78539816339744828, kQuarterLow = 3.06161699786838294e-17;
    const Lanes ax = abs(x), ay = abs(y);
    const Mask steep = ay > ax;
    const Lanes low = select(steep, ax, ay), high = select(steep, ay, ax);
    // atan(t) = pi/4 + atan((t - 1)/(t + 1))
    const Mask beyond = low > kTanEighth * high;
    const Lanes above = select(beyond, low - high, low);
    Lanes below = select(beyond, low + high, high);
    below = select(below == 0.0, 1.0, below);
    const Lanes t = above / below, z = t * t;
    // The angle is quarters * pi/4 + turn * atan(t): folded back at pi/4, then at pi/2.
    Lanes quarters = select(beyond, 1.0, 0.0), turn = 1.0;
    quarters = select(steep, 2.0 - quarters, quarters);
    turn = select(steep, -turn, turn);
    const Mask back = x < 0.0;
    quarters = select(back, 4.0 - quarters, quarters);
    turn = select(back, -turn, turn);
    const Lanes angle = turn * (t + t * z * lanes_detail::polynomial(z, kSeries));
    return copysign(quarters * kQuarter + (angle + quarters * kQuarterLow), y);
}

}  // namespace rumple
