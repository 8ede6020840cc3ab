// Handles that go along with an obstacle.
#include <gtest/gtest.h>

#include <rumple/sim/run.hpp>

#include "sim/small_twist.hpp"

namespace rumple {
namespace {

// A sheet beside a ball that moves and turns; its edge is attached to the ball, at once or later.
nlohmann::json beside_a_ball() {
    return nlohmann::json::parse(R"({
        "rumple": 1, "name": "ball", "gravity": [0, 0, 0],
        "cloths": [{"name": "sheet", "mesh": {"generator": "grid", "nx": 5, "ny": 5, "width": 0.04, "height": 0.04},
                    "material": "cotton"}],
        "handles": [{"name": "edge", "select": {"box": {"min": [0.019, null, null]}}, "attach": "ball"}],
        "obstacles": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1, "centre": [0.15, 0, 0]}}],
        "phases": [
            {"name": "still", "duration": 0.02},
            {"name": "move", "duration": 0.1, "obstacles": {"ball":
                {"translate": [0, 0.02, 0.01], "rotate": {"axis": [1, 0, 0], "degrees": 20}}}},
            {"name": "stop", "duration": 0.02, "deactivate": ["ball"]}]
    })");
}

TEST(AttachedHandle, GoesWhereItsObstacleGoes) {
    const Scene scene = scene_of(beside_a_ball());
    Simulator sim(scene, 1);
    const std::vector<Vec3d> before = sim.sim_state().state.x;
    while (!sim.done()) sim.step();
    const Pose pose{rotation({1, 0, 0}, 20 * 3.14159265358979323846 / 180), {0, 0.02, 0.01}};
    for (int v : scene.handles[0].vertices) {
        const auto i = static_cast<std::size_t>(v);
        EXPECT_LT(norm(sim.sim_state().state.x[i] - pose.apply(before[i])), 1e-9) << v;
    }
}

TEST(AttachedHandle, TakenLaterItStartsFromThere) {
    nlohmann::json document = beside_a_ball();
    document["handles"][0]["from_start"] = false;
    document["phases"][2]["grab"] = {"edge"};
    document["phases"].push_back(
        {{"name", "on"}, {"duration", 0.05}, {"obstacles", {{"ball", {{"translate", {0, 0, 0.01}}}}}}});
    const Scene scene = scene_of(document);
    Simulator sim(scene, 1);
    const std::vector<Vec3d> before = sim.sim_state().state.x;
    while (!sim.done()) sim.step();
    for (int v : scene.handles[0].vertices) {
        const auto i = static_cast<std::size_t>(v);
        EXPECT_LT(norm(sim.sim_state().state.x[i] - before[i] - Vec3d{0, 0, 0.01}), 1e-9) << v;
    }
}

TEST(AttachedHandle, GoesOnFromAStateInTheMiddleBitForBit) {
    const Scene scene = scene_of(beside_a_ball());
    Simulator whole(scene, 1), second(scene, 1);
    SimState middle;
    while (!whole.done()) {
        if (whole.sim_state().phase == 1 && whole.sim_state().step_in_phase == 5) middle = whole.sim_state();
        whole.step();
    }
    second.restore(middle);
    while (!second.done()) second.step();
    EXPECT_EQ(whole.sim_state(), second.sim_state());
}

}  // namespace
}  // namespace rumple
