// Evaluating changes nothing, and neither does a step that fails: State stays as it was, to the last bit.
#include <gtest/gtest.h>

#include <limits>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// A cloth with a history, hanging from one side.
class FailedStep : public testing::Test {
  protected:
    SampleCloth cloth_{make_grid(6, 5, 0.025, 0.02, Layout::alternating), all_laws_material(5e-3)};
    Held held_{cloth_.mesh.positions, [](Vec3d p) { return p.x < -0.0124; }};
    State state_ = cloth_.at_rest();
    StepInput in_;

    void SetUp() override {
        in_.gravity = {0, 0, -9.81};
        in_.handles = held_.handles();
        const auto stepper = make_stepper(cloth_.model);
        state_.v = shaken(state_.v, 0.5, 5);
        for (int n = 0; n < 5; ++n) ASSERT_TRUE(stepper->step(state_, in_).accepted);
    }

    static bool same_bits(const State& a, const State& b) {  // NaN equals itself here
        const auto bits = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
        const auto vectors = [&](const std::vector<Vec3d>& s, const std::vector<Vec3d>& t) {
            return std::equal(s.begin(), s.end(), t.begin(), t.end(), [&](Vec3d p, Vec3d q) {
                return bits(p.x, q.x) && bits(p.y, q.y) && bits(p.z, q.z);
            });
        };
        return vectors(a.x, b.x) && vectors(a.v, b.v) && a.membrane == b.membrane && a.step == b.step &&
               a.time == b.time && a.material_time == b.material_time &&
               std::equal(a.bending.anchor.begin(), a.bending.anchor.end(), b.bending.anchor.begin(),
                          b.bending.anchor.end(), bits) &&
               a.bending.plastic == b.bending.plastic && a.bending.strain == b.bending.strain &&
               a.bending.stick_time == b.bending.stick_time && a.bending.clock == b.bending.clock;
    }

    // With every way to solve: the step is refused with a reason and the state is untouched.
    void expect_refused(const StepInput& in) {
        for (SolverChoice solver : {SolverChoice::automatic, SolverChoice::direct})
            for (int newton : {0, 5}) {
                StepperOptions options;
                options.solver = solver;
                options.newton_iterations = newton;
                const auto stepper = make_stepper(cloth_.model, options);
                const State before = state_;
                const StepReport report = stepper->step(state_, in);
                EXPECT_FALSE(report.accepted);
                EXPECT_FALSE(report.failure.empty());
                EXPECT_TRUE(same_bits(state_, before));
            }
    }
};

TEST_F(FailedStep, EvaluatingIsNotCommitting) {
    const auto stepper = make_stepper(cloth_.model);
    const State before = state_;
    const double energy = stepper->potential_energy(state_, in_);
    const std::vector<Vec3d> forces = stepper->internal_forces(state_, in_);
    EXPECT_EQ(state_, before);
    EXPECT_EQ(stepper->potential_energy(state_, in_), energy);
    EXPECT_EQ(stepper->internal_forces(state_, in_), forces);
}

TEST_F(FailedStep, NaNOrInfiniteTargetNamesItsVertex) {
    std::vector<Vec3d> targets = held_.targets;
    for (double bad : {kNan, kInf}) {
        targets[2].y = bad;
        in_.handles = {held_.vertices, targets, {}};
        expect_refused(in_);
        const std::string failure = make_stepper(cloth_.model)->step(state_, in_).failure;
        EXPECT_NE(failure.find(std::to_string(held_.vertices[2])), std::string::npos) << failure;
    }
}

TEST_F(FailedStep, NaNInPositions) {
    state_.x[17].z = kNan;
    expect_refused(in_);
}

TEST_F(FailedStep, NaNInPositionOfAHeldVertex) {
    state_.x[static_cast<std::size_t>(held_.vertices[0])].x = kNan;
    expect_refused(in_);
}

TEST_F(FailedStep, NaNInVelocities) {
    state_.v[17].x = kNan;
    expect_refused(in_);
}

TEST_F(FailedStep, NaNInHistory) {
    state_.bending.anchor[20] = kNan;
    expect_refused(in_);
}

TEST_F(FailedStep, NaNInGravity) {
    in_.gravity.z = kNan;
    expect_refused(in_);
}

TEST_F(FailedStep, UnusableTimes) {
    for (double bad : {0.0, -0.01, kNan, kInf}) {
        StepInput in = in_;
        in.h = bad;
        expect_refused(in);
        if (bad == 0.0) continue;  // no material time passes: allowed
        in = in_;
        in.material_dt = bad;
        expect_refused(in);
    }
}

TEST_F(FailedStep, StateOfAnotherModel) {
    const SampleCloth other(make_grid(5, 5, 0.02, 0.02, Layout::alternating), all_laws_material(5e-3));
    state_ = other.at_rest();
    in_.handles = {};
    expect_refused(in_);
}

TEST_F(FailedStep, StateWithoutTheModelsHistory) {
    const State whole = state_;
    state_.membrane.resize(0, cloth_.model.membrane_history);
    expect_refused(in_);
    state_ = whole;
    state_.bending.resize(3, cloth_.model.bending_history);
    expect_refused(in_);
    state_ = whole;
    state_.v.pop_back();
    expect_refused(in_);
}

TEST_F(FailedStep, HandlesThatDoNotFit) {
    const std::vector<Vec3d> few(held_.targets.begin(), held_.targets.end() - 1);
    in_.handles = {held_.vertices, few, {}};
    expect_refused(in_);

    const std::vector<double> stiffness(held_.vertices.size() - 1, 100.0);
    in_.handles = {held_.vertices, held_.targets, stiffness};
    expect_refused(in_);

    std::vector<double> bad(held_.vertices.size(), 100.0);
    for (double k : {-1.0, kNan, kInf}) {
        bad[1] = k;
        in_.handles = {held_.vertices, held_.targets, bad};
        expect_refused(in_);
    }

    std::vector<int> vertices = held_.vertices;
    for (int v : {-1, cloth_.model.vertex_count()}) {
        vertices[1] = v;
        in_.handles = {vertices, held_.targets, {}};
        expect_refused(in_);
    }
}

TEST_F(FailedStep, GoodStepsAfterItAreAsIfItHadNotBeen) {
    const auto disturbed = make_stepper(cloth_.model);
    const auto calm = make_stepper(cloth_.model);
    State other = state_;
    StepInput bad = in_;
    bad.gravity.x = kNan;
    EXPECT_FALSE(disturbed->step(state_, bad).accepted);
    for (int n = 0; n < 5; ++n) {
        ASSERT_TRUE(disturbed->step(state_, in_).accepted);
        ASSERT_TRUE(calm->step(other, in_).accepted);
    }
    EXPECT_EQ(state_, other);
}

}  // namespace
}  // namespace rumple
