// Forces of a whole cloth: gradient of the potential, no net force, no net torque.
#include <gtest/gtest.h>

#include <numbers>

#include "finite_difference.hpp"
#include "sample_cloth.hpp"
#include "stiffness_matrix.hpp"

namespace rumple {
namespace {

constexpr double kPi = std::numbers::pi;

// n facets over the continuum: ((pi/n)/sin(pi/n))^2, with the area of the facets.
TEST(PotentialEnergy, TubeOfFlatClothHasThatOfACylinder) {
    const double radius = 0.04, height = 0.1, k = 3e-5;
    for (int n : {16, 64}) {
        const SampleCloth tube(make_tube(n, 5, radius, height, Layout::right), elastic_material(0.1, k, 50),
                               {RestSource::uv, RestAngles::flat, {0, 0, 1}});
        const auto stepper = make_stepper(tube.model, direct_solver());
        const double area = 2 * radius * std::sin(kPi / n) * n * height;
        const double continuum = 0.5 * k / (radius * radius) * area;
        const double exact = std::pow((kPi / n) / std::sin(kPi / n), 2);
        const double ratio = stepper->potential_energy(tube.at_rest(), StepInput{}) / continuum;
        EXPECT_NEAR(ratio, exact, 1e-9);
        EXPECT_NEAR(ratio, n == 16 ? 1.01295 : 1.00080, 1e-5);
    }
}

// A cloth with every law on, crumpled by kicks, its histories advanced; then moved off without committing, so
// that some components slip, some yield and none stands on the kink that a committed slip ends at.
struct Crumpled {
    SampleCloth cloth{make_grid(6, 5, 0.025, 0.02, Layout::alternating), all_laws_material(5e-3)};
    StepInput in;
    State state = cloth.at_rest();
    std::vector<std::uint8_t> flags;
    int slipping = 0, yielding = 0;

    Crumpled() {
        in.h = 0.005;
        in.material_dt = 0.005;
        in.stiffness_damping = 1e-3;
        const auto stepper = make_stepper(cloth.model, direct_solver());
        state.v = shaken(state.v, 1.0, 7);
        for (int n = 0; n < 6; ++n) EXPECT_TRUE(stepper->step(state, in).accepted);
        state.x = shaken(state.x, 4e-4, 8);
        flags = flags_at(state.x);
        for (std::uint8_t f : flags) {
            slipping += (f & kSlipping) != 0;
            yielding += (f & kYielding) != 0;
        }
    }
    std::vector<std::uint8_t> flags_at(const std::vector<Vec3d>& x) const {
        Elements elements(cloth.model);
        elements.evaluate(Threads(1), state, x, {in.material_dt, in.stiffness_damping / in.h});
        return elements.flags();
    }
};

TEST(InternalForces, AreMinusTheGradientOfThePotentialWithAllLawsOn) {
    const Crumpled c;
    EXPECT_GT(c.slipping, 20);
    EXPECT_GT(c.yielding, 5);
    const auto stepper = make_stepper(c.cloth.model, direct_solver());
    const std::vector<Vec3d> force = stepper->internal_forces(c.state, c.in);
    const double step = 1e-4 * c.cloth.model.mean_edge_length;
    int clean = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const std::vector<Vec3d> direction = shaken(std::vector<Vec3d>(force.size()), 1, seed);
        const auto moved = [&](double t) {
            State s = c.state;
            for (std::size_t v = 0; v < s.x.size(); ++v) s.x[v] += t * direction[v];
            return s;
        };
        if (c.flags_at(moved(step).x) != c.flags || c.flags_at(moved(-step).x) != c.flags)
            continue;  // a kink
        ++clean;
        double slope = 0;
        for (std::size_t v = 0; v < force.size(); ++v) slope -= dot(force[v], direction[v]);
        const auto energy = [&](double t) { return stepper->potential_energy(moved(t), c.in); };
        EXPECT_TRUE(is_derivative(scalar_difference_report(energy, slope, step)));
    }
    EXPECT_GE(clean, 6);
}

TEST(InternalForces, HaveNoResultantAndNoTorque) {
    const Crumpled c;
    const auto stepper = make_stepper(c.cloth.model, direct_solver());
    Vec3d force, torque;
    double size = 0, reach = 0;
    const std::vector<Vec3d> f = stepper->internal_forces(c.state, c.in);
    for (std::size_t v = 0; v < f.size(); ++v) {
        force += f[v];
        torque += cross(c.state.x[v], f[v]);
        size += norm(f[v]);
        reach += norm(c.state.x[v]) * norm(f[v]);
    }
    EXPECT_LT(norm(force), 1e-14 * size);
    EXPECT_LT(norm(torque), 1e-14 * reach);
}

struct Momentum {
    Vec3d linear, angular;
};
Momentum momentum(const Model& model, const State& state) {
    Momentum p;
    for (std::size_t v = 0; v < state.x.size(); ++v) {
        p.linear += model.mass[v] * state.v[v];
        p.angular += model.mass[v] * cross(state.x[v], state.v[v]);
    }
    return p;
}

TEST(FreeCloth, KeepsItsLinearMomentum) {
    const Crumpled c;
    const auto stepper = make_stepper(c.cloth.model, direct_solver());
    State state = c.state;
    for (Vec3d& v : state.v) v += Vec3d{0.5, 0.2, -0.3};
    const Vec3d before = momentum(c.cloth.model, state).linear;
    for (int n = 0; n < 50; ++n) ASSERT_TRUE(stepper->step(state, c.in).accepted);
    // each step solves a system whose condition is about 1e3
    EXPECT_LT(norm(momentum(c.cloth.model, state).linear - before), 1e-11 * norm(before));
}

// Implicit Euler does not keep angular momentum, even when solved to the end: it uses x_n with v_n. What
// forces without torque do guarantee is that a converged step adds nothing about the new positions.
TEST(FreeCloth, ConvergedStepAddsNoAngularMomentumAboutTheNewPositions) {
    const SampleCloth cloth(make_grid(6, 5, 0.025, 0.02, Layout::alternating),
                            elastic_material(0.06, 5e-6, 50));
    StepperOptions options = direct_solver(20);
    options.newton_tolerance = 1e-10;
    const auto stepper = make_stepper(cloth.model, options);
    StepInput in;
    in.h = 1e-3;
    State state = cloth.at_rest();
    state.v = shaken(state.v, 0.03, 3);
    for (Vec3d& v : state.v) v += Vec3d{0.2, 0, 0.1};
    for (int n = 0; n < 5; ++n) {
        const State before = state;
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted);
        ASSERT_TRUE(report.newton_converged);
        Vec3d gain;
        double size = 0;
        for (std::size_t v = 0; v < state.x.size(); ++v) {
            const Vec3d impulse = cloth.model.mass[v] * (state.v[v] - before.v[v]);
            gain += cross(state.x[v], impulse);
            size += norm(state.x[v]) * norm(impulse);
        }
        EXPECT_LT(norm(gain), 1e-10 * size);
    }
}

TEST(FreeCloth, AngularMomentumDriftsInFirstOrderOfTheStep) {
    const SampleCloth cloth(make_grid(6, 5, 0.025, 0.02, Layout::alternating),
                            elastic_material(0.06, 5e-6, 1));
    const auto drift = [&](int steps) {
        const auto stepper = make_stepper(cloth.model, direct_solver());
        StepInput in;
        in.h = 0.01 / steps;
        State state = cloth.at_rest();
        for (Vec3d& p : state.x) p.z = p.x * p.x;
        for (std::size_t v = 0; v < state.v.size(); ++v) state.v[v] = cross(Vec3d{5, 3, 10}, state.x[v]);
        const Vec3d before = momentum(cloth.model, state).angular;
        for (int n = 0; n < steps; ++n) EXPECT_TRUE(stepper->step(state, in).accepted);
        return norm(momentum(cloth.model, state).angular - before) / norm(before);
    };
    const double coarse = drift(1000), fine = drift(2000);
    EXPECT_LT(coarse, 0.02);
    EXPECT_NEAR(coarse / fine, 2, 0.3);
}

}  // namespace
}  // namespace rumple
