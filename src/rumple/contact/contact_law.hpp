// How two surfaces push and rub where they touch (docs/theory/contact.md).
//
//   gap g: distance along the contact normal n [m]; thickness d [m]; stiffness k [N/m]; load N = push [N]
//
//   push     N(g) = k (0.3 (d - g) + (d - g)^2 / g)   d/4 <= g <= d   soft where layers just touch, firm
//   where
//                                                                     they are pressed
//                 = its tangent                       g < d/4         finite also where a linearised gap is
//                                                                     negative
//            A light touch must be soft: contacts much stiffer than the cloth make the linear system hard to
//            solve, and real layers, fluffy as they are, begin softly too.
//   rub      a spring between the points that stick, drawn out by the offset u (a vector in the tangent
//   plane),
//            which gives way at Coulomb's limit m N when u is as long as the slip length s:
//            |force| = m N min(|u| / s, 1)
//            What has slipped is forgotten (held_offset() cuts u back to s), what sticks is not: a stuck
//            contact is a spring with a fixed anchor and cannot creep.
//
// Push is C1, its potential C2. The potential of the rub is taken with a load that is fixed while it is
// evaluated; so its stiffness is symmetric and positive semidefinite.
#pragma once

#include <rumple/core/hd.hpp>
#include <rumple/core/vec.hpp>

namespace rumple {

template <class T>
struct Push {
    T energy{}, force{}, stiffness{};  // J, N (>= 0: apart), N/m (>= 0)
};

inline constexpr double kTouchShare = 0.3;    // of the stiffness: where layers begin to touch
inline constexpr double kSmallestGap = 0.25;  // of the thickness: from there on the tangent
inline constexpr double kSlipLength = 0.05;   // of the thickness

template <class T>
RUMPLE_HD Push<T> push(T gap, T thickness, T stiffness) {
    if (gap >= thickness) return {};
    const T smallest = T(kSmallestGap) * thickness, g = gap > smallest ? gap : smallest;
    const T near = thickness - g, touch = T(kTouchShare), d2 = thickness * thickness;
    Push<T> p;
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
struct Rub {
    T energy{};
    Vec3<T> force;        // on the first surface is minus this
    T along{}, across{};  // stiffness along the offset, and across it in the tangent plane
    bool slips = false;
};

// `offset` lies in the tangent plane; `limit` = friction coefficient times load; `slip_length` [m] > 0.
template <class T>
RUMPLE_HD Rub<T> rub(Vec3<T> offset, T slip_length, T limit) {
    const T length = norm(offset);
    if (length <= slip_length) {
        const T stiffness = limit / slip_length;
        return {T(0.5) * stiffness * length * length, stiffness * offset, stiffness, stiffness, false};
    }
    const T pull = limit / length;
    return {limit * (length - T(0.5) * slip_length), pull * offset, T(0), pull, true};
}

// The offset that is left after a step.
template <class T>
RUMPLE_HD Vec3<T> held_offset(Vec3<T> offset, T slip_length) {
    const T length = norm(offset);
    return length <= slip_length ? offset : (slip_length / length) * offset;
}

}  // namespace rumple
