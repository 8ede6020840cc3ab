// Handles: exact ones reach their targets, springs approach them, and both say what they pull with.
#include <gtest/gtest.h>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

// A small tube with all laws on, held at both rims.
struct TwistedTube {
    static constexpr int kAround = 16, kUp = 9;
    SampleCloth cloth;
    std::vector<int> bottom, top, both;

    explicit TwistedTube(Material material)
        : cloth(make_tube(kAround, kUp, 0.02, 0.04, Layout::right), std::move(material)) {
        for (int i = 0; i < kAround; ++i) {
            bottom.push_back(i);
            top.push_back((kUp - 1) * kAround + i);
        }
        both = bottom;
        both.insert(both.end(), top.begin(), top.end());
    }
    std::vector<Vec3d> targets(double angle) const {
        std::vector<Vec3d> at;
        const Mat3d turn = rotation(Vec3d{0, 0, 1}, angle);
        for (int v : bottom) at.push_back(cloth.mesh.positions[static_cast<std::size_t>(v)]);
        for (int v : top) at.push_back(turn * cloth.mesh.positions[static_cast<std::size_t>(v)]);
        return at;
    }
};

TEST(ExactHandles, ReachTheirTargetsToTheLastBit) {
    for (int newton : {0, 5}) {
        const TwistedTube tube(all_laws_material(4e-3));
        StepperOptions options;
        options.newton_iterations = newton;
        const auto stepper = make_stepper(tube.cloth.model, options);
        State state = tube.cloth.at_rest();
        for (int n = 1; n <= 10; ++n) {
            const std::vector<Vec3d> targets = tube.targets(0.0371 * n);
            StepInput in;
            in.handles = {tube.both, targets, {}};
            ASSERT_TRUE(stepper->step(state, in).accepted);
            for (std::size_t i = 0; i < targets.size(); ++i)
                ASSERT_EQ(state.x[static_cast<std::size_t>(tube.both[i])], targets[i]) << "newton " << newton;
        }
    }
}

// x + (target - x) is not target where target is the smaller of the two.
TEST(ExactHandles, ReachFromFarAwayToTheLastBit) {
    const SampleCloth cloth(make_grid(6, 6, 0.03, 0.03, Layout::right), elastic_material(0.1, 1e-5, 50));
    const Held all(cloth.mesh.positions, [](Vec3d) { return true; });
    const std::vector<Vec3d> targets = shaken(all.targets, 1e-4, 1);
    for (int newton : {0, 1, 5}) {
        const auto stepper = make_stepper(cloth.model, direct_solver(newton));
        State state = make_state(cloth.model, shaken(all.targets, 1, 2));
        StepInput in;
        in.handles = {all.vertices, targets, {}};
        ASSERT_TRUE(stepper->step(state, in).accepted);
        EXPECT_EQ(state.x, targets);
    }
}

TEST(ExactHandles, TorqueOnTheTopBalancesTheBottomAtRest) {
    Material m = *find_preset("cotton");
    m.H_ref = 4e-3;
    const TwistedTube tube(m);
    const auto stepper = make_stepper(tube.cloth.model, direct_solver());
    State state = tube.cloth.at_rest();
    StepInput in;
    in.material_dt = 0;
    in.mass_damping = 20;
    for (int n = 1; n <= 20; ++n) {
        const std::vector<Vec3d> targets = tube.targets(-0.005 * n);
        in.handles = {tube.both, targets, {}};
        ASSERT_TRUE(stepper->step(state, in).accepted);
    }
    const std::vector<Vec3d> targets = tube.targets(-0.1);
    in.handles = {tube.both, targets, {}};
    ASSERT_GT(settle(*stepper, state, in, 1e-12, 4000), 0);
    const auto half = static_cast<std::size_t>(TwistedTube::kAround);
    const Wrench low = total_reaction(tube.bottom, stepper->reactions().first(half), state.x, {0, 0, 0});
    const Wrench high = total_reaction(tube.top, stepper->reactions().subspan(half), state.x, {0, 0, 0});
    EXPECT_LT(high.torque.z, -1e-5) << "the handle turns the cloth the way it was turned";
    EXPECT_NEAR(high.torque.z, -low.torque.z, 1e-6 * std::abs(high.torque.z));
    EXPECT_LT(norm(high.force + low.force), 1e-6 * norm(high.force));
    EXPECT_LT(norm(high.torque + low.torque), 1e-6 * norm(high.torque));
}

struct Pulled {
    std::vector<Vec3d> x;
    Vec3d reaction;
};
// A strip pulled at one end, held at the other; 0: by exact handles. At rest.
Pulled pull(double stiffness) {
    const SampleCloth cloth(make_grid(7, 3, 0.03, 0.01, Layout::alternating),
                            elastic_material(0.1, 1e-5, 50));
    const Held left(cloth.mesh.positions, [](Vec3d p) { return p.x < -0.0149; });
    const Held right(cloth.mesh.positions, [](Vec3d p) { return p.x > 0.0149; });
    std::vector<int> vertices = left.vertices;
    std::vector<Vec3d> targets = left.targets;
    std::vector<double> stiffnesses(vertices.size(), 0.0);
    for (std::size_t i = 0; i < right.vertices.size(); ++i) {
        vertices.push_back(right.vertices[i]);
        targets.push_back(right.targets[i] + Vec3d{1e-3, 0, 5e-4});
        stiffnesses.push_back(stiffness);
    }
    StepInput in;
    in.mass_damping = 5;
    in.handles = {vertices, targets, stiffnesses};
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    EXPECT_GT(settle(*stepper, state, in, 1e-13, 3000), 0);
    Pulled result{state.x, {}};
    for (std::size_t i = left.vertices.size(); i < vertices.size(); ++i) {
        const Vec3d r = stepper->reactions()[i];
        result.reaction += r;
        if (stiffness == 0) continue;
        const Vec3d spring = stiffness * (targets[i] - state.x[static_cast<std::size_t>(vertices[i])]);
        EXPECT_LT(norm(r - spring), 1e-12 * norm(spring));
    }
    return result;
}

TEST(SpringHandles, ConvergeToExactOnesAsTheyStiffen) {
    const Pulled exact = pull(0);
    const auto distance = [&](double stiffness) {
        const Pulled soft = pull(stiffness);
        std::vector<Vec3d> d;
        for (std::size_t v = 0; v < exact.x.size(); ++v) d.push_back(soft.x[v] - exact.x[v]);
        return largest_norm(d);
    };
    const double soft = distance(1e3), stiff = distance(1e4), stiffer = distance(1e5);
    EXPECT_NEAR(soft / stiff, 10, 0.5);
    EXPECT_NEAR(stiff / stiffer, 10, 0.1);
    EXPECT_LT(stiffer, 1e-5);
    EXPECT_LT(norm(pull(1e6).reaction - exact.reaction), 1e-3 * norm(exact.reaction));
}

TEST(ExactHandles, ReactionCountsTheInertiaOfTheVerticesTheyCarry) {
    // every vertex carried along with constant acceleration: the handles push with mass times acceleration
    const SampleCloth cloth(make_grid(4, 3, 0.03, 0.02, Layout::right), *find_preset("cotton"));
    const Held all(cloth.mesh.positions, [](Vec3d) { return true; });
    const auto stepper = make_stepper(cloth.model, direct_solver());
    State state = cloth.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    const Vec3d acceleration{2, -1, 0.5};
    for (int n = 1; n <= 3; ++n) {
        std::vector<Vec3d> targets = all.targets;
        for (Vec3d& t : targets) t += (in.h * in.h * n * (n + 1) / 2) * acceleration;
        in.handles = {all.vertices, targets, {}};
        ASSERT_TRUE(stepper->step(state, in).accepted);
        const Wrench w = total_reaction(all.vertices, stepper->reactions(), state.x, {0, 0, 0});
        const Vec3d expected = cloth.model.total_mass * (acceleration - in.gravity);
        EXPECT_LT(norm(w.force - expected), 1e-9 * norm(expected)) << "step " << n;
    }
}

}  // namespace
}  // namespace rumple
