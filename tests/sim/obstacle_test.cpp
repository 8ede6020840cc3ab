// Obstacles on their way through a run: positions, presence, weights, output, checkpoints.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>
#include <set>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"
#include "sim/stop_after.hpp"

namespace rumple {
namespace {

// A sheet far from a ball that moves, a box that stands and a weight that comes and goes: nothing touches.
nlohmann::json far_document() {
    return nlohmann::json::parse(R"({
        "rumple": 1, "name": "far", "gravity": [0, 0, 0], "output": {"rate": 100},
        "cloths": [{"name": "sheet", "mesh": {"generator": "grid", "nx": 5, "ny": 5, "width": 0.04, "height": 0.04},
                    "material": "cotton"}],
        "obstacles": [
            {"name": "ball", "shape": {"kind": "sphere", "radius": 0.1, "centre": [3, 0, 0]}},
            {"name": "block", "shape": {"kind": "box", "size": [1, 1, 1], "centre": [9, 0, 0]}},
            {"name": "weight", "shape": {"kind": "box", "size": [1, 1, 1], "centre": [-9, 0, 0]},
             "rigid_body": {"mass": 1}, "present": false}],
        "phases": [
            {"name": "still", "duration": 0.02},
            {"name": "move", "duration": 0.05, "activate": ["weight"], "obstacles": {"ball": {"translate": [0, 1, 0]}}},
            {"name": "end", "duration": 0.02, "deactivate": ["block"]}]
    })");
}

double ball_y(Simulator& sim) {
    const std::size_t vertices = sim.scene().obstacles[0].mesh.positions.size();
    double low = 1e9, high = -1e9;
    const std::vector<Vec3d> all = sim.obstacle_positions();
    for (std::size_t i = 0; i < vertices; ++i) low = std::min(low, all[i].y), high = std::max(high, all[i].y);
    return (low + high) / 2;
}

TEST(ObstacleRun, SimulatorKnowsWhereObstaclesAre) {
    const Scene scene = scene_of(far_document());
    Simulator sim(scene, 1);
    EXPECT_TRUE(sim.model().contact.enabled);
    ASSERT_EQ(sim.model().contact.obstacles.size(), 3u);
    EXPECT_TRUE(sim.model().contact.obstacles[0].moves);
    EXPECT_FALSE(sim.model().contact.obstacles[1].moves);
    EXPECT_EQ(sim.model().contact.obstacles[2].mass, 1);
    ASSERT_EQ(sim.sim_state().state.rigid_bodies.size(), 1u);
    const double expected[] = {0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1};
    for (const double y : expected) {
        sim.step();
        EXPECT_NEAR(ball_y(sim), y, 1e-12);
    }
    EXPECT_TRUE(sim.done());
}

TEST(ObstacleRun, WeightStartsAtRestInItsPlaceWhenItAppears) {
    const Scene scene = scene_of(far_document());
    Simulator sim(scene, 1);
    sim.step();
    sim.step();
    SimState state = sim.sim_state();
    state.state.rigid_bodies[0].position = {1, 2, 3};
    state.state.rigid_bodies[0].velocity = {4, 5, 6};
    sim.restore(state);
    EXPECT_EQ(sim.obstacle_positions().back(), (Vec3d{-8.5 + 1, 0.5 + 2, 0.5 + 3}));
    sim.step();
    EXPECT_EQ(norm(sim.sim_state().state.rigid_bodies[0].position), 0);  // no gravity: it stays there
}

TEST(ObstacleRun, StateOfAnotherSceneIsRefused) {
    nlohmann::json without = far_document();
    without["obstacles"][2].erase("rigid_body");
    const Scene scene = scene_of(far_document()), other = scene_of(without);
    Simulator sim(scene, 1);
    EXPECT_THROW(sim.restore(Simulator(other, 1).sim_state()), InputError);
    SimState damaged = sim.sim_state();
    damaged.state.contact.kind.push_back(1);
    EXPECT_THROW(sim.restore(damaged), InputError);
}

TEST(ObstacleRun, WritesCachesOfWhatMovesAndMeshesOfWhatStands) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(far_document());
    RunOptions options;
    options.out = folder / "out";
    options.threads = 1;
    const auto results = run_scenes(scenes, options);
    ASSERT_EQ(results[0].failure, "");
    std::set<std::string> names;
    for (const auto& [name, bytes] : contents_of(folder / "out")) names.insert(name);
    EXPECT_EQ(names,
              (std::set<std::string>{"cache/ball.obj", "cache/ball.pc2", "cache/block.obj", "cache/sheet.obj",
                                     "cache/sheet.pc2", "cache/weight.obj", "cache/weight.pc2",
                                     "checkpoint/latest", "final/sheet.obj", "metrics.csv", "summary.json"}));
    const PointCacheReader ball(folder / "out/cache/ball.pc2");
    ASSERT_EQ(ball.frame_count(), 10u);
    const Vec3d start = scenes[0].obstacles[0].mesh.positions[0];
    EXPECT_NEAR(ball.read_frame(2)[0].y, start.y, 1e-6);
    EXPECT_NEAR(ball.read_frame(4)[0].y, start.y + 0.4, 1e-6);
    EXPECT_NEAR(ball.read_frame(9)[0].y, start.y + 1, 1e-6);
    EXPECT_EQ(read_obj(folder / "out/cache/block.obj").positions, scenes[0].obstacles[1].mesh.positions);

    const auto summary = nlohmann::json::parse(results[0].summary);
    ASSERT_EQ(summary["obstacles"].size(), 3u);
    EXPECT_EQ(summary["obstacles"][1]["present"], (std::vector<std::string>{"still", "move"}));
    EXPECT_EQ(summary["obstacles"][2]["present"], (std::vector<std::string>{"move", "end"}));
    EXPECT_EQ(summary["obstacles"][2]["mass"], 1);
    EXPECT_EQ(summary["contact"]["rolled_back"], 0);
    EXPECT_EQ(summary["contact"]["trouble"], nlohmann::json::array());
    const std::string metrics = slurp(folder / "out/metrics.csv");
    EXPECT_NE(metrics.find(",contact_pairs,contact_touching,contact_inside"), std::string::npos);
}

TEST(ObstacleRun, ScenesWithoutContactSayNothingOfIt) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(small_twist_document());
    RunOptions options;
    options.out = folder / "out";
    EXPECT_EQ(run_scenes(scenes, options)[0].summary.find("contact"), std::string::npos);
    EXPECT_EQ(slurp(folder / "out/metrics.csv").find("contact"), std::string::npos);
}

TEST(ObstacleRun, StoppedAnywhereAndResumedGivesTheSameFiles) {
    ScratchFolder folder;
    const std::vector<Scene> scenes = scenes_of(far_document());
    RunOptions options;
    options.threads = 1;
    options.checkpoint_seconds = 0;
    options.out = folder / "straight";
    run_scenes(scenes, options);
    for (int stop : {1, 2, 4, 8}) {
        StopAfter observer(stop);
        options.out = folder / ("stop" + std::to_string(stop));
        options.observer = &observer;
        EXPECT_THROW(run_scenes(scenes, options), Interrupted);
        options.observer = nullptr;
        options.resume = true;
        run_scenes(scenes, options);
        options.resume = false;
        expect_same_files(folder / "straight", options.out);
    }
}

TEST(ObstacleRun, VariantsThatDifferInAWeightShareWhatComesBefore) {
    ScratchFolder folder;
    nlohmann::json document = far_document();
    document["variants"] = {{{"name", "light"}},
                            {{"name", "heavy"}, {"set", {{"obstacles.weight.weight.mass", 9}}}}};
    const std::vector<Scene> scenes = scenes_of(document);
    EXPECT_EQ(scene_hashes(scenes[0]).phases[0], scene_hashes(scenes[1]).phases[0]);
    EXPECT_NE(scene_hashes(scenes[0]).phases[1], scene_hashes(scenes[1]).phases[1]);
    RunOptions options;
    options.threads = 1;
    options.out = folder / "together";
    run_scenes(scenes, options);
    options.out = folder / "alone";
    for (std::size_t i = 0; i < 2; ++i) run_scenes(std::span(scenes).subspan(i, 1), options);
    expect_same_files(folder / "together", folder / "alone");
}

TEST(ContactRecord, CountsTroubleByFrame) {
    RunRecord record;
    StepReport quiet, pinched, cut;
    quiet.contact.pairs = 7;
    quiet.contact.closest = 5e-4;
    pinched.contact = {
        .pairs = 3, .touching = 2, .rolled_back = 4, .inside = 1, .deepest = 2e-3, .closest = 1e-4};
    cut.contact.substeps = 3;
    record.add(quiet);
    record.frames = 2;
    record.add(pinched);
    record.add(pinched);
    record.add(cut);
    record.frames = 5;
    record.add(cut);
    ASSERT_EQ(record.trouble.size(), 2u);
    EXPECT_EQ(record.trouble[0], (ContactTrouble{2, 8, 1, 3, 2e-3}));
    EXPECT_EQ(record.trouble[1], (ContactTrouble{5, 0, 0, 3, 0}));
    const ContactCounts& counts = record.counts.contact;
    EXPECT_EQ(counts.rolled_back, 8);
    EXPECT_EQ(counts.inside, 2);
    EXPECT_EQ(counts.substeps, 4);
    EXPECT_EQ(counts.max_pairs, 7);
    EXPECT_EQ(counts.closest, 1e-4);
    EXPECT_EQ(record.counts.steps, 5);
}

TEST(ContactCheckpoint, KeepsMemoryWeightsAndTrouble) {
    const Scene scene = scene_of(far_document());
    Simulator sim(scene, 1);
    for (int i = 0; i < 4; ++i) sim.step();
    Checkpoint before{scene_hash(scene), {}, sim.sim_state()};
    State& state = before.sim.state;
    state.contact = {{0, 1}, {5, 6}, {7, 8}, {{1, 2, 3}, {0.1, -0.0, 5e-324}}, {}};
    state.rigid_bodies[0].position = {1, 2, 3};
    state.rigid_bodies[0].rotation = rotation(Vec3d{0, 0, 1}, 0.3);
    state.rigid_bodies[0].velocity = {4, 5, 6};
    state.rigid_bodies[0].spin = {7, 8, 9};
    before.record.counts.contact = {1, 2, 3, 4, 5, 6, 0.5, 0.25};
    before.record.trouble = {{3, 1, 0, 2, 0.125}, {4, 0, 9, 1, 0.5}};
    const std::string bytes = encode_checkpoint(before);
    const Checkpoint after = decode_checkpoint(bytes, "x");
    EXPECT_TRUE(after == before);
    EXPECT_TRUE(encode_checkpoint(after) == bytes);
    const auto changes_bytes = [&](auto&& change) {
        Checkpoint changed = before;
        change(changed);
        EXPECT_TRUE(encode_checkpoint(changed) != bytes);
    };
    changes_bytes([](Checkpoint& c) { c.sim.state.contact.tangential_displacement[1].z = 0; });
    changes_bytes([](Checkpoint& c) { c.sim.state.rigid_bodies[0].rotation.m[8] = 2; });
    changes_bytes([](Checkpoint& c) { c.sim.state.rigid_bodies[0].spin.x = 2; });
    changes_bytes([](Checkpoint& c) { c.record.trouble[1].inside = 2; });
    changes_bytes([](Checkpoint& c) { c.record.counts.contact.closest = 2; });
    state.contact.b.pop_back();
    expect_says(error_of<InputError>([&] { decode_checkpoint(encode_checkpoint(before), "latest"); }),
                {"latest", "damaged"});
}

TEST(ContactCheckpoint, VersionOneIsRefusedAsSuch) {
    const Scene scene = scene_of(far_document());
    std::string bytes = encode_checkpoint({scene_hash(scene), {}, Simulator(scene, 1).sim_state()});
    bytes[8] = 1;
    expect_says(
        error_of<InputError>([&] { decode_checkpoint(bytes, "latest"); }),
        {"version 1", ("reads version " + std::to_string(kCheckpointVersion)).c_str(), "start the run anew"});
}

}  // namespace
}  // namespace rumple
