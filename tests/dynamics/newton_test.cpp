// How often a step solves: once where nothing changes, more where a hinge starts to slip, to the minimum when
// asked.
#include <gtest/gtest.h>

#include <rumple/dynamics/elements.hpp>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

// Two triangles, one pinned, the wing of the other free to swing: one hinge with cotton's friction.
struct OneHinge {
    SampleCloth cloth;
    std::vector<int> pinned;
    std::vector<Vec3d> targets;
    std::size_t wing;

    OneHinge()
        : cloth(make_grid(2, 2, 2.5e-3, 2.5e-3, Layout::right), cotton()),
          wing(static_cast<std::size_t>(cloth.model.hinges[0][3])) {
        for (std::size_t i = 0; i < 3; ++i) {
            pinned.push_back(cloth.model.hinges[0][i]);
            targets.push_back(cloth.mesh.positions[static_cast<std::size_t>(pinned.back())]);
        }
    }
    static Material cotton() {
        Material m = *find_preset("cotton");
        m.metric = StrainMetric::angle;
        m.plastic = false;
        return m;
    }
    StepInput input() const {
        StepInput in;
        in.handles = {pinned, targets, {}};
        return in;
    }
    // A step with this acceleration on the wing.
    StepReport push(double acceleration, State& state) const {
        const auto stepper = make_stepper(cloth.model, direct_solver());
        StepInput in = input();
        in.gravity = {0, 0, acceleration};
        return stepper->step(state, in);
    }
};

TEST(AutoRule, SolvesOnceWhileEverythingSticks) {
    const OneHinge hinge;
    State state = hinge.cloth.at_rest();
    const StepReport report = hinge.push(1e3, state);
    ASSERT_TRUE(report.accepted);
    EXPECT_EQ(report.solves, 1);
    EXPECT_EQ(report.slipping, 0);
    EXPECT_EQ(state.bending.anchor[0], 0.0);
}

TEST(AutoRule, SolvesAgainWhenAHingeStartsToSlip) {
    const OneHinge hinge;
    State state = hinge.cloth.at_rest();
    const StepReport report = hinge.push(1e5, state);
    ASSERT_TRUE(report.accepted);
    EXPECT_GE(report.solves, 2);
    EXPECT_LE(report.solves, 3);
    EXPECT_EQ(report.slipping, 1);
    EXPECT_GT(std::abs(state.bending.anchor[0]), 0.01);
    EXPECT_NEAR(std::abs(state.bending.strain[0] - state.bending.anchor[0]), 0.1, 1e-12);
}

// A strip that yields under tension, let go: a full Newton step with the plastic tangent would throw it
// across into compressive yield, where it "yields" as before. That must count as a change, and the next
// solves must not be thrown back: the energy stored can only fall.
TEST(AutoRule, ReleaseFromYieldDoesNotThrowTheStripAcross) {
    Material m = elastic_material(0.1, 1e-6, 50);
    m.tensile_plasticity = TensilePlasticity{};
    const SampleCloth strip(make_grid(9, 3, 0.04, 0.01, Layout::alternating), m);
    const Held ends(strip.mesh.positions, [](Vec3d p) { return std::abs(p.x) > 0.01999; });
    const auto stepper = make_stepper(strip.model, direct_solver());
    State state = strip.at_rest();
    StepInput in;
    in.material_dt = 1;
    for (int n = 1; n <= 60; ++n) {
        std::vector<Vec3d> targets = ends.targets;
        for (Vec3d& t : targets) t.x *= 1 + 0.08 * std::min(1.0, n / 40.0);
        in.handles = {ends.vertices, targets, {}};
        ASSERT_TRUE(stepper->step(state, in).accepted);
    }
    in.handles = {};
    in.material_dt = 0.01;
    double energy = stepper->potential_energy(state, in);
    for (int n = 0; n < 5; ++n) {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted);
        EXPECT_EQ(report.yielding, 0);
        EXPECT_LT(report.kinetic_energy + report.potential_energy, energy);
        energy = report.kinetic_energy + report.potential_energy;
    }
}

TEST(AutoRule, NeverSolvesMoreThanThreeTimes) {
    const SampleCloth cloth(make_grid(8, 7, 0.035, 0.03, Layout::alternating), all_laws_material(5e-3));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    state.v = shaken(state.v, 1.0, 4);
    int most = 0;
    for (int n = 0; n < 30; ++n) {
        const StepReport report = stepper->step(state, StepInput{});
        ASSERT_TRUE(report.accepted);
        most = std::max(most, report.solves);
    }
    EXPECT_EQ(most, 3);
}

// M |x - x~|^2/2 + h^2 (W - m g x), with the history the step began with.
double incremental_potential(const Model& model, const State& begin, const State& end, const StepInput& in) {
    const Threads one(1);
    Elements elements(model);
    elements.evaluate(one, begin, end.x, {in.material_dt, in.stiffness_damping / in.h});
    double sum = in.h * in.h * elements.energy();
    for (std::size_t v = 0; v < end.x.size(); ++v) {
        const Vec3d moved = end.x[v] - begin.x[v], off = moved - in.h * begin.v[v];
        sum += 0.5 * model.mass[v] * dot(off, off) - in.h * in.h * model.mass[v] * dot(in.gravity, moved);
    }
    return sum;
}

// A cloth whose one end is pushed towards the other and lifted: it folds, slips and yields.
TEST(Newton, ConvergesToALowerIncrementalPotentialThanTheAutoRule) {
    const SampleCloth cloth(make_grid(8, 7, 0.035, 0.03, Layout::alternating), all_laws_material(5e-3));
    const Held ends(cloth.mesh.positions, [](Vec3d p) { return std::abs(p.x) > 0.0174; });
    const auto automatic = make_stepper(cloth.model, direct_solver());
    const auto newton = make_stepper(cloth.model, direct_solver(20));
    StepInput in;
    in.gravity = {0, 0, -9.81};
    State state = make_state(cloth.model, shaken(cloth.mesh.positions, 1e-4, 6));
    int slipping = 0, yielding = 0, converged = 0;
    for (int n = 1; n <= 20; ++n) {
        std::vector<Vec3d> targets = ends.targets;
        for (Vec3d& t : targets)
            if (t.x > 0) t += (n * 1e-3) * Vec3d{-1, 0, 0.3};
        in.handles = {ends.vertices, targets, {}};
        State by_rule = state, by_newton = state;
        ASSERT_TRUE(automatic->step(by_rule, in).accepted);
        const StepReport report = newton->step(by_newton, in);
        ASSERT_TRUE(report.accepted);
        converged += report.newton_converged;
        slipping += report.slipping;
        yielding += report.yielding;
        const double rule = incremental_potential(cloth.model, state, by_rule, in);
        const double best = incremental_potential(cloth.model, state, by_newton, in);
        EXPECT_LE(best, rule + 1e-12 * std::abs(rule)) << "step " << n;
        state = by_newton;
    }
    EXPECT_GT(slipping, 50);
    EXPECT_GT(yielding, 5);
    EXPECT_GE(converged, 16) << "of 20";
}

// At the minimum the inertial force is what the forces of the end of the step give.
TEST(Newton, ConvergedStepBalancesForcesAtItsEnd) {
    const SampleCloth cloth(make_grid(6, 5, 0.025, 0.02, Layout::right), elastic_material(0.06, 5e-6, 50));
    StepperOptions options = direct_solver(20);
    options.newton_tolerance = 1e-10;
    const auto stepper = make_stepper(cloth.model, options);
    StepInput in;
    in.h = 1e-3;
    State state = cloth.at_rest();
    state.v = shaken(state.v, 0.02, 6);
    const State before = state;
    const StepReport report = stepper->step(state, in);
    ASSERT_TRUE(report.accepted && report.newton_converged);
    const std::vector<Vec3d> f = stepper->internal_forces(state, in);
    const double scale = largest_norm(f);
    for (std::size_t v = 0; v < f.size(); ++v) {
        const Vec3d inertia = (cloth.model.mass[v] / in.h) * (state.v[v] - before.v[v]);
        EXPECT_LT(norm(inertia - f[v]), 1e-7 * scale);
    }
}

TEST(Newton, SaysSoWhenItsIterationsDoNotSuffice) {
    const SampleCloth cloth(make_grid(8, 7, 0.035, 0.03, Layout::alternating), all_laws_material(5e-3));
    const auto stepper = make_stepper(cloth.model, direct_solver(1));
    State state = cloth.at_rest();
    state.v = shaken(state.v, 1.0, 4);
    const StepReport report = stepper->step(state, StepInput{});
    EXPECT_TRUE(report.accepted);
    EXPECT_FALSE(report.newton_converged);
    EXPECT_EQ(report.solves, 1);
}

}  // namespace
}  // namespace rumple
