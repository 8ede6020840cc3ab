// Scenes that begin where another run ended, and cloth that forgets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/forget.hpp>
#include <rumple/sim/run_scene.hpp>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Friction, plasticity and relaxation, of bending and of the membrane.
json remembering_twist() {
    json document = small_twist_document();
    document["cloths"][0]["material"] = {{"preset", "cotton-relaxing"},
                                         {"plasticity", {{"eps_Y0", 0.3}}},
                                         {"tensile_relaxation", {{"share", 0.3}}},
                                         {"tensile_friction", json::object()}};
    return document;
}

json twist_phases(std::size_t begin, std::size_t end) {
    json document = remembering_twist();
    json some = json::array();
    for (std::size_t i = begin; i < end; ++i) some.push_back(document["phases"][i]);
    document["phases"] = some;
    return document;
}

RunResult run_into(const json& document, const fs::path& folder) {
    return run(scene_of(document), {.out = folder, .threads = 1}).run;
}

TEST(From, ContinuesAsIfTheRunHadNotEnded) {
    ScratchFolder folder;
    const RunResult whole = run_into(remembering_twist(), folder / "whole");
    run_into(twist_phases(0, 3), folder / "yesterday");
    json today = twist_phases(3, 5);
    today["from"] = (folder / "yesterday").string();
    const RunResult rest = run_into(today, folder / "today");
    // Handles were grabbed elsewhere; turning back by the same angle ends at the same places up to rounding.
    for (std::size_t v = 0; v < whole.last.state.x.size(); ++v)
        EXPECT_NEAR(norm(whole.last.state.x[v] - rest.last.state.x[v]), 0, 1e-6);
    EXPECT_NEAR(rest.at_end[0].measures.bending_content, whole.at_end[0].measures.bending_content,
                1e-3 * whole.at_end[0].measures.bending_content);
    EXPECT_EQ(rest.last.state.step, 15);
    EXPECT_NEAR(rest.last.state.time, 0.15, 1e-12);
}

// The clock of friction runs on from where yesterday left it. After a moment the hold of today decides what
// stays. After 1,000 s the threshold is grown: 99 s more change next to nothing, and not a bit where no hinge
// can reach the threshold.
TEST(From, AHoldContinuesTheClockOfYesterday) {
    ScratchFolder folder;
    const auto held = [&](double eps_inf, double yesterday, double today) {
        json first = small_twist_document();
        first["cloths"][0]["material"] = {{"preset", "cotton"}, {"friction", {{"eps_inf", eps_inf}}}};
        json second = first;
        first["phases"].erase(first["phases"].begin() + 3, first["phases"].end());
        first["phases"][2]["hold"] = yesterday;
        const fs::path from = folder / fmt::format("{}-{}", eps_inf, yesterday);
        if (!fs::exists(from)) run_into(first, from);
        second["from"] = from.string();
        second["phases"].erase(second["phases"].begin(), second["phases"].begin() + 2);
        second["phases"][0]["hold"] = today;
        return rumple::run(scene_of(second), {.out = {}, .threads = 1}).run.last.state;
    };
    const auto largest = [](const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); };
    const auto moved = [](const State& a, const State& b) {
        double most = 0;
        for (std::size_t v = 0; v < a.x.size(); ++v) most = std::max(most, norm(a.x[v] - b.x[v]));
        return most;
    };
    EXPECT_GT(moved(held(1.7, 1, 1), held(1.7, 1, 100)), 1e-3);  // m, of a tube of 4 cm
    EXPECT_LT(moved(held(1.7, 1000, 1), held(1.7, 1000, 100)), 1e-6);
    const State day = held(10, 1000, 1), days = held(10, 1000, 100);
    EXPECT_EQ(day.x, days.x);
    EXPECT_NEAR(largest(day.bending.stick_time), 1001, 1);
    EXPECT_NEAR(largest(days.bending.stick_time), 1100, 1);
}

TEST(From, BeginsWithTheStateOfThatRun) {
    ScratchFolder folder;
    const RunResult yesterday = run_into(remembering_twist(), folder / "yesterday");
    json today = remembering_twist();
    today["from"] = (folder / "yesterday").string();
    const Scene scene = scene_of(today);
    const Simulator sim(scene, 1);
    const State &now = sim.sim_state().state, &then = yesterday.last.state;
    EXPECT_EQ(now.x, then.x);
    EXPECT_EQ(now.v, then.v);
    EXPECT_EQ(now.bending, then.bending);
    EXPECT_EQ(now.membrane, then.membrane);
    EXPECT_EQ(now.step, 0);
    EXPECT_EQ(now.time, 0);
    EXPECT_EQ(sim.sim_state().grab_positions[1][0],
              then.x[static_cast<std::size_t>(scene.handles[1].vertices[0])]);

    today["from"] = {{"run", (folder / "yesterday").string()}, {"positions", false}};
    const Scene placed = scene_of(today);
    const Simulator again(placed, 1);
    EXPECT_EQ(again.sim_state().state.x, placed.cloths[0].mesh.positions);
    EXPECT_EQ(again.sim_state().state.bending, then.bending);
}

TEST(From, IsPartOfTheHashByItsContent) {
    ScratchFolder folder;
    run_into(remembering_twist(), folder / "a");
    run_into(remembering_twist(), folder / "b");
    json other = remembering_twist();
    other["phases"][2]["hold"] = 400;
    run_into(other, folder / "c");
    json today = remembering_twist();
    const auto hash = [&](const json& from) {
        today["from"] = from;
        return scene_hash(scene_of(today));
    };
    const std::string a = hash((folder / "a").string());
    EXPECT_NE(a, scene_hash(scene_of(remembering_twist())));
    EXPECT_EQ(hash((folder / "b").string()), a);  // another folder, the same content
    EXPECT_NE(hash((folder / "c").string()), a);
    EXPECT_NE(hash({{"run", (folder / "a").string()}, {"positions", false}}), a);
}

TEST(From, ResumesToTheByte) {
    ScratchFolder folder;
    run_into(remembering_twist(), folder / "yesterday");
    json today = remembering_twist();
    today["from"] = (folder / "yesterday").string();
    run_into(today, folder / "once");
    const Scene scene = scene_of(today);
    Simulator sim(scene, 2);
    for (int i = 0; i < 11; ++i) sim.step();
    Simulator other(scene, 1);
    other.restore(sim.sim_state());
    while (!other.done()) other.step();
    const Checkpoint last = read_checkpoint(folder / "once/checkpoint/latest");
    EXPECT_EQ(other.sim_state(), last.sim);
}

std::string refusal(json document, const std::string& from) {
    document["from"] = from;
    try {
        scene_of(document);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(From, WhatDoesNotFitIsRefused) {
    ScratchFolder folder;
    const std::string run = (folder / "yesterday").string();
    run_into(remembering_twist(), run);
    EXPECT_EQ(refusal(remembering_twist(), run), "");
    json finer = remembering_twist();
    finer["cloths"][0]["mesh"]["around"] = 18;
    EXPECT_EQ(
        refusal(finer, run),
        "small_twist.json: from: \"tube\" of that run has another mesh or rest shape than \"tube\" here (128 "
        "and 144 vertices); start from a run of the same mesh, numbered alike");
    json larger = remembering_twist();
    larger["cloths"][0]["mesh"]["radius"] = 0.0201;
    EXPECT_NE(refusal(larger, run).find("another mesh or rest shape"), std::string::npos);
    json elastic = remembering_twist();
    elastic["cloths"][0]["material"]["plasticity"] = {{"law", "none"}};
    EXPECT_NE(refusal(elastic, run).find("has other laws"), std::string::npos);
    json slower = remembering_twist();
    slower["cloths"][0]["material"]["relaxation"]["tau_max"] = 1e5;
    EXPECT_NE(refusal(slower, run).find("of 8 branches"), std::string::npos);
    json stiffer = remembering_twist();  // values may differ, and so may the place
    stiffer["cloths"][0]["material"]["bending"] = 7e-6;
    stiffer["cloths"][0]["place"] = {{"translate", {1, 2, 0}}};
    EXPECT_EQ(refusal(stiffer, run), "");
    json two = remembering_twist();
    two["cloths"].push_back(two["cloths"][0]);
    two["cloths"][1]["name"] = "other";
    for (json& handle : two["handles"]) handle["cloth"] = "tube";
    EXPECT_NE(refusal(two, run).find("has 1 cloths, this scene 2"), std::string::npos);
}

TEST(From, WhatIsNoEndedRunIsRefused) {
    ScratchFolder folder;
    EXPECT_NE(refusal(remembering_twist(), (folder / "nothing").string()).find("there is no folder"),
              std::string::npos);
    fs::create_directories(folder / "empty");
    EXPECT_NE(
        refusal(remembering_twist(), (folder / "empty").string()).find("has no checkpoint; give the folder"),
        std::string::npos);
    json variants = remembering_twist();
    variants["variants"] = {{{"name", "brief"}, {"set", {{"phases.hold.steps", 0}}}}, {{"name", "held"}}};
    run_scenes(scenes_of(variants), {.out = folder / "both", .threads = 1});
    EXPECT_NE(refusal(remembering_twist(), (folder / "both").string()).find("give one of them: brief, held"),
              std::string::npos);
    EXPECT_EQ(refusal(remembering_twist(), (folder / "both/held").string()), "");
    fs::remove(folder / "both/held/summary.json");
    EXPECT_NE(refusal(remembering_twist(), (folder / "both/held").string()).find("has not reached its end"),
              std::string::npos);
}

TEST(Forget, ScalesTheMemoryOfTheSelectionAlone) {
    ScratchFolder folder;
    const Scene scene = scene_of(remembering_twist());
    Simulator sim(scene, 1);
    while (!sim.done()) sim.step();
    const State before = sim.sim_state().state;
    State state = before;
    std::vector<int> half;
    for (int v = 0; v < 64; ++v) half.push_back(v);
    forget(sim.model(), {half, 0.5, 0.25, 0}, state);
    EXPECT_EQ(state.x, before.x);
    int scaled = 0;
    for (std::size_t i = 0; i < state.bending.size(); ++i) {
        const auto& hinge = sim.model().hinges[i];
        const ComponentHistory<double> a = before.bending.get(i), b = state.bending.get(i);
        EXPECT_EQ(b.strain, a.strain);
        const bool inside = hinge[0] < 64 && hinge[1] < 64;
        scaled += inside ? 1 : 0;
        const double friction = inside ? 0.5 : 1, plasticity = inside ? 0.25 : 1, relaxation = inside ? 0 : 1;
        EXPECT_NEAR(b.friction.anchor - b.strain, friction * (a.friction.anchor - a.strain), 1e-15);
        EXPECT_EQ(b.friction.stick_time, friction * a.friction.stick_time);
        EXPECT_EQ(b.plasticity.plastic, plasticity * a.plasticity.plastic);
        EXPECT_EQ(b.plasticity.accumulated, plasticity * a.plasticity.accumulated);
        for (std::size_t k = i; k < state.bending.branch.size(); k += state.bending.size())
            EXPECT_EQ(state.bending.branch[k], relaxation * before.bending.branch[k]);
    }
    EXPECT_GT(scaled, 50);
    EXPECT_LT(scaled, int(state.bending.size()));
    EXPECT_NE(state.membrane, before.membrane);
    State same = before;
    forget(sim.model(), {half, 1, 1, 1}, same);
    EXPECT_EQ(same, before);
}

// A released crease that forgets all is flat again but for what friction holds; one that does not stays.
TEST(Forget, InAPhaseLetsWrinklesGo) {
    const auto content = [](const json& forget) {
        json document = small_twist_document();
        document["phases"][4]["duration"] = 0.3;
        document["phases"][4]["release"] = {"top"};
        if (!forget.is_null()) document["phases"][4]["forget"] = forget;
        return run(scene_of(document)).cloths[0].measures.bending_content;
    };
    const double kept = content(nullptr);
    const double gone = content({{{"friction", 0}, {"plasticity", 0}}});
    const double half = content(
        {{{"select", {{"box", {{"min", {nullptr, nullptr, 0.025}}}}}}, {"friction", 0}, {"plasticity", 0}}});
    EXPECT_LT(gone, 0.7 * kept);
    EXPECT_LT(gone, half);
    EXPECT_LT(half, kept);
    EXPECT_EQ(content({{{"friction", 1}}}), kept);
}

TEST(Forget, IsPartOfTheHash) {
    json document = remembering_twist();
    const std::string without = scene_hash(scene_of(document));
    document["phases"][4]["forget"] = {{{"friction", 0.5}}};
    const std::string with = scene_hash(scene_of(document));
    EXPECT_NE(with, without);
    document["phases"][4]["forget"] = {{{"friction", 0.6}}};
    EXPECT_NE(scene_hash(scene_of(document)), with);
    document["phases"][4]["forget"] = {{{"friction", 0.5}, {"cloth", "tub"}}};
    try {
        scene_of(document);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("phases[4].forget[0].cloth"), std::string::npos);
    }
}

}  // namespace
}  // namespace rumple
