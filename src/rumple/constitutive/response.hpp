// What every scalar law answers when it is evaluated at a strain: a potential and its two derivatives.
#pragma once

#include <rumple/core/scalar.hpp>

namespace rumple {

// All three are per unit of the element's measure (hinges multiply by l/H, triangles by their area).
template <class T>
struct Response {
    T energy{};  // incremental potential: its derivative is the stress, whatever the history
    T stress{};
    T tangent{};  // d stress / d strain, never negative

    RUMPLE_HD Response& operator+=(const Response& b) {
        energy += b.energy;
        stress += b.stress;
        tangent += b.tangent;
        return *this;
    }
    friend RUMPLE_HD Response select(Truth<T> condition, const Response& a, const Response& b) {
        return {select(condition, a.energy, b.energy), select(condition, a.stress, b.stress),
                select(condition, a.tangent, b.tangent)};
    }
};

// That of all laws of a component together (strain_component.hpp).
template <class T>
struct ComponentResponse : Response<T> {
    Truth<T> slips{}, yields{};
};

}  // namespace rumple
