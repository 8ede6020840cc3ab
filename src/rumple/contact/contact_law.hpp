// How two surfaces press on each other and resist sliding (docs/theory/contact.md). ContactSet is the only
// caller.
//
//   gap g: distance along the contact normal n [m]; thickness d [m]; stiffness k [N/m]; load N [N]
//
//   normal     N(g) = k (0.3 (d - g) + (d - g)^2 / g)   for d/4 <= g <= d: soft where layers just touch, firm
//                                                       where they are pressed
//                   = its tangent at e                  for g < e: finite also where a linearised gap is
//                                                       negative. e = d/4; less where a step begins with
//                                                       a smaller gap: as much force as it takes
//              A light touch must be soft: contacts much stiffer than the cloth make the linear system hard
//              to solve, and real layers, fluffy as they are, begin softly too.
//   friction   a spring between the points that stick, stretched by the tangential displacement u (a vector
//   in
//              the tangent plane), which slips at Coulomb's limit m N when u is as long as the slip length s:
//              |force| = m N min(|u| / s, 1)
//              After a step u is limited to s (held_displacement()); below s it is kept: a stuck contact is a
//              spring with a fixed anchor and cannot creep.
//
// The normal force is C1, its potential C2. The potential of friction is taken with a load that is fixed
// while it is evaluated; so its stiffness is symmetric and positive semidefinite.
#pragma once

#include <rumple/core/hd.hpp>
#include <rumple/core/vec.hpp>

namespace rumple::contact {

template <class T>
struct NormalResponse {
    T energy{}, force{}, stiffness{};  // J, N (>= 0: apart), N/m (>= 0)
};

inline constexpr double kTouchShare = 0.3;    // of the stiffness: where layers begin to touch
inline constexpr double kSmallestGap = 0.25;  // of the thickness: from there on the tangent
// The same for contacts that are pressed harder, at least; and for them, the share of their gap.
inline constexpr double kSmallestGapPressed = 0.04, kSmallestGapShare = 0.5;
inline constexpr double kSlipLength = 0.05;  // of the thickness

// `begin`: the gap when the step began.
template <class T>
RUMPLE_HD T smallest_gap(T begin, T thickness) {
    const T part = T(kSmallestGapShare) * begin, most = T(kSmallestGap) * thickness,
            least = T(kSmallestGapPressed) * thickness;
    return part > most ? most : (part > least ? part : least);
}

template <class T>
RUMPLE_HD NormalResponse<T> normal_response(T gap, T thickness, T stiffness, T smallest) {
    if (gap >= thickness) return {};
    const T g = gap > smallest ? gap : smallest;
    const T near = thickness - g, touch = T(kTouchShare), d2 = thickness * thickness;
    NormalResponse<T> p;
    p.energy = stiffness * (T(0.5) * touch * near * near + d2 * std::log(thickness / g) -
                            T(2) * thickness * near + T(0.5) * (d2 - g * g));
    p.force = stiffness * (touch * near + near * near / g);
    p.stiffness = stiffness * (touch + d2 / (g * g) - T(1));
    if (gap < smallest) {
        const T beyond = smallest - gap;
        p.energy += beyond * (p.force + T(0.5) * p.stiffness * beyond);
        p.force += p.stiffness * beyond;
    }
    return p;
}

template <class T>
RUMPLE_HD NormalResponse<T> normal_response(T gap, T thickness, T stiffness) {
    return normal_response(gap, thickness, stiffness, T(kSmallestGap) * thickness);
}

template <class T>
struct FrictionResponse {
    T energy{};
    Vec3<T> force;        // on the first surface is minus this
    T along{}, across{};  // stiffness along the displacement, and across it in the tangent plane
    bool slips = false;
};

// `displacement` lies in the tangent plane; `limit` = friction coefficient times load; `slip_length` [m] > 0.
template <class T>
RUMPLE_HD FrictionResponse<T> friction_response(Vec3<T> displacement, T slip_length, T limit) {
    const T length = norm(displacement);
    if (length <= slip_length) {
        const T stiffness = limit / slip_length;
        return {T(0.5) * stiffness * length * length, stiffness * displacement, stiffness, stiffness, false};
    }
    const T pull = limit / length;
    return {limit * (length - T(0.5) * slip_length), pull * displacement, T(0), pull, true};
}

// The displacement that is left after a step.
template <class T>
RUMPLE_HD Vec3<T> held_displacement(Vec3<T> displacement, T slip_length) {
    const T length = norm(displacement);
    return length <= slip_length ? displacement : (slip_length / length) * displacement;
}

}  // namespace rumple::contact
