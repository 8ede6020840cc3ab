// SceneBuilder: the same scene as from a file, the same sentences about the same faults.
#include <rumple/scene/scene_builder.hpp>

#include <gtest/gtest.h>

#include <rumple/mesh/solids.hpp>
#include <rumple/scene/scene_check.hpp>
#include <rumple/scene/scene_hash.hpp>

#include "scene/obstacle_scenes.hpp"
#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

constexpr TubeOptions kTube{.radius = 0.04, .height = 0.11, .around = 16, .up = 7};

Material twist_cotton() {
    Material cotton = *find_preset("cotton");
    cotton.H_ref = 0.004;
    return cotton;
}

// The twist of sample_scenes.hpp.
SceneBuilder twist_builder() {
    return SceneBuilder("twist")
        .gravity({0, 0, 0})
        .output(25)
        .cloth("tube", kTube, twist_cotton(),
               {.rest = {.source = RestSource::uv},
                .imperfection = {.amplitude = 2e-5, .direction = ImperfectionDirection::radial}})
        .handle("top", ring_top())
        .handle("bottom", ring_bottom())
        .phase("twist", {.duration = 1, .motions = {{"top", rotate_z(-90, {0, 0, -0.02})}, {"bottom", {}}}})
        .phase("rest", {.duration = 0.4})
        .phase("hold", {.hold = 500, .steps = 50})
        .phase("untwist", {.duration = 1, .motions = {{"top", rotate_z(90, {0, 0, 0.02})}}})
        .phase("settle", {.duration = 0.5})
        .recovery_from("hold");
}

std::string complaint(const SceneBuilder& builder) {
    try {
        builder.build();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SceneBuilder, MakesTheSceneOfTheFileThatSaysTheSame) {
    const Scene built = twist_builder().build(), read = build(twist_with("rumple", 1));
    EXPECT_EQ(scene_hash(built), scene_hash(read));
    EXPECT_EQ(scene_hashes(built).phases, scene_hashes(read).phases);
    EXPECT_EQ(built.name, read.name);
    EXPECT_EQ(built.recovery_phase, read.recovery_phase);
    EXPECT_NO_THROW(check_scene(built));
}

TEST(SceneBuilder, TakesMeshesAsTheyAre) {
    const auto of = [](ClothSource mesh) {
        return scene_hash(
            SceneBuilder("s").cloth("c", std::move(mesh), "denim").phase("p", {.duration = 1}).build());
    };
    EXPECT_EQ(of(make_tube(kTube)), of(kTube));
    const GridOptions grid{.nx = 4, .ny = 3, .width = 0.3, .height = 0.2};
    EXPECT_EQ(of(make_grid(grid)), of(grid));
    const DiscOptions disc{.radius = 0.1, .edge = 0.02, .layout = Layout::equilateral};
    EXPECT_EQ(of(make_disc(disc)), of(disc));
}

TEST(SceneBuilder, ObstaclesMoveComeAndGo) {
    const Scene scene =
        SceneBuilder("press")
            .cloth("sheet", GridOptions{.nx = 5, .ny = 5, .width = 0.1, .height = 0.1}, "cotton",
                   {.place = moved_to({0, 0, 0.1})})
            .handle("corners", vertex_ids({0, 4}))
            .handle("edge", in_box({-kNoLimit, 0.04, -kNoLimit}, {kNoLimit, kNoLimit, kNoLimit}),
                    {.stiffness = 100, .from_start = false})
            .obstacle("floor", PlaneShape{})
            .obstacle("ball", SphereShape{.radius = 0.02, .centre = {0, 0, 0.05}}, {.friction = 0.2})
            .obstacle("press", BoxShape{.size = {0.1, 0.1, 0.02}, .centre = {0, 0, 0.5}},
                      {.present = false, .mass = 2, .slider = Vec3d{0, 0, 3}})
            .obstacle("block", make_box({0.01, 0.01, 0.01}), {.place = moved_to({1, 0, 0.1})})
            .contact({.thickness = 5e-4})
            .phase("fall", {.duration = 0.1, .obstacles = {{"ball", {.motion = move_by({0, 0, 0.01})}}}})
            .phase("press",
                   {.duration = 0.1, .grab = {"edge"}, .release = {"corners"}, .activate = {"press"}})
            .phase("free", {.duration = 0.1, .deactivate = {"press"}})
            .build();
    EXPECT_NO_THROW(check_scene(scene));
    ASSERT_EQ(scene.obstacles.size(), 4u);
    EXPECT_EQ(scene.obstacles[1].kind, "sphere");
    EXPECT_TRUE(scene.obstacles[1].moves);
    EXPECT_EQ(scene.obstacles[1].friction, 0.2);
    EXPECT_EQ(scene.obstacles[2].mass, 2);
    EXPECT_EQ(*scene.obstacles[2].slider, (Vec3d{0, 0, 1}));
    EXPECT_FALSE(scene.obstacles[2].from_start);
    EXPECT_EQ(scene.phases[1].activate, std::vector<int>{2});
    EXPECT_EQ(scene.phases[2].deactivate, std::vector<int>{2});
    EXPECT_EQ(scene.handles[1].vertices, (std::vector<int>{20, 21, 22, 23, 24}));
    EXPECT_EQ(scene.contact.thickness, 5e-4);
}

// Each fault in the words of the reader of scene files, at a place named like the call.
TEST(SceneBuilder, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(
        complaint(twist_builder().phase("more", {.duration = -1})),
        "twist: phase(\"more\").duration: -1 is out of range; it must be at least 0 and at most 1e+06 s");
    EXPECT_EQ(complaint(twist_builder().phase("more", {.duration = 0.015})),
              "twist: phase(\"more\").duration: 0.015 s is 1.5 steps of 0.01 s; a phase is a whole number of "
              "steps: 0.02 s would be 2");
    EXPECT_EQ(complaint(twist_builder().phase("more", {})),
              "twist: phase(\"more\"): the key \"duration\" is missing");
    EXPECT_EQ(complaint(twist_builder().phase("hold", {.duration = 1})),
              "twist: phase(\"hold\").name: two phases are called \"hold\"");
    EXPECT_EQ(complaint(twist_builder().phase("more", {.duration = 1, .motions = {{"tip", {}}}})),
              "twist: phase(\"more\").motions.tip: there is no handle \"tip\"; did you mean \"top\"?");
    EXPECT_EQ(
        complaint(twist_builder().handle("third", vertex_ids({200}))),
        "twist: handle(\"third\").select.vertices[0]: there is no vertex 200; the cloth's vertices are 0 to "
        "111");
    EXPECT_EQ(
        complaint(twist_builder().cloth("second", TubeOptions{}, "cotton")),
        "twist: cloth(\"second\").mesh.radius: 0 is out of range; it must be above 0 and at most 1000 m");
    EXPECT_EQ(complaint(twist_builder().cloth("second", kTube, "coton")),
              "twist: cloth(\"second\").material: there is no material \"coton\"; did you mean \"cotton\"?");
    EXPECT_EQ(
        complaint(twist_builder().obstacle("ball", SphereShape{.radius = 0.1}, {.friction = -1})),
        "twist: obstacle(\"ball\").friction: -1 is out of range; it must be at least 0 and at most 10 (a "
        "ratio of forces)");
    EXPECT_EQ(
        complaint(twist_builder().handle("third", vertex_ids({0}))),
        "twist: phase(\"twist\"): handles \"bottom\" and \"third\" both hold vertex 0 of \"tube\"; a vertex "
        "has one handle at a time");
    EXPECT_EQ(complaint(SceneBuilder("empty")),
              "empty: cloths: the list is empty; a scene has at least one cloth");
    EXPECT_EQ(complaint(SceneBuilder("../up")),
              "../up: name: \"../up\" cannot be a name; names are letters, digits, _ and -, at most 100 of "
              "them and "
              "not digits alone");
}

// A file that says the same makes the same complaint: the rules stand once.
TEST(SceneBuilder, SharesItsRulesWithFiles) {
    const auto rule = [](const std::string& sentence) {
        return sentence.substr(sentence.find("is out of range"));
    };
    EXPECT_EQ(rule(complaint(twist_builder().gravity({0, 0, 1e4}))),
              rule(complaint_with("gravity", {0, 0, 1e4})));
    EXPECT_EQ(rule(complaint(twist_builder().step(1))), rule(complaint_with("step.h", 1)));
    EXPECT_EQ(rule(complaint(twist_builder().output(0))), rule(complaint_with("output.rate", 0)));
    EXPECT_EQ(rule(complaint(twist_builder().contact({.friction = 11}))),
              rule(complaint_with("contact.friction", 11)));
}

TEST(SceneBuilder, CopiesAreVariants) {
    const auto with_hold = [](const char* name, double seconds) {
        return SceneBuilder("s")
            .variant(name)
            .cloth("c", kTube, "cotton")
            .phase("a", {.duration = 0.1})
            .phase("hold", {.hold = seconds})
            .build();
    };
    const Scene brief = with_hold("brief", 0), held = with_hold("held", 500);
    EXPECT_EQ(brief.variant, "brief");
    EXPECT_EQ(scene_hashes(brief).phases[0], scene_hashes(held).phases[0]);
    EXPECT_NE(scene_hashes(brief).phases[1], scene_hashes(held).phases[1]);
}

// Keys of version 0.1 in a scene file: accepted, with a warning each, and the same scene.
TEST(OldKeys, GiveTheSameSceneAndAWarning) {
    const nlohmann::json now = press_document();
    nlohmann::json old = now;
    auto& press = old["obstacles"][2];
    press["weight"] = press["rigid_body"];
    press.erase("rigid_body");
    press["weight"]["guide"] = press["weight"]["slider"];
    press["weight"].erase("slider");
    for (auto& phase : old["phases"])
        for (const auto& [key, old_key] :
             {std::pair{"activate", "appear"}, std::pair{"deactivate", "vanish"}})
            if (phase.contains(key)) {
                phase[old_key] = phase[key];
                phase.erase(key);
            }
    const Scene a = build(now), b = build(old);
    EXPECT_EQ(scene_hash(a), scene_hash(b));
    ASSERT_EQ(b.warnings.size(), a.warnings.size() + 4);
    EXPECT_EQ(b.warnings[0],
              "twist.json: phases[2].appear: this key is now called \"activate\"; the old name works in this "
              "version "
              "only");
    EXPECT_NE(b.warnings[2].find("obstacles[2].weight.guide: this key is now called \"slider\""),
              std::string::npos);
    EXPECT_NE(b.warnings[3].find("obstacles[2].weight: this key is now called \"rigid_body\""),
              std::string::npos);
}

TEST(OldKeys, AreFoundByPathsOfBothSpellings) {
    nlohmann::json now = press_document(), old = press_document();
    old["obstacles"][2]["weight"] = old["obstacles"][2]["rigid_body"];
    old["obstacles"][2].erase("rigid_body");
    set_json(now, "obstacles.press.weight.mass", 3);
    set_json(old, "obstacles.press.rigid_body.mass", 3);
    EXPECT_EQ(build(now).obstacles[2].mass, 3);
    EXPECT_EQ(build(old).obstacles[2].mass, 3);
}

TEST(OldKeys, BesideNewOnesAreRefused) {
    nlohmann::json both = press_document();
    both["phases"][2]["appear"] = {"press"};
    EXPECT_EQ(
        rumple::complaint(both),
        "twist.json: phases[2]: has both \"activate\" and \"appear\"; they mean the same: give \"activate\"");
}

}  // namespace
}  // namespace rumple
