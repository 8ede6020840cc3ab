// run(scene): one scene from C++, results by the names of its cloths; and scene files with keys of 0.1.
#include <rumple/sim/run_scene.hpp>

#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/scene/scene_builder.hpp>

#include "sim/contact_documents.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

SceneBuilder small_twist_builder() {
    return SceneBuilder("small-twist")
        .gravity({0, 0, 0})
        .cloth("tube", TubeOptions{.radius = 0.02, .height = 0.05, .around = 16, .up = 8}, "cotton",
               {.imperfection = {.amplitude = 2e-4, .direction = ImperfectionDirection::radial}})
        .handle("bottom", ring_bottom())
        .handle("top", ring_top())
        .phase("twist", {.duration = 0.1, .motions = {{"top", rotate_z(-60, {0, 0, -0.01})}}})
        .phase("hold", {.hold = 500, .steps = 5})
        .phase("back", {.duration = 0.1, .motions = {{"top", rotate_z(60, {0, 0, 0.01})}}});
}

TEST(RunScene, GivesResultsByCloth) {
    const Scene scene = small_twist_builder().build();
    const SceneResult result = run(scene, {.out = {}, .threads = 1});
    ASSERT_EQ(result.cloths.size(), 1u);
    const ClothResult& tube = result.cloth("tube");
    EXPECT_EQ(tube.positions, result.run.last.state.x);
    EXPECT_GT(tube.measures.bending_content, 1);
    ASSERT_TRUE(tube.recovery);
    EXPECT_EQ(tube.recovery, result.run.recovery[0]);
    EXPECT_THROW(result.cloth("tub"), InputError);
}

// The same scene from a file and from C++ takes the same steps to the bit.
TEST(RunScene, BuilderAndFileGiveTheSameBits) {
    nlohmann::json document = small_twist_document();
    document["phases"] = nlohmann::json::parse(R"([
        {"name": "twist", "duration": 0.1, "motions": {"top": {"rotate": {"degrees": -60}, "translate": [0, 0, -0.01]}}},
        {"name": "hold", "hold": 500, "steps": 5},
        {"name": "back", "duration": 0.1, "motions": {"top": {"rotate": {"degrees": 60}, "translate": [0, 0, 0.01]}}}])");
    document["handles"][0]["select"] = {{"ring", "bottom"}};
    document["handles"][1]["select"] = {{"ring", "top"}};
    const SceneResult built = run(small_twist_builder().build(), {.out = {}, .threads = 1});
    const SceneResult read = run(scene_of(document), {.out = {}, .threads = 2});
    EXPECT_EQ(built.run.last, read.run.last);
}

// A scene file of version 0.1: warnings, and the same bits.
TEST(RunScene, OldKeysGiveTheSameBits) {
    const auto scene_with = [](const char* mass_key, const char* slider, const char* activate) {
        nlohmann::json document = nlohmann::json::parse(R"({
            "rumple": 1, "name": "pressed",
            "cloths": [{"name": "sheet", "mesh": {"generator": "grid", "nx": 5, "ny": 5, "width": 0.1, "height": 0.1},
                        "place": {"translate": [0, 0, 0.003]}, "material": "cotton"}],
            "obstacles": [{"name": "ground", "shape": {"kind": "plane"}},
                          {"name": "plate", "present": false,
                           "shape": {"kind": "box", "size": [0.12, 0.12, 0.01], "centre": [0, 0, 0.012]}}],
            "phases": [{"name": "fall", "duration": 0.03}, {"name": "press", "duration": 0.05}]})");
        document["obstacles"][1][mass_key] = {{"mass", 1}, {slider, {0, 0, 1}}};
        document["phases"][1][activate] = {"plate"};
        return scene_of(document);
    };
    const Scene now = scene_with("rigid_body", "slider", "activate"),
                old = scene_with("weight", "guide", "appear");
    EXPECT_EQ(old.warnings.size(), now.warnings.size() + 3);
    const SceneResult a = run(now, {.out = {}, .threads = 1}), b = run(old, {.out = {}, .threads = 1});
    EXPECT_EQ(a.run.last, b.run.last);
    EXPECT_LT(a.run.last.state.x[12].z, 0.003);
}

}  // namespace
}  // namespace rumple
