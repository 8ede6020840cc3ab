// A Scene that a caller puts together in C++, without a scene file, runs like any other.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/sim/run.hpp>

namespace rumple {
namespace {

Scene hanging_sheet() {
    Scene scene;
    scene.name = "by_hand";
    SceneCloth& cloth = scene.cloths.emplace_back();
    cloth.name = "sheet";
    cloth.mesh = make_grid(5, 5, 0.1, 0.1, Layout::right);
    cloth.reference = cloth.mesh.positions;
    cloth.rest = make_rest_shape(cloth.mesh, {}, "sheet");
    cloth.material = *find_preset("cotton");
    scene.handles = {{"corners", {20, 24}}};
    for (int steps : {3, 2}) {
        Phase& phase = scene.phases.emplace_back();
        phase.name = "hang" + std::to_string(steps);
        phase.steps = steps;
        phase.motions.resize(1);
    }
    return scene;
}

// Before, a run asked such a scene for hashes that it did not have, beyond the end of an empty list.
TEST(HandMadeScene, RunsAndVariantsShareTheirBeginning) {
    Scene shorter = hanging_sheet(), longer = hanging_sheet();
    longer.variant = "longer";
    longer.phases[1].steps = 4;
    struct Counter : RunObserver {
        void on_step(const StepReport&, const Simulator&) override { ++steps; }
        int steps = 0;
    } counter;
    const std::vector<Scene> scenes{shorter, longer};
    const auto results = run_scenes(scenes, {.out = {}, .threads = 1, .observer = &counter});
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].failure + results[1].failure, "");
    EXPECT_EQ(counter.steps, 3 + 2 + 4);
    EXPECT_EQ(results[0].last.state.step, 5);
    EXPECT_EQ(results[1].last.state.step, 7);
}

TEST(HandMadeScene, ThatDoesNotHoldTogetherIsRefused) {
    Scene scene = hanging_sheet();
    scene.phases[1].motions.clear();
    EXPECT_THROW(run_scenes(std::vector<Scene>{scene}, {.out = {}, .threads = 1}), InputError);
}

}  // namespace
}  // namespace rumple
