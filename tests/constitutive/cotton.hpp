// The laws of cotton (the paper's specimen table), written out here so that the laws are tested without the
// material room.
#pragma once

#include <rumple/constitutive/laws.hpp>

namespace rumple::cotton {

template <class T = double>
constexpr DwellFriction<T> friction(T d_c = T(0.05), DwellGate gate = DwellGate::load) {
    return {T(1e-5), T(0.1), T(1.7), T(30), d_c, gate};
}
template <class T = double>
constexpr HardeningPlasticity<T> plasticity(T g = T(0.99)) {
    return {T(5e-6), T(5e-6), g, T(30), T(1.8)};
}
template <class T = double>
constexpr DahlFriction<T> dahl() {
    return {T(1e-5), T(1e-6)};
}
template <class T = double>
constexpr ComponentLaw<T> bending(FrictionKind kind = FrictionKind::dwell, bool yields = true) {
    return {plasticity<T>(), yields, kind, friction<T>(), dahl<T>(), {}};
}

}  // namespace rumple::cotton
