// How two surfaces push and rub where they touch (docs/theory/contact.md).
//
//   gap g: distance along the contact normal n [m]; thickness d [m]; stiffness k [N/m]; load N = push [N]
//
//   push     N(g) = k (d - g)            d/2 <= g <= d     a spring,
//                 = k d^2 / (4 g)        d/10 <= g < d/2   then ever harder (the second branch of Offset
//                                                          Geometric Contact, Chen et al. 2025, eq. 18),
//                 = its tangent          g < d/10          finite also where a linearised gap is negative.
//   rub      a spring of stiffness k between the points that stick, drawn out by the offset u (a vector in
//   the
//            tangent plane), which gives way at Coulomb's limit m N:
//            |force| = min(k |u|, m N)
//            What has slipped is forgotten (offset() is cut back), what sticks is not: a stuck contact is a
//            spring with a fixed anchor and cannot creep.
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

template <class T>
RUMPLE_HD Push<T> push(T gap, T thickness, T stiffness) {
    if (gap >= thickness) return {};
    const T half = T(0.5) * thickness;
    if (gap >= half) {
        const T near = thickness - gap;
        return {T(0.5) * stiffness * near * near, stiffness * near, stiffness};
    }
    const T energy_at_half = T(0.5) * stiffness * half * half, strength = stiffness * half * half;
    const T smallest = T(0.1) * thickness;
    if (gap >= smallest)
        return {energy_at_half + strength * std::log(half / gap), strength / gap, strength / (gap * gap)};
    const T force = strength / smallest, slope = force / smallest, beyond = smallest - gap;
    return {
        energy_at_half + strength * std::log(half / smallest) + beyond * (force + T(0.5) * slope * beyond),
        force + slope * beyond, slope};
}

template <class T>
struct Rub {
    T energy{};
    Vec3<T> force;        // on the first surface is minus this
    T along{}, across{};  // stiffness along the offset, and across it in the tangent plane
    bool slips = false;
};

// `offset` lies in the tangent plane; `limit` = friction coefficient times load.
template <class T>
RUMPLE_HD Rub<T> rub(Vec3<T> offset, T stiffness, T limit) {
    const T length = norm(offset);
    if (stiffness * length <= limit)
        return {T(0.5) * stiffness * length * length, stiffness * offset, stiffness, stiffness, false};
    const T pull = limit / length;
    return {limit * (length - T(0.5) * limit / stiffness), pull * offset, T(0), pull, true};
}

// The offset that is left after a step: cut back to what the limit can hold.
template <class T>
RUMPLE_HD Vec3<T> held_offset(Vec3<T> offset, T stiffness, T limit) {
    const T length = norm(offset);
    return stiffness * length <= limit ? offset : (limit / (stiffness * length)) * offset;
}

}  // namespace rumple
