// What every scalar law answers when it is evaluated at a strain: a potential and its two derivatives.
#pragma once

#include <rumple/core/hd.hpp>

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
};

}  // namespace rumple
