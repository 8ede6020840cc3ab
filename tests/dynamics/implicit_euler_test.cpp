// What implicit Euler does exactly: the fall of a free body, the decay of a linear mode, mass damping.
#include <gtest/gtest.h>

#include "sample_cloth.hpp"
#include "stiffness_matrix.hpp"

namespace rumple {
namespace {

SampleCloth small_cloth(Material material) {
    return SampleCloth(make_grid(5, 4, 0.04, 0.03, Layout::alternating), std::move(material));
}

TEST(ImplicitEuler, FreeFallIsItsArithmeticSeries) {
    const SampleCloth cloth = small_cloth(*find_preset("cotton"));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    const int steps = 50;
    for (int n = 0; n < steps; ++n) ASSERT_TRUE(stepper->step(state, in).accepted);
    const double fall = 9.81 * in.h * in.h * steps * (steps + 1) / 2;
    for (std::size_t v = 0; v < state.x.size(); ++v) {
        EXPECT_NEAR(cloth.mesh.positions[v].z - state.x[v].z, fall, 1e-12 * fall);
        EXPECT_NEAR(state.x[v].x, cloth.mesh.positions[v].x, 1e-12 * fall);
        EXPECT_NEAR(state.v[v].z, -9.81 * in.h * steps, 1e-12 * 9.81 * in.h * steps);
    }
    EXPECT_EQ(state.step, steps);
    EXPECT_NEAR(state.time, steps * in.h, 1e-14);
}

// A mode of the flat cloth with amplitude q and rate p: p' (1 + h a + h d w^2 + h^2 w^2) = p - h w^2 q, q' =
// q + h p', a and d the mass and stiffness damping. Without them the energy of each step is the last one's
// over 1 + w^2 h^2.
void expect_exact_decay(double omega_guess, StepInput in) {
    const SampleCloth cloth = small_cloth(elastic_material(0.1, 1e-5, 20));
    State state = cloth.at_rest();
    const Threads one(1);
    Elements elements(cloth.model);
    elements.evaluate(one, state, state.x, {});
    DenseSymmetric scaled = stiffness_matrix(cloth.model, elements);
    for (std::size_t i = 0; i < scaled.size(); ++i)
        for (std::size_t j = 0; j < scaled.size(); ++j)
            scaled(i, j) /= std::sqrt(cloth.model.mass[i / 3] * cloth.model.mass[j / 3]);
    const Eigenpair mode = scaled.nearest_eigenpair(omega_guess * omega_guess);
    const double w2 = mode.value;
    ASSERT_GT(w2, 0.1 * omega_guess * omega_guess) << "an elastic mode, not a rigid one";

    // small enough that the next order of the strain does not show, large enough for the digits of positions
    double largest = 0;
    for (std::size_t i = 0; i < scaled.size(); ++i)
        largest = std::max(largest, std::abs(mode.vector[i]) / std::sqrt(cloth.model.mass[i / 3]));
    double q = 1e-6 * cloth.model.mean_edge_length / largest, p = 0;
    for (std::size_t v = 0; v < state.x.size(); ++v)
        for (int c = 0; c < 3; ++c)
            state.x[v][c] +=
                q * mode.vector[3 * v + static_cast<std::size_t>(c)] / std::sqrt(cloth.model.mass[v]);
    for (std::size_t e = 0; e < state.bending.size(); ++e)  // the bent shape is where the damper begins
        state.bending.strain[e] = make_state(cloth.model, state.x).bending.strain[e];

    const auto stepper = make_stepper(cloth.model, direct_solver());
    double energy = 0.5 * w2 * q * q;
    EXPECT_NEAR(stepper->potential_energy(state, StepInput{}), energy, 1e-5 * energy);
    for (int n = 0; n < 10; ++n) {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted);
        const double h = in.h, h_d = h * in.stiffness_damping, before = energy;
        p = (p - h * w2 * q) / (1 + h * in.mass_damping + (h_d + h * h) * w2);
        q += h * p;
        energy = 0.5 * p * p + 0.5 * w2 * q * q;
        EXPECT_NEAR(report.kinetic_energy + stepper->potential_energy(state, StepInput{}), energy,
                    1e-5 * energy)
            << "step " << n;
        if (in.mass_damping == 0 && in.stiffness_damping == 0) {
            EXPECT_NEAR(energy / before, 1 / (1 + w2 * h * h), 1e-12);
            EXPECT_NEAR(report.kinetic_energy + report.potential_energy, energy, 1e-5 * energy);
        }
    }
}

StepInput step_of(double h, double mass_damping = 0, double stiffness_damping = 0) {
    StepInput in;
    in.h = h;
    in.mass_damping = mass_damping;
    in.stiffness_damping = stiffness_damping;
    return in;
}

TEST(ImplicitEuler, BendingModeLosesItsExactShareOfEnergy) { expect_exact_decay(140, step_of(0.005)); }
TEST(ImplicitEuler, MembraneModeLosesItsExactShareOfEnergy) { expect_exact_decay(1500, step_of(5e-4)); }
TEST(ImplicitEuler, DampedBendingModeIsTheDampedOscillator) {
    expect_exact_decay(140, step_of(0.005, 30, 2e-3));
}
TEST(ImplicitEuler, DampedMembraneModeIsTheDampedOscillator) {
    expect_exact_decay(1500, step_of(5e-4, 300, 2e-4));
}

TEST(ImplicitEuler, MassDampingDividesVelocityByOnePlusHA) {
    const SampleCloth cloth = small_cloth(*find_preset("cotton"));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    for (Vec3d& v : state.v) v = {0.3, -0.2, 0.1};
    StepInput in;
    in.mass_damping = 7;
    double expected = 0.3;
    for (int n = 0; n < 20; ++n) {
        ASSERT_TRUE(stepper->step(state, in).accepted);
        expected /= 1 + in.h * in.mass_damping;
        for (const Vec3d& v : state.v) ASSERT_NEAR(v.x, expected, 1e-12 * 0.3);
    }
}

TEST(ImplicitEuler, StiffnessDampingLeavesRigidMotionAlone) {
    const SampleCloth cloth = small_cloth(elastic_material(0.1, 1e-5, 20));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    for (Vec3d& v : state.v) v = {0.3, -0.2, 0.1};
    for (int n = 0; n < 20; ++n) ASSERT_TRUE(stepper->step(state, step_of(0.01, 0, 0.1)).accepted);
    for (const Vec3d& v : state.v) EXPECT_LT(norm(v - Vec3d{0.3, -0.2, 0.1}), 1e-12);
}

}  // namespace
}  // namespace rumple
