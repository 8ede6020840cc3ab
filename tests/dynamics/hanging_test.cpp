// Cloth that hangs: stretched by its weight, swinging as a chain, sagging between two points.
#include <gtest/gtest.h>

#include <numbers>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kGravity = 9.81;

// Strip of `rows` cells along -z from z = 0, `cells` across along x; warp (u) along the strip.
TriMesh hanging_strip(int rows, int cells, double length, double width) {
    TriMesh mesh = make_grid(rows + 1, cells + 1, length, width, Layout::right);
    for (Vec3d& p : mesh.positions) p = {p.y, 0, -(p.x + length / 2)};
    return mesh;
}

bool at_top(Vec3d p) { return p.z > -1e-9; }

// Where the middle of the end that began lowest now is.
double end_height(const SampleCloth& cloth, const State& state, double length) {
    double sum = 0, count = 0;
    for (std::size_t v = 0; v < state.x.size(); ++v)
        if (cloth.mesh.positions[v].z < -length + 1e-9) {
            sum += state.x[v].z;
            ++count;
        }
    return sum / count;
}

Vec3d mass_centre(const Model& model, const State& state) {
    Vec3d sum;
    for (std::size_t v = 0; v < state.x.size(); ++v) sum += model.mass[v] * state.x[v];
    return (1 / model.total_mass) * sum;
}

struct Hung {
    double length;
    Wrench reaction;
    double weight;
};

Hung hang_cotton(int rows) {
    Material cotton = *find_preset("cotton");
    const SampleCloth cloth(hanging_strip(rows, 2, 1.0, 0.02), cotton);
    const Held top(cloth.mesh.positions, at_top);
    StepInput in;
    in.h = 0.05;
    in.gravity = {0, 0, -kGravity};
    in.handles = top.handles();
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    EXPECT_GT(settle(*stepper, state, in, 1e-13, 2000), 0);
    return {-end_height(cloth, state, 1),
            total_reaction(top.vertices, stepper->reactions(), state.x, mass_centre(cloth.model, state)),
            cloth.model.total_mass * kGravity};
}

// lambda^3 - lambda = 2 q (1 - X/L), q = rho g L/E: a metre of cotton grows by 5.818 mm.
TEST(HangingStrip, StretchesAsStVenantKirchhoffSays) {
    const double exact = 0.005818;
    const double coarse = hang_cotton(10).length - 1, fine = hang_cotton(40).length - 1;
    EXPECT_NEAR(fine, exact, 5e-4 * exact);
    EXPECT_LE(std::abs(fine - exact), std::abs(coarse - exact));
}

TEST(HangingStrip, HandleCarriesTheWeightAndNoTorque) {
    const Hung hung = hang_cotton(20);
    EXPECT_NEAR(hung.reaction.force.z, hung.weight, 1e-8 * hung.weight);
    EXPECT_NEAR(hung.reaction.force.x, 0, 1e-8 * hung.weight);
    EXPECT_NEAR(hung.reaction.force.y, 0, 1e-8 * hung.weight);
    EXPECT_LT(norm(hung.reaction.torque), 1e-8 * hung.weight * 1.0);
}

// Period of a strip without bending stiffness, displaced by its first mode J0(z1 sqrt(1 + z/L)) and let go.
double swing_period(int rows, double h) {
    const double length = 1;
    const SampleCloth cloth(hanging_strip(rows, 1, length, length / rows), elastic_material(0.1, 0, 1e4));
    const Held top(cloth.mesh.positions, at_top);
    State state = cloth.at_rest();
    for (Vec3d& p : state.x)
        p.y = 1e-3 * length *
              std::cyl_bessel_j(0., 2.404825557695773 * std::sqrt(std::max(0., 1 + p.z / length)));
    StepInput in;
    in.h = h;
    in.gravity = {0, 0, -kGravity};
    in.handles = top.handles();
    const auto stepper = make_stepper(cloth.model, direct_solver());
    const auto tip = static_cast<std::size_t>(rows);
    std::vector<double> crossings;
    while (crossings.size() < 3 && state.time < 5) {
        const double before = state.x[tip].y;
        if (!stepper->step(state, in).accepted) return 0;
        const double after = state.x[tip].y;
        if ((before > 0) != (after > 0)) crossings.push_back(state.time - h * after / (after - before));
    }
    return crossings.size() == 3 ? crossings[2] - crossings[0] : 0;
}

TEST(HangingChain, SwingsWithTheExactPeriod) {
    const double exact = 5.22548 * std::sqrt(1 / kGravity);
    EXPECT_NEAR(swing_period(40, 2e-3), exact, 2e-3 * exact);
}

TEST(HangingChain, SagsAsACatenary) {
    const int rows = 64;
    const double length = 1, span = 0.7;
    const SampleCloth cloth(hanging_strip(rows, 1, length, length / rows), elastic_material(0.1, 0, 1e4));
    const Held ends(cloth.mesh.positions, [&](Vec3d p) { return at_top(p) || p.z < -length + 1e-9; });
    State state = cloth.at_rest();
    // begins as a V of the right length, width along y
    const double rise = std::sqrt(length * length - span * span) / 2;
    const auto v_shape = [&](Vec3d p) {
        const double s = -p.z / length;
        return Vec3d{span * s, p.x, -2 * rise * std::min(s, 1 - s)};
    };
    for (Vec3d& p : state.x) p = v_shape(p);
    std::vector<Vec3d> targets = ends.targets;
    for (Vec3d& p : targets) p = v_shape(p);
    StepInput in;
    in.h = 0.02;
    in.mass_damping = 3;
    in.gravity = {0, 0, -kGravity};
    in.handles = {ends.vertices, targets, {}};
    const auto stepper = make_stepper(cloth.model, direct_solver());
    ASSERT_GT(settle(*stepper, state, in, 1e-8, 3000), 0);
    double lowest = 0;
    for (const Vec3d& p : state.x) lowest = std::min(lowest, p.z);
    EXPECT_NEAR(-lowest / length, 0.319720, 5e-4);
    const Wrench pull = total_reaction(ends.vertices, stepper->reactions(), state.x, {0, 0, 0});
    EXPECT_NEAR(pull.force.z, cloth.model.total_mass * kGravity, 1e-4 * cloth.model.total_mass * kGravity);
}

}  // namespace
}  // namespace rumple
