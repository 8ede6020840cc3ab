// Recoveries: hours of material time after release, in steps that grow and end at rest.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/io/csv_table.hpp>
#include <rumple/scene/scene_builder.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/run_scene.hpp>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"
#include "sim/stop_after.hpp"

namespace rumple {
namespace {

// The material of docs/theory/relaxation.md: share 0.6, 0.1 s to 10^6 s, friction with k_f/k = 2 and a
// constant threshold of 0.05.
Material relaxing_hinge_material() {
    Material m;
    m.metric = StrainMetric::angle;
    m.plastic = false;
    m.friction = {.k = 2 * m.bending, .eps_0 = 0.05, .eps_inf = 0.05, .tau = 30, .d_c = 0.05};
    m.relaxation = {.share = 0.6, .tau_min = 0.1, .tau_max = 1e6};
    return m;
}

// Two triangles. Three vertices stand; the fourth folds the hinge by 1 rad in 1 s, holds it, and is let go.
double strain_left(double hold, double recover, int steps) {
    TriMesh mesh;
    mesh.positions = {{0, 0, 0}, {0, 0.01, 0}, {0.01, 0.005, 0}, {-0.01, 0.005, 0}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
    HandleMotion fold;
    fold.axis = {0, 1, 0};
    fold.angle = -1;
    const Scene scene = SceneBuilder("hinge")
                            .gravity({})
                            .cloth("hinge", mesh, relaxing_hinge_material(), {.rest = {.warp = {1, 0, 0}}})
                            .handle("stand", vertex_ids({0, 1, 3}))
                            .handle("tip", vertex_ids({2}))
                            .phase("fold", {.duration = 1, .motions = {{"tip", fold}}})
                            .phase("hold", {.hold = hold})
                            .phase("night", {.recover = recover, .steps = steps, .release = {"tip"}})
                            .build();
    const RunResult result = std::move(run_scenes({&scene, 1}, {.out = {}, .threads = 1}).front());
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.counts.not_at_rest, 0);
    EXPECT_NEAR(result.last.state.material_time, 1 + hold + recover, 1e-9 * (hold + recover));
    return std::abs(result.last.state.bending.strain[0]);
}

// The table of one hinge without inertia (docs/theory/relaxation.md).
TEST(Recover, HingeRecoversAsTheTableOfOneHingeSays) {
    for (const auto& [recover, left] :
         {std::pair{1.0, 0.333}, {10.0, 0.271}, {60.0, 0.219}, {300.0, 0.178}, {1800.0, 0.169}}) {
        const double few = strain_left(300, recover, 10), many = strain_left(300, recover, 50);
        EXPECT_NEAR(few, left, 0.01 * left) << recover;
        EXPECT_NEAR(many, left, 0.005 * left) << recover;
        EXPECT_NEAR(few, many, 0.02 * many) << recover;
    }
    EXPECT_NEAR(strain_left(1e4, 1, 20), 0.461, 0.005);
}

TEST(Recover, StepsGrowGeometricallyAndFillTheTime) {
    const PhaseRecovery night{28800, 0.01};
    double sum = 0;
    for (int i = 0; i < 20; ++i) sum += night.material_dt(i, 20);
    EXPECT_NEAR(sum, 28800, 1e-6);
    const double ratio = std::pow(1 + 28800 / 0.01, 1 / 20.0);
    for (int i = 1; i < 20; ++i)
        EXPECT_NEAR(night.material_dt(i, 20) / night.material_dt(i - 1, 20), ratio, 1e-9 * ratio);
    EXPECT_EQ(night.material_dt(0, 1), 28800);
}

nlohmann::json crumpled_night(int steps) {
    nlohmann::json document = small_twist_document();
    document["cloths"][0]["material"] = "cotton-relaxing";
    document["damping"] = {{"mass", 2}, {"stiffness", 1e-3}};
    document["phases"].push_back(
        {{"name", "night"}, {"recover", 28800}, {"steps", steps}, {"release", {"top"}}});
    return document;
}

TEST(Recover, TenAndFiftyStepsAgree) {
    const auto content = [](int steps) {
        const SceneResult result = run(scene_of(crumpled_night(steps)));
        EXPECT_EQ(result.run.counts.not_at_rest, 0);
        return result.cloths[0].measures.bending_content;
    };
    const double few = content(10), many = content(50);
    EXPECT_NEAR(few, many, 0.02 * many);
}

TEST(Recover, MetricsHaveARowForEachStep) {
    ScratchFolder folder;
    run(scene_of(crumpled_night(8)), {.out = folder / "out", .threads = 1});
    const CsvTable table = read_csv(folder / "out/metrics.csv");
    const auto phase = table.text("phase");
    const std::vector<double> time = table.numbers("material_time"),
                              content = table.numbers("bending_content");
    std::vector<double> passed, left;
    for (std::size_t i = 0; i < phase.size(); ++i)
        if (phase[i] == "night") {
            passed.push_back(time[i]);
            left.push_back(content[i]);
        }
    ASSERT_EQ(passed.size(), 8u);
    EXPECT_NEAR(passed.back(), time.front() + 500.28 + 28800, 1e-6);
    for (std::size_t i = 2; i < passed.size(); ++i)
        EXPECT_NEAR((passed[i] - passed[i - 1]) / (passed[i - 1] - passed[i - 2]),
                    std::pow(1 + 28800 / 0.01, 1 / 8.0), 1e-6);
    EXPECT_LT(left.back(), left.front());
}

TEST(Recover, ResumesInsideTheNightToTheByte) {
    ScratchFolder folder;
    const Scene scene = scene_of(crumpled_night(6));
    run(scene, {.out = folder / "once", .threads = 1});
    StopAfter stop(36);  // three of its steps
    RunOptions options{.out = folder / "twice", .threads = 2, .checkpoint_seconds = 0, .observer = &stop};
    EXPECT_THROW(run(scene, options), Interrupted);
    options.resume = true;
    options.observer = nullptr;
    run(scene, options);
    expect_same_files(folder / "once", folder / "twice");
}

TEST(Recover, IsPartOfTheHash) {
    nlohmann::json document = crumpled_night(6);
    const std::string night = scene_hash(scene_of(document));
    document["phases"][5]["recover"] = 28801;
    EXPECT_NE(scene_hash(scene_of(document)), night);
    document["phases"][5]["recover"] = 28800;
    EXPECT_EQ(scene_hash(scene_of(document)), night);
    document["phases"][5]["h"] = 0.005;
    EXPECT_NE(scene_hash(scene_of(document)), night);
    // Recovery is measured from the last hold, not from a night.
    EXPECT_EQ(scene_of(document).recovery_phase, 2);
}

std::string refusal(const nlohmann::json& changes) {
    nlohmann::json document = crumpled_night(6);
    for (const auto& [key, value] : changes.items()) document["phases"][5][key] = value;
    try {
        scene_of(document);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Recover, WhatMakesNoSenseInItIsRefused) {
    EXPECT_EQ(
        refusal({{"hold", 3}}),
        "small_twist.json: phases[5].hold: a recovery has steps instead; \"recover\" is the material time in "
        "s, \"steps\" the number of steps it takes");
    EXPECT_NE(refusal({{"duration", 1}}).find("a recovery has steps instead"), std::string::npos);
    EXPECT_NE(refusal({{"recover", 0}}).find("s of material time"), std::string::npos);
    EXPECT_NE(
        refusal({{"release", nlohmann::json::array()}, {"motions", {{"top", {{"translate", {0, 0, 1}}}}}}})
            .find("nothing moves in a recovery"),
        std::string::npos);
}

}  // namespace
}  // namespace rumple
