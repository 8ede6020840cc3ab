// The scenes of contact at small size: after every step nothing intersects, judged by CGAL.
#include <gtest/gtest.h>

#include <experiments/contact_scenes.hpp>
#include <experiments/crumple_scene.hpp>
#include <rumple/sim/run.hpp>

#include "cgal_crossings.hpp"

namespace rumple {
namespace {

// Counts after each step; stops at the first that is not clean.
class Judge : public RunObserver {
  public:
    void on_step(const StepReport& report, const Simulator& simulator) override {
        auto& sim = const_cast<Simulator&>(simulator);  // positions of obstacles are computed, not changed
        std::vector<Vec3d> x = sim.sim_state().state.x;
        std::vector<std::array<int, 3>> triangles = sim.model().triangles;
        const std::size_t cloth = triangles.size();
        const std::vector<Vec3d> obstacles = sim.obstacle_positions();
        const ObstacleTimeline timeline(sim.scene());
        const SimState& now = sim.sim_state();  // a phase that has just ended is still that of the step
        const int phase = now.step_in_phase > 0 ? now.phase : now.phase - 1;
        int first = static_cast<int>(x.size());
        for (std::size_t o = 0; o < sim.scene().obstacles.size(); ++o) {
            const TriMesh& mesh = sim.scene().obstacles[o].mesh;
            if (timeline.present(phase)[o])
                for (const auto& t : mesh.triangles)
                    triangles.push_back({first + t[0], first + t[1], first + t[2]});
            first += static_cast<int>(mesh.positions.size());
        }
        x.insert(x.end(), obstacles.begin(), obstacles.end());
        const test::CgalCrossings found = test::cgal_crossings(x, triangles, cloth);
        EXPECT_EQ(found.cloth, 0) << "step " << sim.sim_state().state.step;
        EXPECT_EQ(found.obstacles, 0) << "step " << sim.sim_state().state.step;
        touching += report.contact.touching;
        rolled_back += report.contact.rolled_back;
        ++steps;
    }
    std::int64_t touching = 0, rolled_back = 0, steps = 0;
};

struct SmallScene {
    std::string name;
    std::vector<std::pair<std::string, std::string>> set;
};

class ContactScenes : public testing::TestWithParam<SmallScene> {};

TEST_P(ContactScenes, CrossNothingAfterAnyStep) {
    nlohmann::json document;
    if (GetParam().name == "crumple") document = crumple_scene();
    for (const ContactScene& scene : contact_scenes())
        if (scene.name == GetParam().name) document = scene.scene();
    ASSERT_FALSE(document.empty());
    for (const auto& [path, value] : GetParam().set) set_value(document, path, value);
    document.erase("variants");
    const std::vector<Scene> scenes = build_variants({document, GetParam().name, {}});
    Judge judge;
    RunOptions options;
    options.threads = 1;
    options.observer = &judge;
    const std::vector<RunResult> results = run_scenes(scenes, options);
    EXPECT_EQ(results[0].failure, "");
    EXPECT_GT(judge.steps, 50);
    EXPECT_GT(judge.touching, 1000);
    RecordProperty("rolled_back", std::to_string(judge.rolled_back));
}

INSTANTIATE_TEST_SUITE_P(All, ContactScenes,
                         testing::Values(SmallScene{"sphere",
                                                    {{"cloths.cloth.mesh.nx", "23"},
                                                     {"cloths.cloth.mesh.ny", "23"},
                                                     {"phases.settle.duration", "0.2"}}},
                                         SmallScene{"fall",
                                                    {{"cloths.cloth.mesh.nx", "23"},
                                                     {"cloths.cloth.mesh.ny", "23"},
                                                     {"phases.settle.duration", "0"}}},
                                         SmallScene{"wring",
                                                    {{"cloths.sheet.mesh.nx", "13"},
                                                     {"cloths.sheet.mesh.ny", "31"},
                                                     {"phases.wring.duration", "2"},
                                                     {"phases.rest.duration", "0.2"}}},
                                         SmallScene{"crumple",
                                                    {{"cloths.sheet.mesh.nx", "17"},
                                                     {"cloths.sheet.mesh.ny", "17"},
                                                     {"phases.push.duration", "0.8"},
                                                     {"phases.drop.duration", "0.3"},
                                                     {"phases.weight.duration", "0.6"},
                                                     {"phases.hold.steps", "10"},
                                                     {"phases.lift.duration", "0.8"},
                                                     {"phases.hang.duration", "0"}}},
                                         SmallScene{"sleeve",
                                                    {{"cloths.sleeve.mesh.around", "28"},
                                                     {"cloths.sleeve.mesh.up", "22"},
                                                     {"phases.push.duration", "0.6"},
                                                     {"phases.rest.duration", "0"},
                                                     {"phases.hold.steps", "10"},
                                                     {"phases.back.duration", "0.4"},
                                                     {"phases.settle.duration", "0"}}}),
                         [](const auto& scene) { return scene.param.name; });

// A ball thrown at 10 m/s at a cloth that hangs by its upper side, and an obstacle that saws through the air
// under a falling cloth by several thicknesses a step.
TEST(ContactScenes, FastObstaclesCrossNothing) {
    const auto document = nlohmann::json::parse(R"({
        "rumple": 1, "name": "thrown", "contact": {},
        "cloths": [{"name": "sheet", "material": "cotton",
                    "mesh": {"generator": "grid", "nx": 21, "ny": 21, "width": 0.3, "height": 0.3},
                    "place": {"rotate": {"axis": [1, 0, 0], "degrees": 90}, "translate": [0, 0, 0.2]}}],
        "handles": [{"name": "top", "select": {"ring": "top"}}],
        "obstacles": [
            {"name": "ball", "shape": {"kind": "sphere", "radius": 0.04, "centre": [0.01, -0.06, 0.19]}},
            {"name": "saw", "shape": {"kind": "box", "size": [0.1, 0.02, 0.04], "centre": [0, -0.1, 0.07]}}],
        "phases": [
            {"name": "throw", "duration": 0.02, "obstacles": {"ball": {"translate": [0, 0.2, 0]}}},
            {"name": "back", "duration": 0.1, "obstacles": {"ball": {"translate": [0, -0.15, 0]}}},
            {"name": "saw", "duration": 0.5, "obstacles": {"saw": {"keyframes": [
                {"time": 0.1, "translate": [0, 0.1, 0]}, {"time": 0.2, "translate": [0.1, 0.12, 0.02]},
                {"time": 0.3, "translate": [-0.1, 0.14, 0.03]}, {"time": 0.5, "translate": [0, -0.1, 0]}]}}}]
    })");
    const std::vector<Scene> scenes = build_variants({document, "thrown", {}});
    Judge judge;
    RunOptions options;
    options.threads = 1;
    options.observer = &judge;
    EXPECT_EQ(run_scenes(scenes, options)[0].failure, "");
    EXPECT_GT(judge.touching, 200);
}

}  // namespace
}  // namespace rumple
