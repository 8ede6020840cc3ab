// The dihedral angle of a hinge and its exact gradient.
//
//            x2            theta = 0 when flat; positive when the wings bend towards the side the normals
//           /  \           point away from, that is, when the front (normal) side is convex.
//      t0  /    \          [TG13] R. Tamstorf, E. Grinspun: Discrete bending forces and their Jacobians,
//        x0 ---- x1               Graphical Models 75 (2013).
//          \    /
//      t1   \  /           Unlike the authors' published program, heights are not clamped: that makes forces
//            x3            which are no gradient and do not conserve angular momentum (docs/errata.md).
#pragma once

#include <array>
#include <cmath>
#include <rumple/core/vec.hpp>

namespace rumple {

// theta in (-pi, pi], by atan2, which is accurate at 0 and at pi (acos is not). [rad]
template <class T>
RUMPLE_HD T hinge_angle(Vec3<T> x0, Vec3<T> x1, Vec3<T> x2, Vec3<T> x3) {
    const Vec3<T> e = x1 - x0;
    const Vec3<T> n0 = cross(e, x2 - x0), n1 = cross(x3 - x0, e);
    return std::atan2(dot(cross(n0, n1), e), norm(e) * dot(n0, n1));
}

// d theta / d x_i, i = 0..3 [rad/m]. The wings move theta by one over their height; the edge's ends balance
// them so that no net force or torque remains.
template <class T>
RUMPLE_HD std::array<Vec3<T>, 4> hinge_angle_gradient(Vec3<T> x0, Vec3<T> x1, Vec3<T> x2, Vec3<T> x3) {
    const Vec3<T> e = x1 - x0;
    const Vec3<T> n0 = cross(e, x2 - x0), n1 = cross(x3 - x0, e);
    const T l2 = dot(e, e), l = std::sqrt(l2);
    const Vec3<T> g2 = (-l / dot(n0, n0)) * n0;  // -1/height0 along the unit normal
    const Vec3<T> g3 = (-l / dot(n1, n1)) * n1;
    const T s2 = dot(x2 - x0, e) / l2,
            s3 = dot(x3 - x0, e) / l2;  // feet of the heights, as fractions of the edge
    const Vec3<T> g0 = (s2 - T(1)) * g2 + (s3 - T(1)) * g3;
    const Vec3<T> g1 = (-s2) * g2 + (-s3) * g3;
    return {g0, g1, g2, g3};
}

}  // namespace rumple
