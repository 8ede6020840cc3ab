#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>
#include <rumple/core/error.hpp>

#include "bench_laws.hpp"
#include "bench_twist.hpp"
#include "machine.hpp"

namespace rumple {
namespace {

const TwistSize kSmall{"small", 24, 10};

TEST(TwistCase, TurnsTheTopRingClockwiseAndLowersIt) {
    const TwistOptions options;
    TwistCase twist(options);
    EXPECT_EQ(twist.model().vertex_count(), 1792);
    EXPECT_EQ(twist.twist_steps(), 100);
    EXPECT_EQ(twist.step_count(), 290);
    const std::vector<Vec3d>& initial = twist.model().initial;
    const StepInput input = twist.input(99);
    ASSERT_EQ(input.handles.vertices.size(), 128u);
    EXPECT_EQ(input.handles.targets[0], initial[0]);
    // the first vertex of the top ring stands on +X: a quarter turn clockwise takes it to -Y
    EXPECT_EQ(input.handles.vertices[64], 27 * 64);
    EXPECT_NEAR(norm(input.handles.targets[64] - Vec3d{0, -0.04, 0.09}), 0, 1e-15);
    const StepInput back = twist.input(289);
    EXPECT_NEAR(norm(back.handles.targets[64] - Vec3d{0.04, 0, 0.11}), 0, 1e-15);
}

TEST(TwistCase, ImperfectionIsRadialSmallSeededAndSparesTheRings) {
    TwistCase one({.size = kSmall, .seed = 1}), again({.size = kSmall, .seed = 1}),
        two({.size = kSmall, .seed = 2});
    EXPECT_EQ(one.model().initial, again.model().initial);
    EXPECT_NE(one.model().initial, two.model().initial);
    double largest = 0;
    for (std::size_t v = 0; v < one.model().initial.size(); ++v) {
        const Vec3d x = one.model().initial[v];
        const double off = std::abs(std::hypot(x.x, x.y) - 0.04);
        largest = std::max(largest, off);
        const bool held = v < 24 || v >= 9 * 24;
        EXPECT_LT(off, held ? 1e-15 : 2e-5) << "vertex " << v;
    }
    EXPECT_GT(largest, 1.9e-5);
}

TEST(TwistCase, HoldAddsFiftyStepsOfMaterialTime) {
    TwistCase twist({.size = kSmall, .hold = true});
    EXPECT_EQ(twist.step_count(), 340);
    EXPECT_EQ(twist.input(139).material_dt, 0.01);
    EXPECT_EQ(twist.input(140).material_dt, 10);
    EXPECT_EQ(twist.input(189).material_dt, 10);
    EXPECT_EQ(twist.input(190).material_dt, 0.01);
    EXPECT_EQ(twist.input(140).h, 0.01);
}

TEST(TwistCase, UnknownSizeAndClothAreRefused) {
    EXPECT_THROW(twist_size("3K"), InputError);
    EXPECT_THROW(TwistCase({.size = kSmall, .cloth = "silk"}), InputError);
}

TEST(TwistCase, StatesAreSpreadOverTheBuckledPart) {
    TwistCase twist({.size = kSmall});
    const std::vector<TwistState> states = buckled_states(twist, 3, 1);
    ASSERT_EQ(states.size(), 3u);
    EXPECT_EQ(states.front().step, 60);
    EXPECT_EQ(states.back().step, 99);
    for (const TwistState& s : states) EXPECT_EQ(s.state.step, s.step);
}

TEST(Samples, MedianAndQuartiles) {
    Samples s;
    EXPECT_EQ(s.median(), 0);
    for (double v : {5.0, 1.0, 4.0, 2.0, 3.0}) s.add(v);
    EXPECT_EQ(s.median(), 3);
    EXPECT_EQ(s.quantile(0.25), 2);
    s.add(6);
    EXPECT_EQ(s.median(), 3.5);
    EXPECT_EQ(s.max(), 6);
}

TEST(BenchTwist, ReportsRatiosErrorsAndParts) {
    const TwistBenchResult result = bench_twist(kSmall, {.threads = 1, .states = 2});
    EXPECT_EQ(result.steps, (std::vector<int>{60, 99}));
    EXPECT_EQ(result.ours.seconds.count(), 6u);  // three a state
    EXPECT_LE(result.ours.error.max(), kErrorBound);
    EXPECT_LT(result.textbook.error.max(), 1e-9);
    EXPECT_GT(result.textbook_equal_error.error.max(), result.textbook.error.max());
    EXPECT_LT(result.textbook_equal_error.iterations.median(), result.textbook.iterations.median());

    const nlohmann::json json = to_json(result);
    ASSERT_EQ(json["peers"].size(), 2u);
    EXPECT_EQ(json["peers"][0]["name"], "textbook");
    EXPECT_NEAR(json["peers"][0]["ratio"].get<double>(),
                json["peers"][0]["seconds_per_solve"]["median"].get<double>() /
                    json["rumple"]["seconds_per_solve"]["median"].get<double>(),
                1e-12);
    for (const char* part : {"evaluate", "assemble", "solve", "advance"})
        EXPECT_GT(json["rumple"]["seconds_by_part"][part].get<double>(), 0) << part;
    EXPECT_NE(to_table({result}).find("textbook at equal error"), std::string::npos);
}

TEST(BenchLaws, TakesTheSameNumberOfSolvesWithAndWithout) {
    const LawsBenchResult result = bench_laws(kSmall, {.threads = 1, .states = 2, .repeats = 2});
    EXPECT_EQ(result.on.seconds.count(), 4u);
    EXPECT_EQ(result.off.seconds.count(), 4u);
    EXPECT_EQ(result.on.solves_per_step.max(), 1);
    EXPECT_EQ(result.off.solves_per_step.max(), 1);
    EXPECT_EQ(result.relaxing.seconds.count(), 4u);
    EXPECT_EQ(result.relaxing.solves_per_step.max(), 1);
    EXPECT_TRUE(to_json(result).contains("cost_percent"));
    EXPECT_TRUE(to_json(result).contains("relaxation_cost_percent"));
}

TEST(Machine, SaysWhatItIs) {
    const Machine machine = describe_machine();
    EXPECT_FALSE(machine.cpu.empty());
    EXPECT_GE(machine.cores, 1);
    EXPECT_FALSE(to_line(machine).empty());
}

}  // namespace
}  // namespace rumple
