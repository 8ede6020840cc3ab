// The contact law: derivatives by finite differences, joints between branches, exact answers.
#include <gtest/gtest.h>

#include <rumple/contact/contact_law.hpp>

#include "finite_difference.hpp"
#include "meshes.hpp"

namespace rumple::contact {
namespace {

using test::Random;

constexpr double kThickness = 1e-3, kStiffness = 70;

NormalResponse<double> normal_at(double gap) { return normal_response(gap, kThickness, kStiffness); }

TEST(NormalResponse, ForceIsMinusTheSlopeOfTheEnergyAndStiffnessThatOfTheForce) {
    // well inside every branch: apart, touching, pressed, tangent, and a gap turned negative
    for (const double part : {1.2, 0.95, 0.7, 0.5, 1.2 * kSmallestGap, 0.5 * kSmallestGap, 0.0, -0.5, -3.0}) {
        const double gap = part * kThickness, step = 0.01 * kThickness;
        // the energy is a small difference: what is added shows its true rounding
        const auto energy = [&](double t) {
            return normal_at(gap + t).energy + kStiffness * kThickness * kThickness;
        };
        const auto force = [&](double t) { return normal_at(gap + t).force; };
        EXPECT_TRUE(is_derivative(scalar_difference_report(energy, -normal_at(gap).force, step))) << part;
        EXPECT_TRUE(is_derivative(scalar_difference_report(force, -normal_at(gap).stiffness, step))) << part;
    }
}

TEST(NormalResponse, IsSmoothWhereItsBranchesMeet) {
    const double tiny = 1e-12 * kThickness, smallest = kSmallestGap * kThickness;
    const NormalResponse<double> below = normal_at(smallest - tiny), above = normal_at(smallest + tiny);
    EXPECT_NEAR(below.energy / above.energy, 1, 1e-10);
    EXPECT_NEAR(below.force / above.force, 1, 1e-10);
    EXPECT_NEAR(below.stiffness / above.stiffness, 1, 1e-10);
    EXPECT_EQ(normal_at(kThickness).force, 0);
    EXPECT_NEAR(normal_at(kThickness - tiny).force, 0, 1e-11 * kStiffness * kThickness);
    EXPECT_NEAR(normal_at(kThickness - tiny).energy, 0, 1e-14 * kStiffness * kThickness * kThickness);
    EXPECT_NEAR(normal_at(kThickness - tiny).stiffness, kTouchShare * kStiffness, 1e-9 * kStiffness);
}

TEST(NormalResponse, HasTheValuesOfItsFormula) {
    const double k = kStiffness, d = kThickness;
    EXPECT_EQ(normal_at(1.1 * d).energy, 0);
    EXPECT_EQ(normal_at(1.1 * d).stiffness, 0);
    EXPECT_NEAR(normal_at(0.5 * d).force, k * d * (0.5 * kTouchShare + 0.5), 1e-15);
    EXPECT_NEAR(normal_at(0.5 * d).stiffness, k * (kTouchShare + 3), 1e-12);
    EXPECT_NEAR(normal_at(0.5 * d).energy, k * d * d * (0.125 * kTouchShare + std::log(2.0) - 0.625), 1e-18);
    // far beyond, the tangent of the smallest gap
    const NormalResponse<double> smallest = normal_at(kSmallestGap * d),
                                 beyond = normal_at((kSmallestGap - 2) * d);
    EXPECT_NEAR(beyond.force, smallest.force + 2 * d * smallest.stiffness, 1e-12);
    EXPECT_NEAR(beyond.stiffness, smallest.stiffness, 1e-12);
}

// Contacts that are pressed hard keep to the law at smaller gaps.
TEST(NormalResponse, ItsTangentBeginsBelowTheGapOfAStep) {
    const double d = kThickness, k = kStiffness;
    EXPECT_EQ(smallest_gap(0.9 * d, d), kSmallestGap * d);
    EXPECT_EQ(smallest_gap(2 * kSmallestGap * d, d), kSmallestGap * d);
    EXPECT_DOUBLE_EQ(smallest_gap(0.2 * d, d), 0.2 * kSmallestGapShare * d);
    EXPECT_EQ(smallest_gap(0.01 * d, d), kSmallestGapPressed * d);
    EXPECT_EQ(smallest_gap(-d, d), kSmallestGapPressed * d);
    for (const double smallest : {0.2 * d, 0.1 * d, kSmallestGapPressed * d}) {
        const auto at = [&](double gap) { return normal_response(gap, d, k, smallest); };
        const double tiny = 1e-12 * d;
        EXPECT_NEAR(at(smallest - tiny).energy / at(smallest + tiny).energy, 1, 1e-9);
        EXPECT_NEAR(at(smallest - tiny).force / at(smallest + tiny).force, 1, 1e-9);
        EXPECT_NEAR(at(smallest - tiny).stiffness / at(smallest + tiny).stiffness, 1, 1e-9);
        EXPECT_EQ(at(0.6 * d).force, normal_at(0.6 * d).force);
        EXPECT_GT(at(0).force, normal_at(0).force);
        for (const double gap : {1.5 * smallest, 0.5 * smallest, -smallest}) {
            const auto energy = [&](double t) { return at(gap + t).energy + 10 * k * d * d; };
            const auto force = [&](double t) { return at(gap + t).force; };
            const double step = 0.05 * smallest;
            EXPECT_TRUE(is_derivative(scalar_difference_report(energy, -at(gap).force, step))) << gap;
            EXPECT_TRUE(is_derivative(scalar_difference_report(force, -at(gap).stiffness, step))) << gap;
        }
    }
}

TEST(NormalResponse, RisesEverHarderTheNearer) {
    double force = 0, stiffness = 0;
    for (double gap = 1.5 * kThickness; gap > -2 * kThickness; gap -= 0.01 * kThickness) {
        const NormalResponse<double> p = normal_at(gap);
        EXPECT_GE(p.force, force);
        EXPECT_GE(p.stiffness, stiffness * (1 - 1e-12));
        force = p.force;
        stiffness = p.stiffness;
    }
}

constexpr double kSlip = kSlipLength * kThickness;

Vec3d tangent(Random& random, double size) {
    return {random.between(-size, size), random.between(-size, size), 0};
}

TEST(FrictionResponse, ForceAndStiffnessAreDerivativesOfTheEnergy) {
    Random random(1);
    const double limit = 0.02, step = 0.01 * kSlip;
    int sliding = 0, stuck = 0;
    for (int n = 0; n < 200; ++n) {
        const Vec3d u = tangent(random, 2 * kSlip), way = normalized(tangent(random, 1));
        if (std::abs(norm(u) - kSlip) < 2 * step || norm(u) < 0.1 * kSlip) continue;
        const FrictionResponse<double> r = friction_response(u, kSlip, limit);
        EXPECT_EQ(r.slips, norm(u) > kSlip);
        ++(r.slips ? sliding : stuck);
        const auto energy = [&](double t) { return friction_response(u + t * way, kSlip, limit).energy; };
        EXPECT_TRUE(is_derivative(scalar_difference_report(energy, dot(r.force, way), step)));
        const auto force = [&](double t) {
            const Vec3d f = friction_response(u + t * way, kSlip, limit).force;
            return std::vector<double>{f.x, f.y, f.z};
        };
        const Vec3d along = normalized(u), turned = way - dot(way, along) * along;
        const Vec3d slope = r.along * dot(way, along) * along + r.across * turned;
        EXPECT_TRUE(is_derivative(difference_report(force, {slope.x, slope.y, slope.z}, step)));
        EXPECT_GE(r.along, 0);
        EXPECT_GE(r.across, 0);
    }
    EXPECT_GT(sliding, 50);
    EXPECT_GT(stuck, 20);
}

TEST(FrictionResponse, PullsAsASpringUntilCoulombsLimitAndNeverMore) {
    const double limit = 0.01;
    for (const double part : {0.0, 0.3, 0.999, 1.001, 3.0, 1e6}) {
        const FrictionResponse<double> r =
            friction_response(Vec3d{0.6 * part * kSlip, 0, -0.8 * part * kSlip}, kSlip, limit);
        EXPECT_NEAR(norm(r.force), limit * std::min(part, 1.0), 1e-12);
        EXPECT_EQ(r.slips, part > 1);
    }
    // energy and force go on where it begins to slip
    const Vec3d x{1, 0, 0};
    const FrictionResponse<double> stuck = friction_response((1 - 1e-12) * kSlip * x, kSlip, limit),
                                   loose = friction_response((1 + 1e-12) * kSlip * x, kSlip, limit);
    EXPECT_NEAR(stuck.energy / loose.energy, 1, 1e-10);
    EXPECT_NEAR(stuck.force.x / loose.force.x, 1, 1e-10);
    EXPECT_EQ(loose.along, 0);
    EXPECT_NEAR(loose.across / (limit / kSlip), 1, 1e-10);
}

TEST(HeldDisplacement, KeepsWhatSticksToTheBitAndForgetsWhatSlipped) {
    Random random(2);
    const double limit = 0.01;
    for (int n = 0; n < 100; ++n) {
        const Vec3d u = tangent(random, 2 * kSlip), held = held_displacement(u, kSlip);
        if (norm(u) <= kSlip) {
            EXPECT_EQ(held, u);
        } else {
            EXPECT_NEAR(norm(held), kSlip, 1e-12 * kSlip);
            EXPECT_NEAR(norm(cross(held, u)), 0, 1e-12 * kSlip * kSlip);
            EXPECT_GT(dot(held, u), 0);
            // what is left pulls with the same force as before the cut
            const Vec3d difference =
                friction_response(held, kSlip, limit).force - friction_response(u, kSlip, limit).force;
            EXPECT_NEAR(norm(difference), 0, 1e-12 * limit);
        }
    }
}

}  // namespace
}  // namespace rumple::contact
