// Runs with contact from end to end: resumed in the middle of it, held for long, on bodies that move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <experiments/crumple_scene.hpp>
#include <experiments/pressed_strip.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>

#include "real_body.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

// A sheet falls on edge, folds up on the ground, is pressed by a plate and held.
nlohmann::json pressed_sheet(double hold = 500, int steps = 50) {
    auto document = nlohmann::json::parse(R"({
        "rumple": 1, "name": "pressed", "contact": {},
        "cloths": [{"name": "sheet", "material": {"preset": "cotton", "H_ref": 0.004},
                    "mesh": {"generator": "grid", "nx": 17, "ny": 17, "width": 0.12, "height": 0.12},
                    "place": {"rotate": {"axis": [1, 0, 0], "degrees": 87}, "translate": [0.01, 0.02, 0.07]},
                    "imperfection": {"amplitude": 1e-4}}],
        "obstacles": [
            {"name": "ground", "shape": {"kind": "plane"}},
            {"name": "plate", "shape": {"kind": "box", "size": [0.3, 0.3, 0.02], "centre": [0, 0, 0.07]},
             "present": false, "rigid_body": {"mass": 2, "slider": [0, 0, 1]}}],
        "phases": [{"name": "fall", "duration": 0.6}, {"name": "press", "duration": 1, "activate": ["plate"]},
                   {"name": "hold", "hold": 500, "steps": 50}]
    })");
    document["phases"][2]["hold"] = hold;
    document["phases"][2]["steps"] = steps;
    return document;
}

Scene scene_of(const nlohmann::json& document) {
    return std::move(build_variants({document, "contact_run", {}}).front());
}

// A narrow, stiff strip tips over under the plate, and springs open when it is let go: in both it turns by
// many edges in a step. Its energy may rise while the plate moves, never afterwards.
TEST(ContactRun, StiffStripSpringsOpenWithoutTearing) {
    auto document =
        pressed_strip_scene({.material = "polyester", .width = 0.001, .gap = 0.006, .edge = 5e-4});
    document["phases"][0]["duration"] = 0.5;
    document["phases"][1]["duration"] = 0.5;
    document["phases"][2]["duration"] = 0.1;
    document["phases"][3]["steps"] = 0;  // let go at once
    document["phases"][4]["duration"] = 0.2;
    const Scene scene = scene_of(document);  // brief
    Simulator sim(scene, 1);
    double energy = 0, folded = 0;
    while (!sim.done()) {
        const int phase = sim.sim_state().phase;
        const StepReport report = sim.step();
        const double now = report.potential_energy + report.kinetic_energy;
        if (phase >= 2) {
            ASSERT_LT(now, 1.5 * energy) << sim.sim_state().state.time;
        } else {
            folded = now;
        }
        energy = now;
    }
    EXPECT_LT(energy, 0.1 * folded);  // open again
}

TEST(ContactRun, GoesOnFromACheckpointInTheMiddleOfContact) {
    const Scene scene = scene_of(pressed_sheet());
    std::vector<std::string> checkpoints;
    SimState straight;
    {
        Simulator sim(scene, 1);
        for (int n = 0; n < 100; ++n) {
            if (n == 30 || n == 70 || n == 90)
                checkpoints.push_back(encode_checkpoint({scene_hash(scene), {}, sim.sim_state()}));
            sim.step();
        }
        straight = sim.sim_state();
    }
    EXPECT_FALSE(straight.state.contact.tangential_displacement.empty());
    EXPECT_LT(straight.state.rigid_bodies[0].position.z, -0.03);  // the weight has come down
    for (const std::string& bytes : checkpoints) {
        Simulator sim(scene, 2);
        sim.restore(decode_checkpoint(bytes, "checkpoint").sim);
        while (sim.sim_state().state.step < straight.state.step) sim.step();
        EXPECT_TRUE(sim.sim_state() == straight);
    }
}

// Cloth pressed by the weight, held for 500 s of material time, and for 1000 s: creases settle, the rest
// stays.
TEST(ContactRun, HeldUnderTheWeightItSettlesAndDoesNotDrift) {
    const Scene scene = scene_of(pressed_sheet());
    Simulator sim(scene, 1);
    while (sim.sim_state().phase < 2) sim.step();
    const SimState pressed = sim.sim_state();
    const auto held = [&](double seconds, int steps) {
        const Scene longer = scene_of(pressed_sheet(seconds, steps));
        Simulator hold(longer, 1);
        hold.restore(pressed);
        while (!hold.done()) hold.step();
        return hold.sim_state().state;
    };
    const State once = held(500, 50), twice = held(1000, 100);
    const auto moved = [](const State& a, const State& b) {
        std::vector<double> way;
        for (std::size_t v = 0; v < a.x.size(); ++v) way.push_back(norm(a.x[v] - b.x[v]));
        std::sort(way.begin(), way.end());
        return way;
    };
    const auto first = moved(pressed.state, once), second = moved(once, twice);
    RecordProperty("median_first", std::to_string(first[first.size() / 2]));
    RecordProperty("most_first", std::to_string(first.back()));
    RecordProperty("median_second", std::to_string(second[second.size() / 2]));
    RecordProperty("most_second", std::to_string(second.back()));
    EXPECT_LT(first[first.size() / 2], 1e-3);  // most vertices: less than a thickness
    EXPECT_LT(second.back(), 1e-3);            // the second half of a hold moves nothing
    EXPECT_LT(second[second.size() / 2], 1e-4);
}

// Crumpled cloth under a weight, held for 500 s of material time, and for 1000 s: creases deepen and settle,
// the rest stays.
TEST(ContactRun, CrumpledUnderTheWeightItsCreasesSettleAndTheRestStays) {
    const auto document = [](double seconds, int steps) {
        nlohmann::json scene = crumple_scene({.across = 31, .hold = seconds});
        scene.erase("variants");
        set_json(scene, "phases.hold.steps", steps);
        return scene;
    };
    const Scene scene = scene_of(document(500, 50));
    Simulator sim(scene, 0);
    while (sim.sim_state().phase < 3) sim.step();
    const SimState pressed = sim.sim_state();
    const auto held = [&](double seconds, int steps) {
        const Scene longer = scene_of(document(seconds, steps));
        Simulator hold(longer, 0);
        hold.restore(pressed);
        while (hold.sim_state().phase < 4) hold.step();
        return hold.sim_state().state;
    };
    const State once = held(500, 50), twice = held(1000, 100);
    const auto nine_tenths_moved = [](const State& a, const State& b) {
        std::vector<double> way;
        for (std::size_t v = 0; v < a.x.size(); ++v) way.push_back(norm(a.x[v] - b.x[v]));
        std::sort(way.begin(), way.end());
        return way[9 * way.size() / 10];
    };
    const auto plastic = [](const State& state) {  // mean angle, rad
        double sum = 0;
        for (const double p : state.bending.plastic) sum += std::abs(p);
        return sum / static_cast<double>(state.bending.size());
    };
    EXPECT_GT(plastic(once), 1.2 * plastic(pressed.state));
    EXPECT_LT(plastic(twice), 1.02 * plastic(once));
    EXPECT_LT(nine_tenths_moved(pressed.state, once), 0.1 * scene.contact.thickness);
    EXPECT_LT(nine_tenths_moved(once, twice), 0.1 * scene.contact.thickness);
}

// A tube of cloth around a limb of an animated body.
class BodyClip : public testing::TestWithParam<const char*> {};

TEST_P(BodyClip, RunsThroughWithATubeAroundALimb) {
    const std::string clip = GetParam();
    ScratchFolder folder;
    write_clip_cache(real_body(), clip, folder.path());
    auto document = nlohmann::json::parse(R"({
        "rumple": 1, "name": "limb", "contact": {},
        "cloths": [{"name": "tube", "material": "cotton",
                    "mesh": {"generator": "tube", "radius": 0.115, "height": 0.3, "around": 36, "up": 15},
                    "place": {"translate": [0.145, -0.02, 0.36]}}],
        "obstacles": [{"name": "body", "cache": {"file": "", "mesh": "", "start": 0.9}}],
        "phases": [{"name": "move", "duration": 1.8}]
    })");
    if (clip == "bend_arms") {
        document["cloths"][0]["mesh"] = {
            {"generator", "tube"}, {"radius", 0.06}, {"height", 0.3}, {"around", 24}, {"up", 19}};
        document["cloths"][0]["place"] = {{"rotate", {{"axis", {0, 1, 0}}, {"degrees", 90}}},
                                          {"translate", {0.36, -0.035, 1.413}}};
    }
    auto& cache = document["obstacles"][0]["cache"];
    cache["file"] = folder / (clip + ".pc2");
    cache["mesh"] = folder / (clip + "_rest.obj");
    const Scene scene = scene_of(document);
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0];
    Simulator sim(scene, 0);
    std::int64_t touching = 0, inside = 0, rolled_back = 0;
    while (!sim.done()) {
        const StepReport report = sim.step();  // throws where a number is not finite
        touching += report.contact.touching;
        inside += report.contact.inside;
        rolled_back += report.contact.rolled_back;
        for (const Vec3d& v : sim.sim_state().state.v) ASSERT_LT(norm(v), 50);
    }
    EXPECT_GT(touching, 1000);
    RecordProperty("inside", std::to_string(inside));
    RecordProperty("rolled_back", std::to_string(rolled_back));
}

INSTANTIATE_TEST_SUITE_P(All, BodyClip, testing::Values("sit", "lift_leg", "bend_arms"),
                         [](const auto& clip) { return std::string(clip.param); });

}  // namespace
}  // namespace rumple
