#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/sim/frames.hpp>
#include <rumple/sim/simulator.hpp>

#include "scratch_folder.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

TEST(Simulator, WalksTheTimelineToItsEnd) {
    const Scene scene = scene_of(small_twist_document());
    Simulator sim(scene, 1);
    int steps = 0;
    for (; !sim.done(); ++steps) EXPECT_TRUE(sim.step().accepted);
    EXPECT_EQ(steps, 33);
    EXPECT_EQ(sim.sim_state().phase, 5);
    EXPECT_NEAR(sim.sim_state().state.time, 0.33, 1e-12);
    EXPECT_NEAR(sim.sim_state().state.material_time, 500.28, 1e-9);
    EXPECT_THROW(sim.step(), SimulationError);
}

TEST(Simulator, ExactHandlesStandWhereTheirMotionPutsThem) {
    const Scene scene = scene_of(small_twist_document());
    Simulator sim(scene, 1);
    for (int i = 0; i < 10; ++i) sim.step();
    const std::vector<int>& top = scene.handles[1].vertices;
    ASSERT_EQ(top.size(), 16u);
    for (int i : top) {
        const Vec3d from = scene.cloths[0].mesh.positions[static_cast<std::size_t>(i)];
        const Vec3d to = rotation(Vec3d{0, 0, -1}, 1.2) * from + Vec3d{0, 0, -0.01};
        EXPECT_NEAR(norm(sim.sim_state().state.x[static_cast<std::size_t>(i)] - to), 0, 1e-15);
    }
}

TEST(Simulator, HandleGrabbedLaterHoldsTheClothWhereItIsThen) {
    nlohmann::json document = small_twist_document();
    document["gravity"] = {0, 0, -9.81};
    document["handles"][0]["from_start"] = false;
    document["phases"] = nlohmann::json::parse(R"([
        {"name": "fall", "duration": 0.05, "release": ["top"]},
        {"name": "caught", "duration": 0.05, "grab": ["bottom"]}])");
    const Scene scene = scene_of(document);
    Simulator sim(scene, 1);
    for (int i = 0; i < 5; ++i) sim.step();
    const State fallen = sim.sim_state().state;
    EXPECT_LT(fallen.x[0].z, -0.01);
    EXPECT_EQ(norm(sim.reaction(0, {}).force), 0);
    while (!sim.done()) sim.step();
    for (int i : scene.handles[0].vertices) {
        const auto v = static_cast<std::size_t>(i);
        EXPECT_EQ(sim.sim_state().state.x[v], fallen.x[v]);
        EXPECT_EQ(sim.sim_state().grab_positions[0][v], fallen.x[v]);
    }
    EXPECT_GT(sim.reaction(0, {}).force.z, 0);
}

TEST(Simulator, ReactionsOfTheTwoHandlesBalanceWhenTheClothIsAtRest) {
    nlohmann::json document = small_twist_document();
    document["damping"] = {{"mass", 50.0}};
    document["phases"][1]["duration"] = 2.0;
    const Scene scene = scene_of(document);
    Simulator sim(scene, 1);
    while (sim.sim_state().phase < 2) sim.step();
    const Wrench bottom = sim.reaction(0, {}), top = sim.reaction(1, {});
    EXPECT_GT(std::abs(top.torque.z), 1e-4);
    EXPECT_NEAR(top.torque.z + bottom.torque.z, 0, 0.01 * std::abs(top.torque.z));
    EXPECT_NEAR(norm(top.force + bottom.force), 0, 0.01 * norm(top.force));
}

TEST(Simulator, RestoredStateGoesOnBitForBit) {
    const Scene scene = scene_of(small_twist_document());
    Simulator straight(scene, 1), other(scene, 1);
    for (int i = 0; i < 16; ++i) straight.step();
    const SimState middle = straight.sim_state();
    while (!straight.done()) straight.step();
    for (int i = 0; i < 3; ++i) other.step();  // its scratch memory has seen something else
    other.restore(middle);
    while (!other.done()) other.step();
    EXPECT_TRUE(other.sim_state() == straight.sim_state());
}

TEST(Simulator, SameBitsForAnyNumberOfThreads) {
    const Scene scene = scene_of(small_twist_document());
    Simulator one(scene, 1), two(scene, 2), three(scene, 3);
    for (Simulator* sim : {&one, &two, &three})
        while (!sim->done()) sim->step();
    EXPECT_TRUE(one.sim_state() == two.sim_state());
    EXPECT_TRUE(one.sim_state() == three.sim_state());
}

TEST(Simulator, FailedStepNamesItsPlaceAndLeavesTheLastGoodState) {
    Scene scene = scene_of(small_twist_document());
    scene.phases[3].motions[1].translate.z = std::numeric_limits<double>::infinity();
    Simulator sim(scene, 1);
    while (sim.sim_state().phase < 3) sim.step();
    const SimState before = sim.sim_state();
    expect_says(error_of<SimulationError>([&] { sim.step(); }),
                {"phase 'back'", "step 1 of 10", "time 0.18 s"});
    EXPECT_TRUE(sim.sim_state() == before);
}

TEST(Simulator, StateOfAnotherSceneIsRefused) {
    const Scene scene = scene_of(small_twist_document());
    nlohmann::json other = small_twist_document();
    other["cloths"][0]["mesh"]["up"] = 9;
    const Scene taller = scene_of(other);
    Simulator sim(scene, 1);
    EXPECT_THROW(sim.restore(Simulator(taller, 1).sim_state()), InputError);
}

TEST(Frames, AreEvenlySpacedAndEndWithTheLastState) {
    Scene scene;
    scene.output_rate = 30;
    scene.phases.resize(1);
    scene.phases[0].steps = 10;
    scene.phases[0].h = 0.01;
    EXPECT_EQ(frame_steps(scene), (std::vector<std::int64_t>{0, 3, 7, 10}));
    scene.phases[0].steps = 11;  // 0.11 s: the frame at 0.133 s shows the end
    EXPECT_EQ(frame_steps(scene), (std::vector<std::int64_t>{0, 3, 7, 10, 11}));
    scene.output_rate = 200;  // more frames than steps: some steps give two
    scene.phases[0].steps = 2;
    EXPECT_EQ(frame_steps(scene), (std::vector<std::int64_t>{0, 1, 1, 2, 2}));
}

TEST(Frames, RoundingMakesNoFrame) {
    Scene scene;
    scene.output_rate = 100;
    scene.phases.resize(3);
    for (Phase& phase : scene.phases) {
        phase.steps = 70;
        phase.h = 0.01;
    }
    const auto steps = frame_steps(scene);
    ASSERT_EQ(steps.size(), 211u);
    for (std::size_t f = 0; f < steps.size(); ++f) EXPECT_EQ(steps[f], static_cast<std::int64_t>(f));
}

}  // namespace
}  // namespace rumple
