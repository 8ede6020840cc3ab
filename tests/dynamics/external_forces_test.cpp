// Forces of the caller on vertices: exact falls, a balance, a strip that is pulled, and nothing where there
// are none.
#include <gtest/gtest.h>

#include <limits>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

std::vector<Vec3d> by_mass(const Model& model, Vec3d acceleration) {
    std::vector<Vec3d> forces;
    for (const double mass : model.mass) forces.push_back(mass * acceleration);
    return forces;
}

TEST(ExternalForces, AConstantForceGivesAnArithmeticSeries) {
    for (const int newton : {0, 5}) {
        const SampleCloth cloth(make_grid(5, 4, 0.04, 0.03, Layout::alternating), *find_preset("cotton"));
        const auto stepper = make_stepper(cloth.model, direct_solver(newton));
        State state = cloth.at_rest();
        const Vec3d acceleration{0.5, -3, 7};
        const std::vector<Vec3d> forces = by_mass(cloth.model, acceleration);
        StepInput in;
        in.forces = forces;
        const int steps = 50;
        for (int n = 0; n < steps; ++n) ASSERT_TRUE(stepper->step(state, in).accepted);
        const double moved = in.h * in.h * steps * (steps + 1) / 2;
        for (std::size_t v = 0; v < state.x.size(); ++v)
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(state.x[v][c] - cloth.mesh.positions[v][c], moved * acceleration[c], 1e-11)
                    << "newton " << newton;
    }
}

TEST(ExternalForces, BalanceGravity) {
    const SampleCloth cloth(make_grid(9, 7, 0.04, 0.03, Layout::right), all_laws_material(4e-3));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    const std::vector<Vec3d> forces = by_mass(cloth.model, {0, 0, 9.81});
    StepInput in;
    in.gravity = {0, 0, -9.81};
    in.forces = forces;
    for (int n = 0; n < 50; ++n) ASSERT_TRUE(stepper->step(state, in).accepted);
    for (std::size_t v = 0; v < state.x.size(); ++v)
        EXPECT_LT(norm(state.x[v] - cloth.mesh.positions[v]), 1e-12);
}

// A strip without Poisson's ratio, clamped at one end, pulled at the other by a line load p [N/m]: everywhere
// p = k (L^2 - 1)/2 L with its stretch L (StVK). The clamps answer with -p times the width.
TEST(ExternalForces, StretchAStripByTheExactAmount) {
    constexpr int kNx = 5, kNy = 9;
    constexpr double kWidth = 0.04, kLength = 0.08, kStiffness = 50, kStretch = 1.1;
    const SampleCloth cloth(make_grid(kNx, kNy, kWidth, kLength, Layout::right),
                            elastic_material(0.1, 1e-6, kStiffness));
    const double load = kStiffness * (kStretch * kStretch - 1) / 2 * kStretch;
    const std::vector<Vec3d>& x = cloth.mesh.positions;
    const auto by = [&](int c) {
        const auto [least, most] = std::ranges::minmax(x, {}, [c](Vec3d p) { return p[c]; });
        return std::pair{least[c], most[c]};
    };
    const auto [left, right] = by(0);
    const auto [bottom, top] = by(1);
    const Held held(x, [bottom = bottom](Vec3d p) { return p.y < bottom + 1e-9; });
    std::vector<Vec3d> forces(x.size());
    int pulled = 0;
    for (std::size_t v = 0; v < forces.size(); ++v) {
        if (x[v].y < top - 1e-9) continue;
        const bool corner = x[v].x < left + 1e-9 || x[v].x > right - 1e-9;
        forces[v].y = load * kWidth / (kNx - 1) * (corner ? 0.5 : 1);
        ++pulled;
    }
    ASSERT_EQ(pulled, kNx);
    ASSERT_EQ(held.vertices.size(), static_cast<std::size_t>(kNx));
    const auto stepper = make_stepper(cloth.model, direct_solver(10));
    State state = cloth.at_rest();
    StepInput in;
    in.mass_damping = 20;
    in.handles = {held.vertices, held.targets, {}};
    in.forces = forces;
    for (int n = 0; n < 300; ++n) ASSERT_TRUE(stepper->step(state, in).accepted);
    for (std::size_t v = 0; v < state.x.size(); ++v) {
        const Vec3d p = x[v];
        EXPECT_NEAR(state.x[v].y - bottom, kStretch * (p.y - bottom), 1e-9);
        EXPECT_NEAR(state.x[v].x, p.x, 1e-9);
    }
    EXPECT_NEAR(total_reaction(held.vertices, stepper->reactions(), state.x, {}).force.y, -load * kWidth,
                1e-6 * load * kWidth);
}

TEST(ExternalForces, ZerosAreTheSameBitsAsNone) {
    const SampleCloth cloth(make_tube(16, 9, 0.02, 0.04, Layout::right), all_laws_material(4e-3));
    const std::vector<Vec3d> zeros(cloth.mesh.positions.size());
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State with = make_state(cloth.model, shaken(cloth.mesh.positions, 2e-4, 1)), without = with;
    StepInput in;
    in.gravity = {0, 0, -9.81};
    for (int n = 0; n < 10; ++n) {
        ASSERT_TRUE(stepper->step(without, in).accepted);
        StepInput same = in;
        same.forces = zeros;
        ASSERT_TRUE(stepper->step(with, same).accepted);
        ASSERT_EQ(with, without) << "step " << n;
    }
}

TEST(ExternalForces, OneAVertexAndFinite) {
    const SampleCloth cloth(make_grid(3, 3, 0.02, 0.02, Layout::right), *find_preset("cotton"));
    const auto stepper = make_stepper(cloth.model);
    State state = cloth.at_rest();
    std::vector<Vec3d> forces(8);
    StepInput in;
    in.forces = forces;
    EXPECT_EQ(stepper->step(state, in).failure, "8 forces for 9 vertices; pass one a vertex, or none");
    forces.resize(9);
    forces[4].y = std::numeric_limits<double>::quiet_NaN();
    in.forces = forces;
    EXPECT_EQ(stepper->step(state, in).failure, "the force on vertex 4 is not a finite number");
    EXPECT_EQ(state, cloth.at_rest());
}

}  // namespace
}  // namespace rumple
