// Stiffness by direction: the three values are those of the plate, and the hinges' add up to it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <rumple/constitutive/directional_bending.hpp>

namespace rumple {
namespace {

constexpr DirectionalStiffness kCloth{.warp = 12e-6, .weft = 5e-6, .bias = 6e-6};

TEST(DirectionalBending, PlateHasItsValuesAlongWarpWeftAndBias) {
    EXPECT_NEAR(plate_stiffness(kCloth, 1), 12e-6, 1e-20);
    EXPECT_NEAR(plate_stiffness(kCloth, -1), 5e-6, 1e-20);
    EXPECT_NEAR(plate_stiffness(kCloth, 0), 6e-6, 1e-20);
    const double k1 = kCloth.warp, k2 = kCloth.weft, k3 = (4 * kCloth.bias - k1 - k2) / 2;
    for (double phi = 0; phi < std::numbers::pi; phi += 0.1) {
        const double c = std::cos(phi), s = std::sin(phi);
        EXPECT_NEAR(plate_stiffness(kCloth, std::cos(2 * phi)),
                    k1 * std::pow(c, 4) + k2 * std::pow(s, 4) + 2 * k3 * c * c * s * s, 1e-19);
    }
}

// Hinges spread evenly, each of the strain kappa_nn - kappa_tt/3 at its normal psi, scaled so that an
// isotropic cloth is right: the mean of f(psi) (cos^2 - sin^2/3)^2 (psi from the direction in which the plate
// bends).
TEST(DirectionalBending, HingesInAllDirectionsMakeThePlate) {
    constexpr int kHinges = 360;
    for (double phi = 0; phi < std::numbers::pi; phi += 0.2) {
        double sum = 0, isotropic = 0;
        for (int i = 0; i < kHinges; ++i) {
            const double psi = std::numbers::pi * i / kHinges, c = std::cos(psi), s = std::sin(psi);
            const double strain = c * c - s * s / 3;
            sum += hinge_stiffness(kCloth, std::cos(2 * (phi + psi))) * strain * strain;
            isotropic += strain * strain;
        }
        EXPECT_NEAR(sum / isotropic / plate_stiffness(kCloth, std::cos(2 * phi)), 1, 1e-12) << phi;
    }
}

// What docs/theory/anisotropy.md says of equilateral meshes: there cos 2phi and cos 4phi are the same.
TEST(DirectionalBending, ThreeDirectionsMakeAnotherPlate) {
    const auto [c0, c2, c4] = coefficients(kCloth);
    for (const double psi_0 : {0.0, 0.3, std::numbers::pi / 2})
        for (double phi = 0; phi < std::numbers::pi; phi += 0.2) {
            double sum = 0;
            for (int i = 0; i < 3; ++i) {
                const double psi = psi_0 + i * std::numbers::pi / 3, c = std::cos(psi - phi),
                             s = std::sin(psi - phi), strain = c * c - s * s / 3;
                sum += hinge_stiffness(kCloth, std::cos(2 * psi)) * strain * strain;
            }
            EXPECT_NEAR(sum,
                        plate_stiffness(kCloth, std::cos(2 * phi)) + c2 / 2 * std::cos(4 * phi - 6 * psi_0) +
                            2 * c4 * std::cos(2 * phi - 6 * psi_0),
                        1e-18);
        }
}

TEST(DirectionalBending, OneNumberForAllDirectionsIsThatNumber) {
    const DirectionalStiffness k{5e-6, 5e-6, 5e-6};
    EXPECT_EQ(coefficients(k).c0, 5e-6);
    for (const double c : {-1.0, -0.3, 0.0, 0.7, 1.0}) EXPECT_EQ(hinge_stiffness(k, c), 5e-6);
    EXPECT_EQ(min_hinge_stiffness(k), 5e-6);
}

TEST(DirectionalBending, LeastStiffnessIsFound) {
    for (const DirectionalStiffness& k :
         {kCloth, DirectionalStiffness{1, 1, 0.2}, DirectionalStiffness{1, 1, 4},
          DirectionalStiffness{3, 1, 0.9}, DirectionalStiffness{1, 5, 2}}) {
        double least = HUGE_VAL;
        for (double c = -1; c <= 1; c += 1e-4) least = std::min(least, hinge_stiffness(k, c));
        EXPECT_NEAR(min_hinge_stiffness(k), least, 1e-6 * coefficients(k).c0);
    }
}

}  // namespace
}  // namespace rumple
