// The matrix of a step: exact where it can be, symmetric and positive semidefinite everywhere.
#include <gtest/gtest.h>

#include "finite_difference.hpp"
#include "sample_cloth.hpp"
#include "stiffness_matrix.hpp"

namespace rumple {
namespace {

// Is `stiffness_matrix` minus the derivative of the forces at this state? Along a few directions, by order.
void expect_exact_jacobian(const SampleCloth& cloth, const State& state) {
    const Threads one(1);
    Elements elements(cloth.model);
    elements.evaluate(one, state, state.x, {});
    const DenseSymmetric k = stiffness_matrix(cloth.model, elements);
    const auto stepper = make_stepper(cloth.model, direct_solver());
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const std::vector<Vec3d> direction = shaken(std::vector<Vec3d>(state.x.size()), 1, seed);
        const std::vector<double> d = flattened(direction);
        std::vector<double> exact(d.size());
        for (std::size_t i = 0; i < d.size(); ++i)
            for (std::size_t j = 0; j < d.size(); ++j) exact[i] -= k(i, j) * d[j];
        const auto forces = [&](double t) {
            State moved = state;
            for (std::size_t v = 0; v < moved.x.size(); ++v) moved.x[v] += t * direction[v];
            return flattened(stepper->internal_forces(moved, StepInput{}));
        };
        EXPECT_TRUE(is_derivative(difference_report(forces, exact, 1e-4 * cloth.model.mean_edge_length)));
    }
}

TEST(Jacobian, OfTheMembraneIsExactInBiaxialTension) {
    Material m = elastic_material(0.06, 0, 50);
    m.membrane = {50, 40, 5, 30};
    const SampleCloth cloth(make_grid(5, 4, 0.04, 0.03, Layout::right), m);
    State state = cloth.at_rest();
    for (Vec3d& p : state.x) p = {1.15 * p.x, 1.12 * p.y, 3 * p.x * p.y};
    state.x = shaken(state.x, 2e-4, 1);
    expect_exact_jacobian(cloth, state);
}

// More neighbours than a slot of Model::Incidence counts.
TEST(Jacobian, OfAFanOf300TrianglesIsExact) {
    TriMesh fan;
    fan.positions.push_back({});
    for (int i = 0; i < 300; ++i) {
        const double angle = 2 * std::acos(-1.0) * i / 300;
        fan.positions.push_back({0.02 * std::cos(angle), 0.02 * std::sin(angle), 0});
        fan.triangles.push_back({0, 1 + i, 1 + (i + 1) % 300});
    }
    const SampleCloth cloth(fan, elastic_material(0.06, 5e-6, 50),
                            {RestSource::mesh, RestAngles::flat, {1, 0, 0}});
    ASSERT_EQ(cloth.model.pattern.row_begin[1], 301);
    State state = cloth.at_rest();
    for (Vec3d& p : state.x) p *= 1.2;
    expect_exact_jacobian(cloth, state);
}

TEST(Jacobian, OfBendingIsExactWithoutStress) {
    Material m = elastic_material(0.06, 5e-6, 0);
    TriMesh mesh = make_grid(5, 4, 0.04, 0.03, Layout::alternating);
    mesh.positions = shaken(mesh.positions, 3e-3, 2);
    const SampleCloth cloth(mesh, m, {RestSource::mesh, RestAngles::mesh, {1, 0, 0}});
    expect_exact_jacobian(cloth, cloth.at_rest());
}

// Sticking friction adds to the tangent.
TEST(Jacobian, OfBendingIsExactWithoutStressWhereFrictionSticks) {
    Material m = *find_preset("cotton");
    m.membrane = {0, 0, 0, 0};
    TriMesh mesh = make_grid(5, 4, 0.04, 0.03, Layout::alternating);
    mesh.positions = shaken(mesh.positions, 3e-3, 2);
    const SampleCloth cloth(mesh, m, {RestSource::mesh, RestAngles::mesh, {1, 0, 0}});
    expect_exact_jacobian(cloth, cloth.at_rest());
}

TEST(Jacobian, IsSymmetricAndPositiveSemidefiniteInACrumpledCloth) {
    const SampleCloth cloth(make_grid(6, 5, 0.025, 0.02, Layout::alternating), all_laws_material(5e-3));
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    state.v = shaken(state.v, 1.0, 7);
    StepInput in;
    in.h = 0.005;
    in.stiffness_damping = 1e-3;
    Elements elements(cloth.model);
    const Threads one(1);
    for (int n = 0; n < 6; ++n) {
        ASSERT_TRUE(stepper->step(state, in).accepted);
        for (unsigned seed : {1u, 2u}) {
            elements.evaluate(one, state, shaken(state.x, 1e-3, seed),
                              {in.material_dt, in.stiffness_damping / in.h});
            const DenseSymmetric k = stiffness_matrix(cloth.model, elements);
            EXPECT_LT(k.asymmetry(), 1e-12 * k.norm());
            EXPECT_EQ(k.eigenvalues_below(-1e-12 * k.norm()), 0);
            EXPECT_GE(k.eigenvalues_below(1e-9 * k.norm()), 3) << "a free cloth can be moved without force";
        }
    }
    EXPECT_GT(elements.count(one, kSlipping), 20);
    EXPECT_GT(elements.count(one, kYielding), 5);
}

}  // namespace
}  // namespace rumple
