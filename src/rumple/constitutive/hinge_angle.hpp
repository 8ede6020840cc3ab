// The dihedral angle of a hinge and its exact gradient.
//
// clang-format off
//            x2            theta = 0 when flat; positive when the wings bend towards the side the normals
//           /  \           point away from, that is, when the front (normal) side is convex.
//      t0  /    \          [TG13] R. Tamstorf, E. Grinspun: Discrete bending forces and their Jacobians,
//        x0 ---- x1               Graphical Models 75 (2013).
//          \    /
//      t1   \  /           Unlike the authors' published program, heights are not clamped: that makes forces
//            x3            which are no gradient and do not conserve angular momentum (docs/errata.md).
// clang-format on
#pragma once

#include <array>
#include <cstddef>
#include <rumple/core/vec.hpp>

namespace rumple {

// theta in (-pi, pi], by atan2, which is accurate at 0 and at pi (acos is not). [rad]
template <class T>
RUMPLE_HD T hinge_angle(Vec3<T> x0, Vec3<T> x1, Vec3<T> x2, Vec3<T> x3) {
    const Vec3<T> e = x1 - x0;
    const Vec3<T> n0 = cross(e, x2 - x0), n1 = cross(x3 - x0, e);
    return atan2(dot(cross(n0, n1), e), norm(e) * dot(n0, n1));
}

// d theta / d x_i, i = 0..3 [rad/m]. The wings move theta by one over their height; the edge's ends balance
// them so that no net force or torque remains: eight numbers say it all.
template <class T>
struct HingeGradient {
    Vec3<T> wing[2];  // of x2, x3
    T foot[2]{};      // of the wings' heights, as fractions of the edge

    RUMPLE_HD Vec3<T> operator[](std::size_t i) const {
        const auto share = [i](T f, std::size_t own) {
            return i == 0 ? f - T(1) : i == 1 ? -f : T(i == own);
        };
        return share(foot[0], 2) * wing[0] + share(foot[1], 3) * wing[1];
    }
    RUMPLE_HD std::array<Vec3<T>, 4> all() const { return {(*this)[0], (*this)[1], wing[0], wing[1]}; }
};

template <class T>
RUMPLE_HD HingeGradient<T> hinge_angle_gradient(Vec3<T> x0, Vec3<T> x1, Vec3<T> x2, Vec3<T> x3) {
    const Vec3<T> e = x1 - x0;
    const Vec3<T> n0 = cross(e, x2 - x0), n1 = cross(x3 - x0, e);
    const T l2 = dot(e, e), l = sqrt(l2);
    return {{(-l / dot(n0, n0)) * n0, (-l / dot(n1, n1)) * n1},  // -1/height along the unit normals
            {dot(x2 - x0, e) / l2, dot(x3 - x0, e) / l2}};
}

}  // namespace rumple
