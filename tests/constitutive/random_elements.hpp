// Random triangles and hinges for tests of the element laws.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

class RandomElements {
  public:
    explicit RandomElements(unsigned seed) : random_(seed) {}

    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    Vec3d vector(double size = 1) {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }
    Vec3d direction() {
        for (;;)
            if (const Vec3d v = vector(); norm(v) > 0.1 && norm(v) < 1) return normalized(v);
    }
    Mat3d rotation_matrix() { return rotation(direction(), uniform(-3, 3)); }

    // A hinge bent by exactly theta (up to the rounding of its positions), wings of the given heights,
    // somewhere.
    std::array<Vec3d, 4> hinge(double theta, double length, double height0, double height1) {
        const Mat3d r = rotation_matrix();
        const Vec3d shift = vector(length);
        const double foot0 = uniform(-0.3, 1.3) * length, foot1 = uniform(-0.3, 1.3) * length;
        const std::array<Vec3d, 4> x{{{0, 0, 0},
                                      {length, 0, 0},
                                      {foot0, height0, 0},
                                      {foot1, -height1 * std::cos(theta), -height1 * std::sin(theta)}}};
        return {r * x[0] + shift, r * x[1] + shift, r * x[2] + shift, r * x[3] + shift};
    }

  private:
    std::mt19937 random_;
};

template <std::size_t N>
std::array<Vec3d, N> displaced(const std::array<Vec3d, N>& x, const std::array<Vec3d, N>& d, double t) {
    std::array<Vec3d, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = x[i] + t * d[i];
    return y;
}

template <std::size_t N>
std::vector<double> flattened(const std::array<Vec3d, N>& v) {
    std::vector<double> out;
    for (const Vec3d& a : v) out.insert(out.end(), {a.x, a.y, a.z});
    return out;
}

}  // namespace rumple
