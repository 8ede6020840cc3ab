// Bending stiffness that differs between warp, weft and bias: the stiffness of a hinge whose fold runs across
// the direction phi from the warp.
//
// docs/theory/anisotropy.md. An orthotropic plate that bends to a cylinder along phi has the stiffness
//
// clang-format off
//   D(phi) = k1 cos^4 + k2 sin^4 + 2 k3 cos^2 sin^2 = c0 + c2 cos 2phi + c4 cos 4phi        (S. G. Lekhnitskii)
//   c0 = (warp + weft + 2 bias)/4,  c2 = (warp - weft)/2,  c4 = (warp + weft - 2 bias)/4,   bias = D(45 degrees)
// clang-format on
//
// A hinge is no plate: on near-equilateral triangles it sees kappa_nn - kappa_tt/3. Hinges in all directions
// make the plate D if each has
//
//   f(phi) = c0 + 3/2 c2 cos 2phi + 3 c4 cos 4phi
#pragma once

#include <algorithm>
#include <rumple/constitutive/laws.hpp>

namespace rumple {

struct DirectionalCoefficients {
    double c0, c2, c4;
};

inline DirectionalCoefficients coefficients(const DirectionalStiffness& k) {
    return {(k.warp + k.weft + 2 * k.bias) / 4, (k.warp - k.weft) / 2, (k.warp + k.weft - 2 * k.bias) / 4};
}

// D of a plate, along the direction phi from the warp. [N m]
inline double plate_stiffness(const DirectionalStiffness& k, double cos_2phi) {
    const auto [c0, c2, c4] = coefficients(k);
    return c0 + c2 * cos_2phi + c4 * (2 * cos_2phi * cos_2phi - 1);
}

// f of a hinge whose fold runs across that direction. [N m]
inline double hinge_stiffness(const DirectionalStiffness& k, double cos_2phi) {
    const auto [c0, c2, c4] = coefficients(k);
    return c0 + 1.5 * c2 * cos_2phi + 3 * c4 * (2 * cos_2phi * cos_2phi - 1);
}

// The least f of all directions.
inline double min_hinge_stiffness(const DirectionalStiffness& k) {
    const auto [c0, c2, c4] = coefficients(k);
    double least = std::min(hinge_stiffness(k, 1), hinge_stiffness(k, -1));
    if (c4 > 0) least = std::min(least, hinge_stiffness(k, std::clamp(-c2 / (8 * c4), -1.0, 1.0)));
    return least;
}

}  // namespace rumple
