// Steps that are subdivided: when, and what is reported of the whole.
#include <gtest/gtest.h>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

// A stiff strip bent to an arc, clamped at one end or free, that is let go: it turns further in a long step
// than one linear solve can follow.
struct BentStrip {
    SampleCloth cloth{make_grid(33, 5, 0.32, 0.04, Layout::alternating), elastic_material(0.15, 1e-3, 500)};
    State state = cloth.at_rest();
    Held held{state.x, [](Vec3d p) { return p.x < -0.155; }};
    StepInput in;

    explicit BentStrip(double angle) {  // rad, from end to end
        const double radius = 0.32 / angle;
        for (Vec3d& p : state.x) {
            const double t = (p.x + 0.16) / radius;
            p = {-0.16 + radius * std::sin(t), p.y, radius * (1 - std::cos(t))};
        }
        for (std::size_t i = 0; i < held.vertices.size(); ++i)
            held.targets[i] = state.x[static_cast<std::size_t>(held.vertices[i])];
        in.h = in.material_dt = 0.04;
    }
    void clamp() { in.handles = held.handles(); }
    StepInput half() const {
        StepInput half = in;
        half.h = half.material_dt = 0.5 * in.h;
        return half;
    }
};

TEST(Substeps, ClothWithoutContactThatOvershootsIsSubdivided) {
    BentStrip strip(4);
    const auto stepper = make_stepper(strip.cloth.model, {.threads = 1});
    const double before = stepper->potential_energy(strip.state, strip.in);
    const StepReport report = stepper->step(strip.state, strip.in);
    ASSERT_TRUE(report.accepted);
    EXPECT_GT(report.contact.substeps, 1);
    EXPECT_EQ(report.retries, 0);  // nothing failed
    // all the energy there is; taken whole, the step ends with fifty times as much
    EXPECT_LT(report.potential_energy + report.kinetic_energy, before);
}

TEST(Substeps, ClothWithoutContactThatDoesNotOvershootIsNotSubdivided) {
    BentStrip strip(1);
    const auto stepper = make_stepper(strip.cloth.model, {.threads = 1});
    strip.clamp();
    strip.in.h = strip.in.material_dt = 0.01;
    for (int n = 0; n < 20; ++n) EXPECT_EQ(stepper->step(strip.state, strip.in).contact.substeps, 1) << n;
    // at rest, with velocities of rounding: a rise of the energy by rounding is no overshoot
    SampleCloth flat(make_grid(9, 9, 0.08, 0.08, Layout::alternating), elastic_material(0.15, 1e-5, 500));
    State state = flat.at_rest();
    state.v = shaken(state.v, 1e-12, 1);
    const auto still = make_stepper(flat.model, {.threads = 1});
    for (int n = 0; n < 5; ++n) EXPECT_EQ(still->step(state, {}).contact.substeps, 1) << n;
}

TEST(Substeps, ReactionsAreTheMeanOverTheStep) {
    BentStrip strip(1.5);
    strip.clamp();
    State whole = strip.state, halves = strip.state;
    const auto stepper = make_stepper(strip.cloth.model, {.threads = 1});
    const StepReport report = stepper->step(whole, strip.in);
    ASSERT_EQ(report.contact.substeps, 2);
    const std::vector<Vec3d> mean(stepper->reactions().begin(), stepper->reactions().end());

    std::vector<Vec3d> expected(mean.size());
    for (int k = 0; k < 2; ++k) {
        ASSERT_EQ(stepper->step(halves, strip.half()).contact.substeps, 1);
        for (std::size_t i = 0; i < mean.size(); ++i) expected[i] += 0.5 * stepper->reactions()[i];
    }
    EXPECT_EQ(whole.x, halves.x);
    EXPECT_EQ(mean, expected);
}

TEST(Substeps, AStepConvergesOnlyIfAllOfItsPartsDo) {
    BentStrip strip(1.5);
    strip.clamp();
    State whole = strip.state, halves = strip.state;
    const auto stepper =
        make_stepper(strip.cloth.model, {.threads = 1, .newton_iterations = 4, .newton_tolerance = 4e-4});
    const StepReport report = stepper->step(whole, strip.in);
    ASSERT_EQ(report.contact.substeps, 2);
    const bool first = stepper->step(halves, strip.half()).newton_converged;
    const bool second = stepper->step(halves, strip.half()).newton_converged;
    ASSERT_FALSE(first);
    ASSERT_TRUE(second);
    EXPECT_FALSE(report.newton_converged);
}

// The first half of the second step succeeds, and is undone when the other half fails.
TEST(Substeps, AStepThatFailsLeavesTheReactionsOfTheLastOne) {
    SampleCloth cloth(make_grid(5, 5, 0.04, 0.04, Layout::alternating), elastic_material(0.15, 1e-5, 500));
    State state = cloth.at_rest();
    const Held held(state.x, [](Vec3d p) { return std::abs(p.x) > 0.0199; });
    const auto stepper = make_stepper(cloth.model, {.threads = 1});
    StepInput in;
    const auto pull = [&](double by) {
        std::vector<Vec3d> targets = held.targets;
        for (Vec3d& t : targets)
            if (t.x > 0) t.x += by;
        in.handles = {held.vertices, targets, {}};
        return stepper->step(state, in);
    };
    ASSERT_TRUE(pull(0.001).accepted);
    const std::vector<Vec3d> before(stepper->reactions().begin(), stepper->reactions().end());
    EXPECT_GT(norm(before[0]), 0);
    const State untouched = state;
    const StepReport report = pull(5);
    EXPECT_FALSE(report.accepted);
    EXPECT_GT(report.contact.substeps, 0);
    EXPECT_EQ(state, untouched);
    EXPECT_TRUE(std::ranges::equal(stepper->reactions(), before));
}

TEST(Substeps, ObstacleMotionOfTheWrongSizeIsRefused) {
    ObstaclePart plate = obstacle_of(test::box({0.2, 0.2, 0.02}, {0, 0, -0.02}));
    plate.moves = true;
    ContactCloths cloths({make_grid(5, 5, 0.04, 0.04, Layout::alternating)}, Material{},
                         {plate, floor_part()});
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    const State untouched = state;
    const std::vector<Vec3d> all = cloths.given(), few(all.begin(), all.end() - 1);
    const std::vector<std::uint8_t> present{1, 1}, one{1};
    StepInput in;
    const auto refused = [&](ObstacleMotion motion, const char* word) {
        in.obstacles = motion;
        const StepReport report = stepper->step(state, in);
        EXPECT_FALSE(report.accepted);
        EXPECT_NE(report.failure.find(word), std::string::npos) << report.failure;
        EXPECT_EQ(state, untouched);
    };
    refused({few, all, {}, false}, "12 vertices");
    refused({all, few, {}, false}, "12 vertices");
    refused({all, {}, {}, false}, "12 vertices");
    refused({{}, all, {}, false}, "12 vertices");
    refused({all, all, one, false}, "2 obstacles");
    in.obstacles = {all, all, present, false};
    EXPECT_TRUE(stepper->step(state, in).accepted);
}

}  // namespace
}  // namespace rumple
