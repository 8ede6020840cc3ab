// The building block of the mannequin's shape: a limb with anatomical cross sections, as a scalar field.
//
//   A limb follows a straight axis. At stations along it, a cross section is given by four half-axes (out and
//   in, front and back) and the shift of its centre; between stations everything is interpolated smoothly.
//   Beyond the first and last station the limb closes with half an ellipsoid. The field is negative inside
//   and near the surface about the distance to it [m].
#pragma once

#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

struct LimbStation {
    double t;                     // m along the axis
    double out, in, front, back;  // m, half-axes towards +side, -side, +front, -front
    double side_shift = 0;        // m, of the centre
    double front_shift = 0;
};

struct Limb {
    Vec3d origin, axis, side, front;          // unit vectors, at right angles
    std::vector<LimbStation> stations;        // t rising
    double cap_begin = 0.01, cap_end = 0.01;  // m, how far the ends bulge out
    double squareness = 0;  // of the sections: 0 ellipse, 1 box (Fernandez-Guasti's squircle)
    double widest = 0;      // m, the longest half-axis and shift together; set by make_limb

    double operator()(Vec3d p) const;
};

Limb make_limb(Limb limb);

// An ellipsoid with axes along the world's.
struct Ellipsoid {
    Vec3d centre, radii;

    double operator()(Vec3d p) const;
};

// The smaller of two fields, rounded where they differ by less than k [m]: a fillet between two shapes.
// (Quadratic polynomial smooth minimum.)
double smooth_min(double a, double b, double k);

// 0 below a, 1 above b, smooth between.
double smooth_step(double a, double b, double x);

}  // namespace rumple
