// What elements keep of an evaluation: everything that forces and blocks of the matrix are made of. Data
// only; the formulas are in hinge_bending.hpp and stvk_membrane.hpp.
#pragma once

#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/core/vec.hpp>

namespace rumple {

// Force on vertex i is -torque gradient_i; the Jacobian's blocks are -stiffness gradient_i gradient_j^T
// (Gauss-Newton: the second derivative of theta, which is indefinite, is left out).
template <class T>
struct HingeBending {
    T torque{};                 // N m: dW/d theta
    T stiffness{};              // N m: d torque/d theta
    HingeGradient<T> gradient;  // d theta/d x_i, 1/m
};

// 13 numbers instead of a 9x9 matrix.
template <class T>
struct Membrane {
    Vec3<T> F_u, F_v;
    T S_uu{}, S_vv{}, S_uv{};          // A times the stress, N m
    T T_uu{}, T_vv{}, T_uv{}, T_12{};  // A times the material tangent; T_12 limited: it is semidefinite
};

}  // namespace rumple
