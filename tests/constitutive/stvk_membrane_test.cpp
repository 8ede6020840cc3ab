// The membrane of one triangle: forces, stiffness, invariance, and the factor 2 of shear.
#include <gtest/gtest.h>

#include <algorithm>
#include <constitutive/jacobi_eigen.hpp>
#include <constitutive/random_elements.hpp>
#include <finite_difference.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>

namespace rumple {
namespace {

using Triangle = std::array<Vec3d, 3>;

struct Patch {
    double area{};
    std::array<Vec2d, 3> gradient;

    explicit Patch(const std::array<Vec2d, 3>& rest) {
        const double doubled = cross(rest[1] - rest[0], rest[2] - rest[0]);
        area = 0.5 * doubled;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2d opposite = rest[(i + 2) % 3] - rest[(i + 1) % 3];
            gradient[i] = (1 / doubled) * Vec2d{-opposite.y, opposite.x};
        }
    }
};

const std::array<Vec2d, 3> kRest{{{0.1, 0.2}, {1.2, 0.3}, {0.4, 1.1}}};
const Patch kPatch(kRest);
constexpr double k12 = 15;
constexpr StepTimes kStep{.material_dt = 1};

struct Evaluated : Membrane<double> {
    double energy;
};

struct Cloth {
    ComponentLaw<double> law[3];
    ComponentHistory<double> history[3]{};

    explicit Cloth(bool remembers) {
        const double k[] = {50, 40, 30}, k_f[] = {200, 150, 5}, K_h0[] = {10, 9, 5};
        for (int c = 0; c < 3; ++c) {
            law[c].plasticity = {k[c], K_h0[c], 0.5, 30, 0.033};
            law[c].friction = {k_f[c], 0.005, 0.05, 30, 0.0025};
            law[c].yields = remembers;
            law[c].friction_kind = remembers ? FrictionKind::dwell : FrictionKind::none;
        }
    }
    Evaluated at(const Triangle& x) const {
        const GreenStrain<double> E = green_strain(x, kPatch.gradient);
        const Response<double> uu = evaluate(law[0], history[0], E.uu, kStep),
                               vv = evaluate(law[1], history[1], E.vv, kStep),
                               uv = evaluate(law[2], history[2], E.uv, kStep);
        return {stvk_membrane(kPatch.area, E, k12, uu, vv, uv),
                membrane_energy(kPatch.area, E, k12, uu, vv, uv)};
    }
    void commit(const Triangle& x) {
        const GreenStrain<double> E = green_strain(x, kPatch.gradient);
        advance(law[0], history[0], E.uu, kStep);
        advance(law[1], history[1], E.vv, kStep);
        advance(law[2], history[2], E.uv, kStep);
    }
};

// x = R F X + shift, F in the plane
Triangle deformed(double F_uu, double F_uv, double F_vu, double F_vv, const Mat3d& R, Vec3d shift) {
    Triangle x;
    for (std::size_t i = 0; i < 3; ++i)
        x[i] = R * Vec3d{F_uu * kRest[i].x + F_uv * kRest[i].y, F_vu * kRest[i].x + F_vv * kRest[i].y, 0} +
               shift;
    return x;
}

Triangle random_triangle(RandomElements& random, double strain) {
    const auto near_1 = [&] { return 1 + random.uniform(-strain, strain); };
    const auto near_0 = [&] { return random.uniform(-strain, strain); };
    return deformed(near_1(), near_0(), near_0(), near_1(), random.rotation_matrix(), random.vector());
}

Triangle forces(const Membrane<double>& m) {
    return {membrane_force(m, kPatch.gradient[0]), membrane_force(m, kPatch.gradient[1]),
            membrane_force(m, kPatch.gradient[2])};
}

double work(const Triangle& f, const Triangle& d) {
    return dot(f[0], d[0]) + dot(f[1], d[1]) + dot(f[2], d[2]);
}

TEST(Membrane, ForceIsMinusTheGradientOfEnergy) {
    RandomElements random(1);
    for (const bool remembers : {false, true})
        for (int k = 0; k < 40; ++k) {
            Cloth cloth(remembers);
            for (int i = 0; i < 3; ++i) cloth.commit(random_triangle(random, 0.1));
            const Triangle x = random_triangle(random, 0.3);
            const Triangle d{random.vector(), random.vector(), random.vector()};
            // small steps: with memory a kink must not lie inside
            EXPECT_TRUE(is_derivative(
                scalar_difference_report([&](double t) { return cloth.at(displaced(x, d, t)).energy; },
                                         -work(forces(cloth.at(x)), d), 1e-3)))
                << "memory " << remembers << " " << k;
        }
}

TEST(Membrane, StiffnessIsTheExactJacobianInBiaxialTension) {
    RandomElements random(2);
    for (int k = 0; k < 40; ++k) {
        const Cloth cloth(false);
        const Triangle x = deformed(1.1 + random.uniform(0, 0.2), 0.03, -0.02, 1.1 + random.uniform(0, 0.2),
                                    random.rotation_matrix(), random.vector());
        const Triangle d{random.vector(), random.vector(), random.vector()};
        const Membrane<double> m = cloth.at(x);
        Triangle exact{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                exact[i] -= membrane_stiffness(m, tension(m), kPatch.gradient[i], kPatch.gradient[j]) * d[j];
        EXPECT_TRUE(is_derivative(
            difference_report([&](double t) { return flattened(forces(cloth.at(displaced(x, d, t)))); },
                              flattened(exact), 1e-2)));
    }
}

SquareMatrix<9> stiffness_matrix(const Membrane<double>& m) {
    SquareMatrix<9> K;
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j)
            K[i][j] = membrane_stiffness(m, tension(m), kPatch.gradient[i / 3], kPatch.gradient[j / 3])(
                static_cast<int>(i % 3), static_cast<int>(j % 3));
    return K;
}

TEST(Membrane, StiffnessIsSymmetricAndSemidefiniteInEveryState) {
    RandomElements random(3);
    int compressed = 0, limited = 0;
    for (int k = 0; k < 500; ++k) {
        Cloth cloth(k % 2 == 0);
        for (int i = 0; i < 4; ++i) cloth.commit(random_triangle(random, 0.3));
        const Membrane<double> m = cloth.at(random_triangle(random, 0.6));
        const SquareMatrix<9> K = stiffness_matrix(m);
        double size = 0, asymmetry = 0;
        for (std::size_t i = 0; i < 9; ++i)
            for (std::size_t j = 0; j < 9; ++j) {
                size = std::max(size, std::abs(K[i][j]));
                asymmetry = std::max(asymmetry, std::abs(K[i][j] - K[j][i]));
            }
        EXPECT_LE(asymmetry, 1e-14 * size);
        EXPECT_GE(std::ranges::min(jacobi_eigen(K).values), -1e-13 * size);
        compressed += tension(m).uu > m.S_uu || tension(m).vv > m.S_vv;
        limited += m.T_12 < kPatch.area * k12;
    }
    EXPECT_GT(compressed, 100) << "the states were meant to be compressed";
    EXPECT_GT(limited, 20) << "the states were meant to yield";
}

TEST(Membrane, TensilePartIsThatOfTheEigendecomposition) {
    RandomElements random(4);
    for (int k = 0; k < 1000; ++k) {
        double a = random.uniform(-1, 1), b = random.uniform(-1, 1), c = random.uniform(-1, 1);
        if (k % 10 == 0) c = 0;
        if (k % 20 == 0) b = a;
        const Eigensystem<2> system = jacobi_eigen<2>({{{a, c}, {c, b}}});
        SquareMatrix<2> P{};
        for (std::size_t n = 0; n < 2; ++n)
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 2; ++j)
                    P[i][j] += std::max(system.values[n], 0.0) * system.vectors[i][n] * system.vectors[j][n];
        const SymmetricTensor<double> p = tensile_part(SymmetricTensor<double>{a, b, c});
        EXPECT_NEAR(p.uu, P[0][0], 1e-14);
        EXPECT_NEAR(p.vv, P[1][1], 1e-14);
        EXPECT_NEAR(p.uv, P[0][1], 1e-14);
    }
}

TEST(Membrane, RigidMotionChangesNeitherEnergyNorForces) {
    RandomElements random(5);
    const Cloth cloth(true);
    for (int k = 0; k < 50; ++k) {
        const Triangle x = random_triangle(random, 0.3);
        const Mat3d R = random.rotation_matrix();
        const Vec3d shift = random.vector(10);
        Triangle y;
        for (std::size_t i = 0; i < 3; ++i) y[i] = R * x[i] + shift;
        const Evaluated a = cloth.at(x), b = cloth.at(y);
        EXPECT_NEAR(b.energy, a.energy, 1e-12 * a.energy);
        const Triangle f = forces(a), g = forces(b);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(norm(g[i] - R * f[i]), 1e-11 * (1 + norm(f[i])));
    }
}

TEST(Membrane, ForcesLeaveNoNetForceOrTorque) {
    RandomElements random(6);
    for (int k = 0; k < 100; ++k) {
        Cloth cloth(true);
        cloth.commit(random_triangle(random, 0.2));
        const Triangle x = random_triangle(random, 0.5);
        const Triangle f = forces(cloth.at(x));
        Vec3d force, torque;
        double size = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            force += f[i];
            torque += cross(x[i], f[i]);
            size += norm(f[i]);
        }
        EXPECT_LE(norm(force), 1e-13 * size);
        EXPECT_LE(norm(torque), 1e-13 * 4 * size);
    }
}

TEST(Membrane, RestShapeHasNoStress) {
    RandomElements random(7);
    const Cloth cloth(true);
    const Evaluated m = cloth.at(random_triangle(random, 0));
    EXPECT_NEAR(m.energy, 0, 1e-28);
    for (const Vec3d& f : forces(m)) EXPECT_LE(norm(f), 1e-12);
}

// Shear counts twice, as in the tensor contraction S:E; the paper's Voigt form would halve it.
TEST(Membrane, PureShearStoresAreaTimesK33TimesShearSquared) {
    const Cloth cloth(false);
    for (const double shear : {0.01, 0.1, 0.3}) {
        // F_u and F_v of unit length, F_u . F_v = 2 E_uv: no stretch, only shear
        const double sine = 2 * shear, cosine = std::sqrt(1 - sine * sine);
        const Triangle x = deformed(1, sine, 0, cosine, Mat3d::identity(), {});
        const GreenStrain<double> E = green_strain(x, kPatch.gradient);
        EXPECT_NEAR(E.uu, 0, 1e-15);
        EXPECT_NEAR(E.vv, 0, 1e-15);
        EXPECT_NEAR(E.uv, shear, 1e-15);
        EXPECT_NEAR(cloth.at(x).energy, kPatch.area * 30 * shear * shear, 1e-13);
    }
}

TEST(Membrane, EnergyIsHalfTheTensorContraction) {
    RandomElements random(8);
    const Cloth cloth(false);
    for (int k = 0; k < 50; ++k) {
        const Triangle x = random_triangle(random, 0.4);
        const GreenStrain<double> E = green_strain(x, kPatch.gradient);
        const Evaluated m = cloth.at(x);
        EXPECT_NEAR(m.energy, 0.5 * (m.S_uu * E.uu + m.S_vv * E.vv + 2 * m.S_uv * E.uv),
                    1e-13 * (1 + m.energy));
        const double W =
            0.5 * 50 * E.uu * E.uu + 0.5 * 40 * E.vv * E.vv + k12 * E.uu * E.vv + 30 * E.uv * E.uv;
        EXPECT_NEAR(m.energy, kPatch.area * W, 1e-13 * (1 + m.energy));
    }
}

}  // namespace
}  // namespace rumple
