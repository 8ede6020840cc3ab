// A scalar field sampled once on a grid and interpolated smoothly (tricubic Catmull-Rom) from then on: for
// fields that are dear to evaluate and asked for often.
#pragma once

#include <array>
#include <cstdint>
#include <rumple/modeling/isosurface.hpp>
#include <vector>

namespace rumple {

class GridField {
  public:
    // Samples `field` in the box at a spacing of about `cell` [m]; beyond the box its border values go on.
    GridField(const ScalarField& field, const Bounds& box, double cell);

    double operator()(Vec3d p) const;

  private:
    double sample(std::int64_t i, std::int64_t j, std::int64_t k) const;

    Vec3d low_, step_;
    std::array<std::int64_t, 3> count_{};  // of samples
    std::vector<double> value_;
};

}  // namespace rumple
