// Sample points that depend on nothing but the pixel and the sample's number: the same picture for any number
// of threads and in any order of the pixels.
//
// The points of one pixel and one purpose are the first n = 2^m of the two-dimensional Sobol sequence
// (a (0,2)-sequence: every elementary box of volume 1/n holds one point), scrambled by xor with a hash of the
// pixel and the purpose. [Sob67] I. M. Sobol', USSR Comp. Math. 7 (1967); [KK02] T. Kollig, A. Keller:
// Efficient multidimensional sampling, CGF 21 (2002). Purposes are made independent of one another by walking
// through the points in an order of their own.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <rumple_render/image.hpp>

namespace rumple {

// A 32-bit finaliser: multiply by odd numbers, fold the high half onto the low one. Bijective.
inline std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca77u;
    x ^= x >> 13;
    x *= 0xc2b2ae3du;
    return x ^ (x >> 16);
}
inline std::uint32_t mixed(std::uint32_t a, std::uint32_t b) { return mixed(a ^ mixed(b + 0x9e3779b9u)); }

inline float unit_float(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }  // [0, 1)

// i-th of 2^bits numbers in an order that `seed` chooses: each step is a bijection of [0, 2^bits).
inline std::uint32_t permuted(std::uint32_t i, int bits, std::uint32_t seed) {
    const std::uint32_t mask = (1u << bits) - 1;
    const int half = bits > 1 ? bits / 2 : 1;
    for (int round = 0; round < 3; ++round) {
        seed = mixed(seed + 0x51ed270bu);
        i = (i * (seed | 1u) + (seed >> 16)) & mask;
        i ^= i >> half;
    }
    return i;
}

struct Point2 {
    float x, y;  // [0, 1)
};

class PixelSampler {
  public:
    PixelSampler(std::uint32_t pixel, int log2_count) : pixel_(mixed(pixel)), bits_(log2_count) {}

    // Sample `i` of 2^log2_count for one purpose (any small number).
    Point2 at(std::uint32_t i, std::uint32_t purpose) const {
        const std::uint32_t seed = mixed(pixel_, purpose);
        const std::uint32_t k = permuted(i, bits_, seed);
        std::uint32_t a = 0, b = 0;
        for (std::uint32_t n = k, va = 1u << 31, vb = 1u << 31; n != 0; n >>= 1) {
            if (n & 1) {
                a ^= va;
                b ^= vb;
            }
            va >>= 1;
            vb ^= vb >> 1;
        }
        return {unit_float(a ^ mixed(seed + 1)), unit_float(b ^ mixed(seed + 2))};
    }

  private:
    std::uint32_t pixel_;
    int bits_;
};

// Any two unit vectors that make a right-handed frame with the unit vector n.
struct ShadingFrame {
    Vec3f s, t, n;
    explicit ShadingFrame(Vec3f normal) : n(normal) {
        const Vec3f helper = std::abs(n.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0};
        s = normalized(cross(helper, n));
        t = cross(n, s);
    }
    Vec3f out(float x, float y, float z) const { return x * s + y * t + z * n; }
};

// Direction about n with density proportional to the cosine.
inline Vec3f cosine_direction(const ShadingFrame& frame, Point2 u) {
    const float r = std::sqrt(u.x), phi = 2 * std::numbers::pi_v<float> * u.y;
    return frame.out(r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(0.0f, 1 - u.x)));
}

// Direction in the cone about the frame's normal whose half angle has this cosine, evenly.
inline Vec3f cone_direction(const ShadingFrame& frame, float cos_half_angle, Point2 u) {
    const float z = 1 - u.x * (1 - cos_half_angle), r = std::sqrt(std::max(0.0f, 1 - z * z));
    const float phi = 2 * std::numbers::pi_v<float> * u.y;
    return frame.out(r * std::cos(phi), r * std::sin(phi), z);
}

}  // namespace rumple
