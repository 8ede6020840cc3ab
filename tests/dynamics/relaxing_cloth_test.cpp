// Relaxation in a cloth: what its elements hold decays as the law says, each cloth by its own ladder.
#include <gtest/gtest.h>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kShare = 0.6;

double left_of_stress(const RelaxationTimes& times, double t) {
    double sum = 0;
    for (int i = 0; i < times.branches; ++i) sum += std::exp(-t / times.tau(i));
    return (1 - kShare) + kShare / times.branches * sum;
}

Material relaxing(bool membrane) {
    Material m = elastic_material(0.1, 1e-5, 50);
    (membrane ? m.tensile_relaxation : m.relaxation) = {.share = kShare, .tau_min = 0.5, .tau_max = 5e4};
    return m;
}

struct Cloths {
    std::vector<TriMesh> meshes;
    std::vector<RestShape> rests;
    std::vector<Material> materials;
    Model model;

    explicit Cloths(std::vector<Material> m) : materials(std::move(m)) {
        for (std::size_t i = 0; i < materials.size(); ++i) {
            meshes.push_back(make_grid(5, 5, 0.03, 0.03, Layout::alternating));
            rests.push_back(make_rest_shape(meshes.back(), {}, "sheet"));
        }
        std::vector<ClothPart> parts;
        for (std::size_t i = 0; i < materials.size(); ++i)
            parts.push_back({&meshes[i], &rests[i], &materials[i]});
        model = make_model(parts);
    }
};

// All vertices are moved at once by `shape`, without material time, and held there. Returns forces on them,
// as shares of those at the beginning, after `steps` steps of `dt`; one number a cloth.
std::vector<double> forces_left(const Cloths& cloths, double dt, int steps, Vec3d (*shape)(Vec3d)) {
    const Model& model = cloths.model;
    std::vector<Vec3d> x = model.initial;
    for (Vec3d& p : x) p = shape(p);
    std::vector<int> all(x.size());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    State state = make_state(model, model.initial);
    const auto stepper = make_stepper(model, {.threads = 2});
    StepInput in{.material_dt = 0, .handles = {all, x, {}}};
    const auto forces = [&] {
        const std::vector<Vec3d> f = stepper->internal_forces(state, StepInput{.material_dt = 0});
        std::vector<double> sums;
        for (std::size_t c = 0; c + 1 < model.parts.vertex_begin.size(); ++c) {
            double sum = 0;
            for (int v = model.parts.vertex_begin[c]; v < model.parts.vertex_begin[c + 1]; ++v)
                sum += norm(f[static_cast<std::size_t>(v)]);
            sums.push_back(sum);
        }
        return sums;
    };
    EXPECT_TRUE(stepper->step(state, in).accepted);
    std::vector<double> begin = forces();
    in.material_dt = dt;
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(stepper->step(state, in).accepted);
    std::vector<double> end = forces();
    for (std::size_t c = 0; c < end.size(); ++c) end[c] /= begin[c];
    return end;
}

Vec3d folded(Vec3d p) { return p.x > 1e-9 ? Vec3d{0.6 * p.x, p.y, 0.8 * p.x} : p; }  // not stretched
Vec3d stretched(Vec3d p) { return {1.02 * p.x + 0.01 * p.y, 0.99 * p.y, p.z}; }

TEST(RelaxingCloth, HeldFoldRelaxesAsTheLaw) {
    const Cloths cloths({relaxing(false)});
    ASSERT_EQ(cloths.model.bending_history.branches, 6);
    const RelaxationTimes times = cloths.materials[0].relaxation.times();
    for (const double dt : {0.01, 3.0, 3600.0})
        EXPECT_NEAR(forces_left(cloths, dt, 10, folded)[0], left_of_stress(times, 10 * dt), 1e-9) << dt;
}

TEST(RelaxingCloth, StretchedSheetRelaxesAsTheLaw) {
    const Cloths cloths({relaxing(true)});
    ASSERT_EQ(cloths.model.membrane_history.branches, 6);
    const RelaxationTimes times = cloths.materials[0].tensile_relaxation.times();
    for (const double dt : {0.01, 3.0, 3600.0})
        EXPECT_NEAR(forces_left(cloths, dt, 10, stretched)[0], left_of_stress(times, 10 * dt), 1e-9) << dt;
}

TEST(RelaxingCloth, EachClothHasItsOwnLadder) {
    Material shorter = relaxing(false);
    shorter.relaxation.tau_max = 0.5;
    const Cloths cloths({relaxing(false), elastic_material(0.1, 1e-5, 50), shorter});
    const std::vector<double> left = forces_left(cloths, 2, 5, folded);
    EXPECT_NEAR(left[0], left_of_stress(cloths.materials[0].relaxation.times(), 10), 1e-9);
    EXPECT_NEAR(left[1], 1, 1e-12);
    EXPECT_NEAR(left[2], left_of_stress({1, 0.5, 0.5}, 10), 1e-9);
}

// A branch that is not finite is found and named; a state with other branches is refused.
TEST(RelaxingCloth, BadBranchesAreRefused) {
    const Cloths cloths({relaxing(false)});
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = make_state(cloths.model, cloths.model.initial);
    state.bending.branch[3 * state.bending.size() + 2] = std::nan("");
    const std::string failure = stepper->step(state, {}).failure;
    EXPECT_NE(failure.find("hinge 2 "), std::string::npos) << failure;
    EXPECT_NE(failure.find("relaxation: the branch strain is not a finite number"), std::string::npos)
        << failure;
    state = make_state(cloths.model, cloths.model.initial);
    state.bending.branch.resize(5 * state.bending.size());
    EXPECT_EQ(stepper->step(state, {}).failure, "the state does not belong to the model");
}

}  // namespace
}  // namespace rumple
