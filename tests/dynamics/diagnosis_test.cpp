// Faults put into a cloth on purpose: the step refuses, says which vertex, which element and which law, and
// is tried with smaller steps first, where those can help.
#include <gtest/gtest.h>

#include <limits>
#include <rumple/dynamics/diagnosis.hpp>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Fault : public testing::Test {
  protected:
    SampleCloth cloth_{make_grid(6, 5, 0.025, 0.02, Layout::alternating), all_laws_material(5e-3)};
    Held held_{cloth_.mesh.positions, [](Vec3d p) { return p.x < -0.0124; }};
    State state_ = cloth_.at_rest();
    StepInput in_;

    void SetUp() override {
        in_.gravity = {0, 0, -9.81};
        in_.handles = held_.handles();
    }
    // Refused with all of `parts`, and the state is as it was.
    void expect_refused(std::initializer_list<const char*> parts, int vertex = -1) {
        const auto stepper = make_stepper(cloth_.model);
        const State before = state_;
        const StepReport report = stepper->step(state_, in_);
        EXPECT_FALSE(report.accepted);
        for (const char* part : parts)
            EXPECT_NE(report.failure.find(part), std::string::npos)
                << "'" << part << "' not in: " << report.failure;
        EXPECT_EQ(report.failure.find('\n'), std::string::npos);
        EXPECT_TRUE(vertex < 0 || report.fault_vertex == vertex) << report.failure;
        EXPECT_EQ(before.step, state_.step);
        EXPECT_EQ(before.time, state_.time);
        for (std::size_t v = 0; v < state_.x.size(); ++v)
            EXPECT_TRUE(state_.x[v] == before.x[v] || std::isnan(before.x[v].z));
    }
};

TEST_F(Fault, InAVertexNamesTheVertex) {
    state_.x[17].z = kNan;
    expect_refused({"the place of vertex 17 is not a finite number"}, 17);
    state_ = cloth_.at_rest();
    state_.v[11].x = kNan;
    expect_refused({"the velocity of vertex 11 is not a finite number"}, 11);
}

TEST_F(Fault, InAHistoryNamesTheHingeAndItsLaw) {
    const auto [a, b, c, d] = cloth_.model.hinges[20];
    const std::string hinge =
        "hinge 20 (vertices " + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c);
    state_.bending.anchor[20] = kNan;
    expect_refused({hinge.c_str(), "bending, friction: the anchor is not a finite number"}, a);
    state_ = cloth_.at_rest();
    state_.bending.plastic[20] = kNan;
    expect_refused({hinge.c_str(), "bending, plasticity: the plastic strain"}, a);
    state_ = cloth_.at_rest();
    state_.membrane.accumulated[3 * 7 + 1] = kNan;
    expect_refused({"triangle 7 (vertices", "stretching in weft, plasticity: the accumulated strain"});
}

TEST_F(Fault, InALawNamesTheElementAndTheLaw) {
    const Model whole = cloth_.model;
    cloth_.model.bending_laws[0].plasticity.k = kNan;
    expect_refused({"hinge 0 (vertices", "bending, elasticity", "its stress is not a finite number"});
    cloth_.model = whole;
    cloth_.model.bending_laws[0].friction.k = kNan;
    expect_refused({"hinge 0 (vertices", "bending, friction"});
    cloth_.model = whole;
    cloth_.model.membrane_laws[0].component[2].plasticity.k = kNan;
    expect_refused({"triangle 0 (vertices", "stretching in shear, elasticity"});
    cloth_.model = whole;
    cloth_.model.mass[9] = kNan;
    expect_refused({"the mass of vertex 9"}, 9);
}

TEST_F(Fault, InWhatTheSceneGivesIsNamed) {
    in_.gravity.z = kNan;
    expect_refused({"gravity is not a finite number"});
    in_.gravity.z = -9.81;
    in_.mass_damping = kNan;
    expect_refused({"the damping is not a finite number"});
}

TEST_F(Fault, ClothThatFliesOffIsRefused) {
    in_.handles = {};
    for (Vec3d& v : state_.v) v.x = 2 * kFastest;
    expect_refused({"vertex 0 would fly off at 2e+04 m/s", "steps down to 0.000625 s were tried"}, 0);
}

TEST_F(Fault, ClothPulledBeyondAllMeasureIsRefused) {
    Held both(cloth_.mesh.positions, [](Vec3d p) { return std::abs(p.x) > 0.0124; });
    for (Vec3d& target : both.targets) target.x *= 1000;
    in_.handles = both.handles();
    expect_refused({"triangle", "would be stretched to", "times its length in warp", "StVK",
                    "steps down to 0.000625 s were tried"});
}

// A cloth that spins: in one long step every vertex would go straight on, along the tangent, and the cloth be
// ripped apart; in short ones it is held together.
TEST_F(Fault, StepThatIsTooLongSucceedsInSmallerOnesAndSaysSo) {
    for (std::size_t v = 0; v < state_.x.size(); ++v) state_.v[v] = cross(Vec3d{0, 0, 15000}, state_.x[v]);
    in_.handles = {};
    in_.gravity = {};
    in_.h = 0.01;
    const auto stepper = make_stepper(cloth_.model);
    const StepReport report = stepper->step(state_, in_);
    EXPECT_TRUE(report.accepted) << report.failure;
    EXPECT_GT(report.retries, 0);
    EXPECT_GT(report.contact.substeps, 1);
    EXPECT_NE(report.retry_reason.find("would"), std::string::npos) << report.retry_reason;
    EXPECT_EQ(state_.step, 1);
    EXPECT_NEAR(state_.time, 0.01, 1e-15);
}

TEST_F(Fault, NoneInAHealthyCloth) {
    EXPECT_EQ(find_fault(cloth_.model, state_, in_, state_.x).what, "");
    const std::vector<std::uint8_t> free(state_.x.size());
    EXPECT_EQ(absurd_result(cloth_.model, state_, in_, state_.x, free).what, "");
    const auto stepper = make_stepper(cloth_.model);
    for (int n = 0; n < 20; ++n) EXPECT_EQ(stepper->step(state_, in_).retries, 0);
}

}  // namespace
}  // namespace rumple
