// Points that fill a unit cube evenly: Sobol's sequence.
//
// I. M. Sobol, "On the distribution of points in a cube and the approximate evaluation of integrals", USSR
// Comput. Math. Math. Phys. 7 (1967). Direction numbers: S. Joe and F. Y. Kuo, "Constructing Sobol sequences
// with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), the first kMaxDimensions of them.
#pragma once

#include <cstdint>
#include <vector>

namespace rumple::farm {

inline constexpr int kMaxSobolDimensions = 10;

class SobolSequence {
  public:
    explicit SobolSequence(int dimensions);  // 1 to kMaxSobolDimensions

    // The next point, each coordinate in [0, 1). The first is the origin.
    std::vector<double> next();

  private:
    static constexpr int kBits = 32;
    std::vector<std::vector<std::uint32_t>> directions_;  // [dimension][bit]
    std::vector<std::uint32_t> x_;
    std::uint32_t count_ = 0;
};

}  // namespace rumple::farm
