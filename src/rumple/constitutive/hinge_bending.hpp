// Bending of a hinge: W = (l/H) w(theta - theta_bar), w the potential of the bending strain component.
//
// [G03] Grinspun et al.: Discrete shells, SCA 2003; docs/theory/bending.md. Pure elastic: w = k e^2/2, with
// k = 3 K_b, the column "3 x K_b" of the paper's tables; on an equilateral mesh that is a plate of bending
// stiffness k for a cylinder about any axis. (The extra 1/2 in the paper's appendix forces is a slip.)
#pragma once

#include <array>
#include <rumple/constitutive/element_records.hpp>
#include <rumple/constitutive/response.hpp>

namespace rumple {

template <class T>
RUMPLE_HD HingeBending<T> hinge_bending(const std::array<Vec3<T>, 4>& x, T length_over_height,
                                        const Response<T>& w) {
    return {length_over_height * w.stress, length_over_height * w.tangent,
            hinge_angle_gradient(x[0], x[1], x[2], x[3])};
}

// W [J].
template <class T>
RUMPLE_HD T hinge_energy(T length_over_height, const Response<T>& w) {
    return length_over_height * w.energy;
}

}  // namespace rumple
