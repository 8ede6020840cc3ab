// The textbook step and the library's Stepper were written apart: where they agree, both are likely right.
#include "textbook.hpp"

#include <gtest/gtest.h>

#include <random>
#include <rumple/mesh/generators.hpp>

#include "bench_oracle.hpp"
#include "twist_case.hpp"

namespace rumple {
namespace {

double largest_distance(const State& a, const State& b) {
    double largest = 0;
    for (std::size_t v = 0; v < a.x.size(); ++v) largest = std::max(largest, norm(a.x[v] - b.x[v]));
    return largest;
}

const TwistSize kSmall{"small", 24, 10};

// A small tube shaken out of every symmetry, moving, with histories that slip and yield.
struct ShakenTube {
    TwistCase twist{{.size = kSmall}};
    State state = twist.initial_state();

    explicit ShakenTube(double amplitude = 1e-3) {
        std::mt19937_64 random(7);
        const auto shake = [&] {
            return amplitude * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1);
        };
        for (Vec3d& x : state.x) x += Vec3d{shake(), shake(), shake()};
        for (Vec3d& v : state.v) v = 10.0 * Vec3d{shake(), shake(), shake()};
    }
};

TEST(Textbook, OneStepAgreesFromTenStatesOfTheTwist) {
    const TwistOptions options;
    TwistCase twist(options);
    const int every = twist.step_count() / 10;
    const double edge = twist.model().mean_edge_length;
    const auto stepper = make_stepper(twist.model(), {.threads = 2});
    State state = twist.initial_state();
    int compared = 0;
    for (int n = 0; n < 10 * every; ++n) {
        const State before = state;
        const StepReport report = stepper->step(state, twist.input(n));
        ASSERT_TRUE(report.accepted) << report.failure;
        if (n % every != every - 1) continue;
        const State oracle = textbook_step(twist.model(), before, twist.input(n));
        EXPECT_LT(largest_distance(state, oracle), 1e-5 * edge) << "step " << n;
        ++compared;
    }
    EXPECT_EQ(compared, 10);
}

TEST(Textbook, WholeRunsAgreeInBendingContent) {
    const OracleResult result = bench_oracle({.size = kSmall, .seeds = 3, .threads = 2});
    ASSERT_EQ(result.runs.size(), 3u);
    EXPECT_GT(result.mean_ours(), 50);  // 1/m^2: there are wrinkles to compare
    EXPECT_LT(result.relative_difference(), 0.05);
}

TEST(Textbook, StepWithDirectSolverIsTheSameToRoundOff) {
    ShakenTube tube(2e-4);
    StepInput input = tube.twist.input(20);
    input.gravity = {1, 2, -9.81};
    input.mass_damping = 0.7;
    input.stiffness_damping = 0.003;
    State ours = tube.state;
    const auto stepper = make_stepper(tube.twist.model(), {.threads = 1, .solver = SolverChoice::direct});
    ASSERT_TRUE(stepper->step(ours, input).accepted);
    const State oracle = textbook_step(tube.twist.model(), tube.state, input);
    EXPECT_LT(largest_distance(ours, oracle), 1e-10 * tube.twist.model().mean_edge_length);
    for (std::size_t e = 0; e < ours.bending.size(); ++e) {
        EXPECT_NEAR(ours.bending.anchor[e], oracle.bending.anchor[e], 1e-9);
        EXPECT_NEAR(ours.bending.plastic[e], oracle.bending.plastic[e], 1e-9);
    }
    EXPECT_EQ(ours.step, oracle.step);
    EXPECT_EQ(ours.time, oracle.time);
}

TEST(Textbook, SpringHandlesAreTheSameToRoundOff) {
    ShakenTube tube(2e-4);
    StepInput input = tube.twist.input(20);
    const std::vector<double> stiffness(input.handles.vertices.size(), 30.0);
    input.handles.stiffness = stiffness;
    State ours = tube.state;
    const auto stepper = make_stepper(tube.twist.model(), {.threads = 1, .solver = SolverChoice::direct});
    ASSERT_TRUE(stepper->step(ours, input).accepted);
    const State oracle = textbook_step(tube.twist.model(), tube.state, input);
    EXPECT_LT(largest_distance(ours, oracle), 1e-10 * tube.twist.model().mean_edge_length);
}

TEST(Textbook, TensileFrictionAndPlasticityAreTheSame) {
    // a square pulled in x until it yields, held for long, let go: extra solves, and backtracking in some
    const TriMesh mesh = make_grid(5, 5, 0.02, 0.02, Layout::alternating);
    const RestShape rest = make_rest_shape(mesh, {}, "square");
    Material material;
    material.tensile_friction.emplace();
    material.tensile_plasticity.emplace();
    const ClothPart part{&mesh, &rest, &material};
    const Model model = make_model({&part, 1});

    std::vector<int> held;
    for (int v = 0; v < model.vertex_count(); ++v)
        if (std::abs(mesh.positions[static_cast<std::size_t>(v)].x) > 0.0099) held.push_back(v);
    const auto stepper = make_stepper(model, {.threads = 1, .solver = SolverChoice::direct});
    State ours = make_state(model, mesh.positions), oracle = ours;
    int yielding = 0, extra = 0;
    for (int n = 0; n < 40; ++n) {
        std::vector<Vec3d> targets;
        for (int v : held) {
            targets.push_back(mesh.positions[static_cast<std::size_t>(v)]);
            targets.back().x *= 1 + 0.1 * std::min(1.0, (n + 1) / 10.0);
        }
        StepInput input;
        input.material_dt = n >= 15 && n < 20 ? 10 : 0.01;
        if (n < 20) input.handles = {held, targets, {}};
        const StepReport report = stepper->step(ours, input);
        ASSERT_TRUE(report.accepted) << report.failure;
        oracle = textbook_step(model, oracle, input);
        yielding += report.yielding;
        extra += report.solves - 1;
        ASSERT_LT(largest_distance(ours, oracle), 1e-8 * model.mean_edge_length) << "step " << n;
    }
    EXPECT_GT(yielding, 0);
    EXPECT_GT(extra, 0);
    for (std::size_t i = 0; i < ours.membrane.size(); ++i) {
        EXPECT_NEAR(ours.membrane.plastic[i], oracle.membrane.plastic[i], 1e-8);
        EXPECT_NEAR(ours.membrane.anchor[i], oracle.membrane.anchor[i], 1e-8);
    }
}

TEST(Textbook, EnergyAndForcesAreTheLibrarys) {
    ShakenTube tube;
    const StepInput input = tube.twist.input(0);
    const auto stepper = make_stepper(tube.twist.model(), {.threads = 1});
    const TextbookForces oracle = textbook_forces(tube.twist.model(), tube.state, input);
    const double energy = stepper->potential_energy(tube.state, input);
    EXPECT_NEAR(oracle.energy, energy, 1e-12 * energy);
    const std::vector<Vec3d> forces = stepper->internal_forces(tube.state, input);
    double largest = 0, difference = 0;
    for (std::size_t v = 0; v < forces.size(); ++v) {
        largest = std::max(largest, norm(forces[v]));
        difference = std::max(difference, norm(forces[v] - oracle.force[v]));
    }
    EXPECT_LT(difference, 1e-11 * largest);
}

TEST(Textbook, ForceIsMinusTheGradientOfTheEnergy) {
    ShakenTube tube(3e-4);
    const StepInput input = tube.twist.input(0);
    const TextbookForces at = textbook_forces(tube.twist.model(), tube.state, input);
    const auto along = [](std::size_t v) {
        const auto i = static_cast<double>(v);
        return Vec3d{std::sin(i), std::sin(2 * i), std::cos(3 * i)};
    };
    const auto energy = [&](double step) {
        State moved = tube.state;
        for (std::size_t v = 0; v < moved.x.size(); ++v) moved.x[v] += step * along(v);
        return textbook_forces(tube.twist.model(), moved, input).energy;
    };
    double work = 0;
    for (std::size_t v = 0; v < at.force.size(); ++v) work += dot(at.force[v], along(v));
    const double h = 1e-8, slope = (energy(h) - energy(-h)) / (2 * h);
    EXPECT_NEAR(slope, -work, 1e-6 * std::abs(slope));
}

TEST(Textbook, LooserToleranceTakesFewerIterations) {
    ShakenTube tube(1e-4);
    TextbookReport tight, loose;
    textbook_step(tube.twist.model(), tube.state, tube.twist.input(0), {0, 1}, tight);
    textbook_step(tube.twist.model(), tube.state, tube.twist.input(0), {1e-4, 1}, loose);
    EXPECT_EQ(tight.solves, 1);
    EXPECT_LT(loose.iterations, tight.iterations / 2);
}

}  // namespace
}  // namespace rumple
