// Wrinkles of a part of a cloth: the seat of trousers, the bend of an elbow.
#pragma once

#include <rumple/mesh/rest_shape.hpp>
#include <span>

namespace rumple {

// As in WrinkleMeasures, over the hinges whose edge lies in the region and the triangles that do.
struct RegionMeasures {
    double angle_change_rms = 0;  // rad
    double bending_content = 0;   // 1/m^2
    double crease_density = 0;    // 1/m; 0 where no plastic strains are given
    double area = 0;              // m^2
};

// `vertices` name the region. `plastic`: plastic bending strain of each hinge [rad], or empty. Zeros for a
// region without hinges. Throws InputError where the spans do not belong to one mesh.
RegionMeasures measure_region(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                              std::span<const Vec3d> x, std::span<const double> reference_angles,
                              std::span<const int> vertices, std::span<const double> plastic = {});

}  // namespace rumple
