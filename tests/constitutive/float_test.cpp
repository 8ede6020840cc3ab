// The laws compile for float, as a device uses them, and agree with double.
#include <gtest/gtest.h>

#include <constitutive/cotton.hpp>
#include <constitutive/random_elements.hpp>
#include <rumple/constitutive/hinge_bending.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>

namespace rumple {
namespace {

constexpr double kTolerance = 1e-5;

Vec3<float> single(Vec3d v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
Vec3d back(Vec3<float> v) { return {v.x, v.y, v.z}; }

TEST(FloatLaws, ComponentAgreesWithDoubleOverAHistory) {
    for (const FrictionKind kind : {FrictionKind::dwell, FrictionKind::dahl}) {
        const ComponentLaw<double> law = cotton::bending<double>(kind);
        const ComponentLaw<float> law_f = cotton::bending<float>(kind);
        ComponentHistory<double> history = initial_history(0.0);
        ComponentHistory<float> history_f = initial_history(0.0f);
        const StepTimes times{.material_dt = 0.25, .damping_per_h = 0.3};
        for (int i = 0; i < 300; ++i) {
            const float e_f = static_cast<float>(3 * std::sin(0.05 * i));
            const double e = e_f;
            const Response<double> a = evaluate(law, history, e, times);
            const Response<float> b = evaluate(law_f, history_f, e_f, times);
            const double k = law.plasticity.k;
            EXPECT_NEAR(b.stress, a.stress, kTolerance * (3 * k + std::abs(a.stress))) << i;
            EXPECT_NEAR(b.energy, a.energy, kTolerance * (3 * k + a.energy)) << i;
            advance(law, history, e, times);
            advance(law_f, history_f, e_f, times);
            EXPECT_NEAR(history_f.plasticity.plastic, history.plasticity.plastic, kTolerance) << i;
            EXPECT_NEAR(history_f.friction.anchor, history.friction.anchor, kTolerance) << i;
        }
        EXPECT_GT(history.plasticity.accumulated, 0.5);
    }
}

TEST(FloatLaws, SlipIsOverOnceItIsCommitted) {
    RandomElements random(1);
    DwellFriction<float> law = cotton::friction<float>(0);
    law.eps_inf = law.eps_0;
    for (int i = 0; i < 10000; ++i) {
        DwellFrictionHistory<float> history{static_cast<float>(random.uniform(-1, 1)), 0};
        const float e = static_cast<float>(random.uniform(-1, 1));
        advance(law, history, e, 0.0f);
        EXPECT_FALSE(slips(law, history, e));
    }
}

TEST(FloatLaws, HingeAgreesWithDouble) {
    RandomElements random(2);
    for (int i = 0; i < 200; ++i) {
        std::array<Vec3d, 4> x = random.hinge(random.uniform(-2.8, 2.8), 1, 0.8, 0.9);
        std::array<Vec3<float>, 4> y;
        for (std::size_t v = 0; v < 4; ++v) x[v] = back(y[v] = single(x[v]));
        EXPECT_NEAR(hinge_angle(y[0], y[1], y[2], y[3]), hinge_angle(x[0], x[1], x[2], x[3]), kTolerance);
        const auto a = hinge_bending(x, 1.5, Response<double>{1, 2, 3});
        const auto b = hinge_bending(y, 1.5f, Response<float>{1, 2, 3});
        EXPECT_NEAR(b.torque, a.torque, kTolerance);
        for (std::size_t v = 0; v < 4; ++v)
            EXPECT_LE(norm(back(b.gradient[v]) - a.gradient[v]), kTolerance * (1 + norm(a.gradient[v])));
    }
}

TEST(FloatLaws, MembraneAgreesWithDouble) {
    RandomElements random(3);
    const std::array<Vec2d, 3> gradient{{{-1, -1}, {1, 0}, {0, 1}}};  // of the unit right triangle
    const std::array<Vec2<float>, 3> gradient_f{{{-1, -1}, {1, 0}, {0, 1}}};
    const auto w = []<class T>(T k, T e) { return Response<T>{T(0.5) * k * e * e, k * e, k}; };
    for (int i = 0; i < 200; ++i) {
        std::array<Vec3d, 3> x{random.vector(0.2), random.vector(0.2), random.vector(0.2)};
        x[1].x += 1;
        x[2].y += 1;
        std::array<Vec3<float>, 3> y;
        for (std::size_t v = 0; v < 3; ++v) x[v] = back(y[v] = single(x[v]));
        const GreenStrain<double> E = green_strain(x, gradient);
        const GreenStrain<float> G = green_strain(y, gradient_f);
        const Membrane<double> a = stvk_membrane(0.5, E, 0.2, w(2.0, E.uu), w(3.0, E.vv), w(1.0, E.uv));
        const Membrane<float> b = stvk_membrane(0.5f, G, 0.2f, w(2.0f, G.uu), w(3.0f, G.vv), w(1.0f, G.uv));
        EXPECT_NEAR(membrane_energy(0.5f, G, 0.2f, w(2.0f, G.uu), w(3.0f, G.vv), w(1.0f, G.uv)),
                    membrane_energy(0.5, E, 0.2, w(2.0, E.uu), w(3.0, E.vv), w(1.0, E.uv)), kTolerance);
        for (std::size_t v = 0; v < 3; ++v) {
            EXPECT_LE(norm(back(membrane_force(b, gradient_f[v])) - membrane_force(a, gradient[v])),
                      kTolerance);
            const Mat3d K = membrane_stiffness(a, tension(a), gradient[v], gradient[0]);
            const Mat3<float> L = membrane_stiffness(b, tension(b), gradient_f[v], gradient_f[0]);
            for (int c = 0; c < 9; ++c) EXPECT_NEAR(L.m[c], K.m[c], kTolerance);
        }
    }
}

}  // namespace
}  // namespace rumple
