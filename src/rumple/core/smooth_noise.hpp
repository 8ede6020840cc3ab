// A smooth random function of space, the same wherever it is asked for: noise of a length, not of a mesh.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <rumple/core/split_mix.hpp>
#include <rumple/core/vec.hpp>

namespace rumple {

// Random numbers, uniform in [-1, 1), on a lattice of unit spacing, blended in between by polynomials of
// degree five: twice continuously differentiable, so that curvature is continuous (Perlin, Improving Noise,
// 2002; value noise).
class SmoothNoise {
  public:
    explicit SmoothNoise(std::uint64_t seed) : seed_(seed) {}

    double at(Vec3d x) const {
        const std::array<double, 3> cell{std::floor(x.x), std::floor(x.y), std::floor(x.z)};
        const std::array<double, 3> t{blend(x.x - cell[0]), blend(x.y - cell[1]), blend(x.z - cell[2])};
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::uint64_t number = seed_;
            for (int axis = 0; axis < 3; ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                const int far = corner >> axis & 1;
                weight *= far ? t[a] : 1 - t[a];
                const auto place = static_cast<std::int64_t>(cell[a]) + far;
                number = SplitMix64(number ^ static_cast<std::uint64_t>(place)).next();
            }
            sum += weight * (2 * SplitMix64(number).uniform() - 1);
        }
        return sum;
    }

  private:
    static double blend(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

    std::uint64_t seed_;
};

}  // namespace rumple
