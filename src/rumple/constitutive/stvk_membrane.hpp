// Orthotropic St. Venant-Kirchhoff membrane of one triangle.
//
// [VMF09] Volino, Magnenat-Thalmann, Faure: A simple approach to nonlinear tensile stiffness for accurate
// cloth simulation, ACM TOG 28(4), 2009. docs/theory/membrane.md.
//
// clang-format off
//   F = [F_u F_v] = sum_i x_i (a_i, b_i),   (a_i, b_i) the gradient of shape function i, u warp, v weft
//   E = (F^T F - I)/2,  components E_uu, E_vv, E_uv;   dE_uu/dx_i = a_i F_u,  dE_vv/dx_i = b_i F_v,
//                                                      dE_uv/dx_i = (a_i F_v + b_i F_u)/2
//   W = A [w_uu(E_uu) + w_vv(E_vv) + 2 w_uv(E_uv) + k12 E_uu E_vv],   elastic w = k E^2/2
//   force on vertex i = -A (S_uu dE_uu + S_vv dE_vv + 2 S_uv dE_uv)/dx_i
// clang-format on
//
// The factor 2 of shear is that of the tensor contraction S:E and applies to friction and plasticity as well.
// (The paper's Voigt form would halve shear, and its energy has the wrong sign on E_uv^2; see
// docs/errata.md.)
#pragma once

#include <array>
#include <rumple/constitutive/element_records.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

template <class T>
struct GreenStrain {
    Vec3<T> F_u, F_v;
    T uu{}, vv{}, uv{};
};

template <class T>
RUMPLE_HD GreenStrain<T> green_strain(const std::array<Vec3<T>, 3>& x,
                                      const std::array<Vec2<T>, 3>& gradient) {
    // differences of positions, so that a far away cloth loses no digits
    const Vec3<T> d1 = x[1] - x[0], d2 = x[2] - x[0];
    GreenStrain<T> s;
    s.F_u = gradient[1].x * d1 + gradient[2].x * d2;
    s.F_v = gradient[1].y * d1 + gradient[2].y * d2;
    s.uu = T(0.5) * (dot(s.F_u, s.F_u) - T(1));
    s.vv = T(0.5) * (dot(s.F_v, s.F_v) - T(1));
    s.uv = T(0.5) * dot(s.F_u, s.F_v);
    return s;
}

template <class T>
struct SymmetricTensor {
    T uu{}, vv{}, uv{};
};

// Tensile (positive semidefinite) part.
template <class T>
RUMPLE_HD SymmetricTensor<T> tensile_part(SymmetricTensor<T> s) {
    const T mean = T(0.5) * (s.uu + s.vv), half = T(0.5) * (s.uu - s.vv);
    const T radius = sqrt(half * half + s.uv * s.uv);
    if (mean - radius >= T(0)) return s;
    if (mean + radius <= T(0)) return {};
    // one positive eigenvalue: scale its projector (S - smaller I)/(2 radius)
    const T scale = (mean + radius) / (T(2) * radius);
    return {scale * (half + radius), scale * (radius - half), scale * s.uv};
}

template <class T>
RUMPLE_HD Membrane<T> stvk_membrane(T area, const GreenStrain<T>& E, T k12, const Response<T>& w_uu,
                                    const Response<T>& w_vv, const Response<T>& w_uv) {
    Membrane<T> m;
    m.F_u = E.F_u;
    m.F_v = E.F_v;
    m.S_uu = area * (w_uu.stress + k12 * E.vv);
    m.S_vv = area * (w_vv.stress + k12 * E.uu);
    m.S_uv = area * w_uv.stress;
    m.T_uu = area * w_uu.tangent;
    m.T_vv = area * w_vv.tangent;
    m.T_uv = area * w_uv.tangent;
    const T limit = sqrt(m.T_uu * m.T_vv);
    m.T_12 = select(area * k12 < limit, area * k12, limit);
    return m;
}

// W [J].
template <class T>
RUMPLE_HD T membrane_energy(T area, const GreenStrain<T>& E, T k12, const Response<T>& w_uu,
                            const Response<T>& w_vv, const Response<T>& w_uv) {
    return area * (w_uu.energy + w_vv.energy + T(2) * w_uv.energy + k12 * E.uu * E.vv);
}

template <class T>
RUMPLE_HD Vec3<T> membrane_force(const Membrane<T>& m, Vec2<T> g) {
    return -((g.x * m.S_uu + g.y * m.S_uv) * m.F_u + (g.y * m.S_vv + g.x * m.S_uv) * m.F_v);
}

// What the geometric term of the stiffness keeps of A S: its tensile part.
template <class T>
RUMPLE_HD SymmetricTensor<T> tension(const Membrane<T>& m) {
    return tensile_part(SymmetricTensor<T>{m.S_uu, m.S_vv, m.S_uv});
}

// Minus the Jacobian block of vertices i and j, -d f_i/d x_j: positive semidefinite as a whole. p is
// tension(m).
template <class T>
RUMPLE_HD Mat3<T> membrane_stiffness(const Membrane<T>& m, const SymmetricTensor<T>& p, Vec2<T> gi,
                                     Vec2<T> gj) {
    // dE_c/dx_i as coefficients of F_u and F_v, shear with its factor 2: 2 (1/2)(1/2) = 1/2
    const T uu = m.T_uu * gi.x * gj.x + T(0.5) * m.T_uv * gi.y * gj.y;
    const T vv = m.T_vv * gi.y * gj.y + T(0.5) * m.T_uv * gi.x * gj.x;
    const T uv = m.T_12 * gi.x * gj.y + T(0.5) * m.T_uv * gi.y * gj.x;  // F_u F_v^T
    const T vu = m.T_12 * gi.y * gj.x + T(0.5) * m.T_uv * gi.x * gj.y;  // F_v F_u^T
    const T geometric = gi.x * (p.uu * gj.x + p.uv * gj.y) + gi.y * (p.uv * gj.x + p.vv * gj.y);
    Mat3<T> k = outer(uu * m.F_u + vu * m.F_v, m.F_u);
    k += outer(uv * m.F_u + vv * m.F_v, m.F_v);
    k.m[0] += geometric;
    k.m[4] += geometric;
    k.m[8] += geometric;
    return k;
}

}  // namespace rumple
