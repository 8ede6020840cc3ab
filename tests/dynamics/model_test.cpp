// Models of several cloths, vertices that nothing uses, and the same bits for any number of threads.
#include <gtest/gtest.h>

#include <numbers>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

TEST(Threads, GiveTheSameBits) {
    // large enough that every loop is cut into several pieces
    const int around = 40, up = 26;
    Material m = all_laws_material(4e-3);
    TriMesh mesh = make_tube(around, up, 0.04, 0.11, Layout::right);
    const std::vector<Vec3d> perfect = mesh.positions;
    mesh.positions = shaken(mesh.positions, 2e-5, 1);
    const SampleCloth tube(mesh, m);
    std::vector<int> vertices;
    for (int i = 0; i < around; ++i) vertices.push_back(i);
    for (int i = 0; i < around; ++i) vertices.push_back((up - 1) * around + i);

    const auto run = [&](int threads) {
        StepperOptions options;
        options.threads = threads;
        options.tolerance = 1e-4;
        const auto stepper = make_stepper(tube.model, options);
        State state = tube.at_rest();
        int slipping = 0;
        for (int n = 1; n <= 30; ++n) {
            const Mat3d turn = rotation(Vec3d{0, 0, 1}, -0.02 * n);
            std::vector<Vec3d> targets;
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                const Vec3d p = perfect[static_cast<std::size_t>(vertices[i])];
                targets.push_back(vertices[i] < around ? p : turn * p - Vec3d{0, 0, 4e-4 * n});
            }
            StepInput in;
            in.stiffness_damping = 1e-4;
            in.handles = {vertices, targets, {}};
            const StepReport report = stepper->step(state, in);
            EXPECT_TRUE(report.accepted);
            slipping += report.slipping;
        }
        EXPECT_GT(slipping, 100);
        return state;
    };
    const State one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(3), one);
}

void expect_same(const State& whole, const State& part, std::size_t vertex, std::size_t hinge,
                 double length) {
    for (std::size_t v = 0; v < part.x.size(); ++v) {
        ASSERT_LT(norm(whole.x[vertex + v] - part.x[v]), 1e-11 * length) << "vertex " << v;
        ASSERT_LT(norm(whole.v[vertex + v] - part.v[v]), 1e-9 * norm(part.v[v]) + 1e-9) << "vertex " << v;
    }
    for (std::size_t e = 0; e < part.bending.size(); ++e) {
        ASSERT_NEAR(whole.bending.anchor[hinge + e], part.bending.anchor[e], 1e-8);
        ASSERT_NEAR(whole.bending.plastic[hinge + e], part.bending.plastic[e], 1e-8);
    }
}

// Also where only one of them has tensile laws, so that only one needs membrane history.
TEST(Model, TwoClothsBehaveAsEachAlone) {
    const SampleCloth a(make_grid(6, 5, 0.025, 0.02, Layout::alternating), all_laws_material(5e-3));
    TriMesh tube = make_tube(10, 5, 0.01, 0.02, Layout::right);
    for (Vec3d& p : tube.positions) p += Vec3d{0.1, 0, 0};
    const SampleCloth b(tube, *find_preset("denim"));
    const ClothPart parts[] = {{&a.mesh, &a.rest, &a.material}, {&b.mesh, &b.rest, &b.material}};
    const Model both = make_model(parts);
    EXPECT_EQ(both.parts.vertex_begin, (std::vector<int>{0, a.model.vertex_count(), both.vertex_count()}));
    EXPECT_EQ(both.parts.triangle_begin,
              (std::vector<int>{0, a.model.triangle_count(), both.triangle_count()}));
    EXPECT_EQ(both.parts.hinge_begin, (std::vector<int>{0, a.model.hinge_count(), both.hinge_count()}));
    EXPECT_NEAR(both.total_mass, a.model.total_mass + b.model.total_mass, 1e-18);

    State state = make_state(both, both.initial), state_a = a.at_rest(), state_b = b.at_rest();
    state.v = shaken(state.v, 0.2, 9);
    std::copy(state.v.begin(), state.v.begin() + a.model.vertex_count(), state_a.v.begin());
    std::copy(state.v.begin() + a.model.vertex_count(), state.v.end(), state_b.v.begin());
    const auto stepper = make_stepper(both, direct_solver());
    const auto stepper_a = make_stepper(a.model, direct_solver());
    const auto stepper_b = make_stepper(b.model, direct_solver());
    StepInput in;
    in.h = 0.002;
    in.gravity = {0, 0, -9.81};
    in.stiffness_damping = 1e-4;
    for (int n = 0; n < 10; ++n) {
        for (auto* s : {&stepper, &stepper_a, &stepper_b}) {
            State& at = s == &stepper ? state : s == &stepper_a ? state_a : state_b;
            ASSERT_TRUE((*s)->step(at, in).accepted);
        }
    }
    expect_same(state, state_a, 0, 0, 0.025);
    expect_same(state, state_b, a.mesh.positions.size(), a.rest.hinges.size(), 0.025);
}

TEST(Model, KeepsUnreferencedVerticesWithATinyMass) {
    const TriMesh plain = make_grid(6, 5, 0.025, 0.02, Layout::right);
    TriMesh mesh = plain;
    mesh.positions.push_back({1, 2, 3});
    mesh.positions.push_back({0, 0, 0});
    const SampleCloth with(mesh, *find_preset("cotton")), without(plain, *find_preset("cotton"));
    ASSERT_EQ(with.model.vertex_count(), without.model.vertex_count() + 2);
    const double loose = with.model.mass.back();
    EXPECT_GT(loose, 0);
    EXPECT_LT(loose, 1e-5 * with.model.total_mass / with.model.vertex_count());

    for (SolverChoice solver : {SolverChoice::automatic, SolverChoice::direct}) {
        StepperOptions options;
        options.solver = solver;
        options.tolerance = 1e-10;
        const auto stepper = make_stepper(with.model, options);
        const auto other = make_stepper(without.model, options);
        State state = with.at_rest(), reference = without.at_rest();
        const std::vector<Vec3d> kicks = shaken(reference.v, 0.2, 2);
        reference.v = kicks;
        std::copy(kicks.begin(), kicks.end(), state.v.begin());
        StepInput in;
        in.gravity = {0, 0, -9.81};
        for (int n = 0; n < 10; ++n) {
            ASSERT_TRUE(stepper->step(state, in).accepted);
            ASSERT_TRUE(other->step(reference, in).accepted);
        }
        for (std::size_t v = 0; v < reference.x.size(); ++v)
            EXPECT_LT(norm(state.x[v] - reference.x[v]), 1e-8) << "vertex " << v;
        const double fall = 9.81 * in.h * in.h * 10 * 11 / 2;
        EXPECT_LT(norm(state.x[reference.x.size()] - Vec3d{1, 2, 3 - fall}), 1e-9);
    }
}

TEST(Model, MassesAreThirdsOfTheTriangles) {
    const SampleCloth cloth(make_grid(5, 4, 0.04, 0.03, Layout::right), *find_preset("denim"));
    EXPECT_NEAR(cloth.model.total_mass, 0.25 * 0.04 * 0.03, 1e-17);
    const double cell = 0.25 * 0.01 * 0.01;
    EXPECT_NEAR(cloth.model.mass[0], cell / 3, 1e-17) << "corner of two triangles";
    EXPECT_NEAR(cloth.model.mass[4], cell / 6, 1e-17) << "corner of one";
    EXPECT_NEAR(cloth.model.mass[6], cell, 1e-17) << "inside";
}

TEST(State, BeginsWithNothingSlippedAtTheInitialShape) {
    TriMesh mesh = make_tube(12, 4, 0.01, 0.02, Layout::right);
    const SampleCloth tube(mesh, all_laws_material(4e-3), {RestSource::uv, RestAngles::flat, {0, 0, 1}});
    const State state = tube.at_rest();
    double largest = 0;
    for (std::size_t e = 0; e < state.bending.size(); ++e) {
        EXPECT_EQ(state.bending.anchor[e], state.bending.strain[e]);
        EXPECT_EQ(state.bending.plastic[e], 0);
        largest = std::max(largest, state.bending.anchor[e]);
    }
    EXPECT_NEAR(largest, 2 * std::numbers::pi / 12, 1e-12);
}

}  // namespace
}  // namespace rumple
