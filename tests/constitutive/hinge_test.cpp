// The dihedral angle, its gradient, and the bending of hinges.
#include <gtest/gtest.h>

#include <constitutive/random_elements.hpp>
#include <finite_difference.hpp>
#include <numbers>
#include <rumple/constitutive/hinge_bending.hpp>

namespace rumple {
namespace {

using Hinge = std::array<Vec3d, 4>;

double angle(const Hinge& x) { return hinge_angle(x[0], x[1], x[2], x[3]); }
Hinge gradient(const Hinge& x) { return hinge_angle_gradient(x[0], x[1], x[2], x[3]).all(); }

struct Shape {
    double theta, length, height0, height1;
};

// Ordinary, nearly flat, nearly closed, slivers (flat wings, and an edge much shorter than its wings).
std::vector<Shape> shapes(RandomElements& random) {
    std::vector<Shape> all;
    for (int i = 0; i < 50; ++i)
        all.push_back({random.uniform(-2.8, 2.8), random.uniform(0.5, 2), random.uniform(0.3, 2),
                       random.uniform(0.3, 2)});
    for (const double theta : {0.0, 1e-9, -1e-6, 1e-3, 3.0, -3.0, 3.1, -3.1})
        all.push_back({theta, 1, 0.8, 0.9});
    for (const double theta : {0.0, 0.7, -2.0, 3.0}) {
        all.push_back({theta, 1, 1e-3, 0.8});
        all.push_back({theta, 1, 2e-3, 1e-3});
        all.push_back({theta, 1e-3, 1, 0.8});
    }
    for (const double size : {2.5e-3, 1e-5})
        all.push_back({1.2, size, 0.7 * size, size});  // cloth-sized, and tiny
    return all;
}

TEST(HingeAngle, IsTheAngleTheHingeWasBentBy) {
    RandomElements random(1);
    for (const Shape& s : shapes(random)) {
        const Hinge x = random.hinge(s.theta, s.length, s.height0, s.height1);
        const double largest = std::max({s.length, s.height0, s.height1});
        EXPECT_NEAR(angle(x), s.theta, 2e-14 * largest / std::min(s.height0, s.height1)) << s.theta;
    }
}

TEST(HingeAngle, IsPositiveWhenTheFrontIsConvex) {
    EXPECT_GT(angle({{{0, 0, 0}, {1, 0, 0}, {0.5, 1, -0.1}, {0.5, -1, -0.1}}}), 0);  // normals up, wings down
    EXPECT_LT(angle({{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0.1}, {0.5, -1, 0.1}}}), 0);
    EXPECT_EQ(angle({{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}}}), 0);
}

TEST(HingeAngle, TinyAnglesKeepTheirDigits) {
    for (const double theta : {1e-3, 1e-6, 1e-9, 1e-12, -1e-9}) {
        const Hinge x{
            {{0, 0, 0}, {1, 0, 0}, {0.4, 0.8, 0}, {0.7, -0.9 * std::cos(theta), -0.9 * std::sin(theta)}}};
        EXPECT_NEAR(angle(x) / theta, 1, 1e-12) << theta;
    }
    RandomElements random(2);
    for (int i = 0; i < 1000; ++i) {  // turned anyhow: positions near 1 carry 1e-16
        const double theta = 1e-9;
        EXPECT_NEAR(angle(random.hinge(theta, 1, 0.8, 0.9)) / theta, 1, 1e-6);
    }
}

TEST(HingeAngle, DoesNotDependOnWhichEndIsFirst) {
    RandomElements random(3);
    for (int i = 0; i < 100; ++i) {
        const Hinge x = random.hinge(random.uniform(-3, 3), 1, 0.8, 0.9);
        EXPECT_NEAR(hinge_angle(x[1], x[0], x[3], x[2]), angle(x), 1e-13);
    }
}

TEST(HingeAngleGradient, ConvergesAtSecondOrderEverywhere) {
    RandomElements random(4);
    for (const Shape& s : shapes(random)) {
        const Hinge x = random.hinge(s.theta, s.length, s.height0, s.height1);
        const Hinge g = gradient(x);
        for (int k = 0; k < 3; ++k) {
            const Hinge d{random.vector(), random.vector(), random.vector(), random.vector()};
            double exact = 0;
            for (std::size_t i = 0; i < 4; ++i) exact += dot(g[i], d[i]);
            const double smallest = std::min({s.length, s.height0, s.height1});
            const double largest = std::max({s.length, s.height0, s.height1});
            // angles near 0 are differences of positions: their rounding is that of the positions
            const double rounding =
                1e-15 * largest / smallest * std::max(1.0, 1 / std::max(std::abs(s.theta), 1e-2));
            EXPECT_TRUE(is_derivative(scalar_difference_report(
                [&](double t) { return angle(displaced(x, d, t)); }, exact, 0.02 * smallest, 64 * rounding)))
                << "theta " << s.theta << " l " << s.length << " h " << s.height0 << " " << s.height1;
        }
    }
}

TEST(HingeAngleGradient, LeavesNoNetForceOrTorque) {
    RandomElements random(5);
    for (const Shape& s : shapes(random)) {
        const Hinge x = random.hinge(s.theta, s.length, s.height0, s.height1);
        const Hinge g = gradient(x);
        Vec3d force, torque;
        double force_size = 0, torque_size = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3d arm = x[i] - x[0];
            force += g[i];
            torque += cross(arm, g[i]);
            force_size += norm(g[i]);
            torque_size += norm(arm) * norm(g[i]);
        }
        EXPECT_LE(norm(force), 1e-12 * force_size) << s.theta;
        EXPECT_LE(norm(torque), 1e-12 * torque_size) << s.theta;
    }
}

TEST(HingeBending, ForceIsMinusTheGradientOfEnergy) {
    RandomElements random(6);
    for (int k = 0; k < 20; ++k) {
        const double rest = random.uniform(-1, 1);
        const auto response = [rest](const Hinge& x) {
            const double e = angle(x) - rest;
            return Response<double>{2.5 * e * e, 5 * e, 5};
        };
        const Hinge x = random.hinge(random.uniform(-2.5, 2.5), 1, 0.8, 0.9);
        const Hinge d{random.vector(), random.vector(), random.vector(), random.vector()};
        const HingeBending<double> b = hinge_bending(x, 1.7, response(x));
        double exact = 0;
        for (std::size_t i = 0; i < 4; ++i) exact += b.torque * dot(b.gradient[i], d[i]);
        EXPECT_TRUE(is_derivative(scalar_difference_report(
            [&](double t) { return hinge_energy(1.7, response(displaced(x, d, t))); }, exact, 0.01)));
    }
}

TEST(HingeBending, JacobianIsExactWhereThereIsNoStress) {
    RandomElements random(7);
    for (int k = 0; k < 20; ++k) {
        const double rest = random.uniform(-2.5, 2.5);
        const Hinge x = random.hinge(rest, 1, 0.8, 0.9);
        const double at_rest = angle(x);
        const Hinge d{random.vector(), random.vector(), random.vector(), random.vector()};
        const auto forces = [&](double t) {
            const Hinge y = displaced(x, d, t);
            const double e = angle(y) - at_rest;
            const HingeBending<double> b = hinge_bending(y, 1.7, Response<double>{2.5 * e * e, 5 * e, 5});
            Hinge f;
            for (std::size_t i = 0; i < 4; ++i) f[i] = -b.torque * b.gradient[i];
            return flattened(f);
        };
        const HingeBending<double> b = hinge_bending(x, 1.7, Response<double>{0, 0, 5});
        double rate = 0;
        for (std::size_t i = 0; i < 4; ++i) rate += dot(b.gradient[i], d[i]);
        Hinge exact;
        for (std::size_t i = 0; i < 4; ++i) exact[i] = -b.stiffness * rate * b.gradient[i];
        EXPECT_TRUE(is_derivative(difference_report(forces, flattened(exact), 5e-3)));
    }
}

// Energy of a cylinder of n facets a turn, vertices on the radius, rest lengths the chords, over that of the
// smooth cylinder of the same area: ((pi/n)/sin(pi/n))^2. Hinges between facets run along the axis; the
// diagonals inside facets stay flat, whether the layout is of right or (every other generator shifted)
// isosceles triangles.
double cylinder_energy_ratio(int n, double shift) {
    const double R = 0.04, segment = 0.003, k = 5e-6;
    const double chord = 2 * R * std::sin(std::numbers::pi / n);
    const auto vertex = [&](int i, double row) {
        const double phi = 2 * std::numbers::pi * i / n;
        const double z = segment * (row + (i % 2 != 0 ? shift : 0));
        return Vec3d{R * std::cos(phi), R * std::sin(phi), z};
    };
    const auto energy = [&](const Hinge& x, double length_over_height) {
        const double e = angle(x);
        return hinge_energy(length_over_height, Response<double>{0.5 * k * e * e, k * e, k});
    };
    double total = 0;
    for (int i = 0; i < n; ++i) {
        // the axial edge of generator i; one diagonal of the facet to its left
        const Hinge axial{vertex(i, 0), vertex(i, 1), vertex(i - 1 + n, 1), vertex(i + 1, 0)};
        const Hinge diagonal{vertex(i, 0), vertex(i + 1, 1), vertex(i, 1), vertex(i + 1, 0)};
        total += energy(axial, segment / chord) + energy(diagonal, 1);
    }
    const double area = n * chord * segment;
    return total / (0.5 * k * area / (R * R));
}

TEST(HingeBending, CylinderPatchHasTheEnergyOfItsFacets) {
    for (const double shift : {0.0, 0.5}) {
        for (const int n : {8, 16, 64, 128}) {
            const double facet = (std::numbers::pi / n) / std::sin(std::numbers::pi / n);
            EXPECT_NEAR(cylinder_energy_ratio(n, shift), facet * facet, 1e-9) << n;
        }
        EXPECT_NEAR(cylinder_energy_ratio(16, shift), 1.01295, 5e-6);
        EXPECT_NEAR(cylinder_energy_ratio(64, shift), 1.00080, 5e-6);
    }
}

}  // namespace
}  // namespace rumple
