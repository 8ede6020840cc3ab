#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <rumple/scene/timeline.hpp>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

TEST(BuildScene, TwistHasEverythingTheFileSays) {
    const Scene scene = build(twist_document(), "held");
    EXPECT_EQ(scene.name, "twist");
    EXPECT_EQ(scene.variant, "held");
    EXPECT_EQ(scene.gravity, (Vec3d{0, 0, 0}));
    EXPECT_EQ(scene.output_rate, 25);
    EXPECT_EQ(scene.stepper.newton_iterations, 0);
    EXPECT_TRUE(scene.warnings.empty());

    ASSERT_EQ(scene.cloths.size(), 1u);
    EXPECT_EQ(scene.cloths[0].mesh.positions.size(), 16u * 7u);
    EXPECT_EQ(scene.cloths[0].rest.area.size(), scene.cloths[0].mesh.triangles.size());
    EXPECT_EQ(scene.cloths[0].material.H_ref, 0.004);
    EXPECT_EQ(scene.cloths[0].material.bending, 5e-6);
    for (double angle : scene.cloths[0].rest.hinge_angle) EXPECT_EQ(angle, 0);

    ASSERT_EQ(scene.handles.size(), 2u);
    EXPECT_EQ(scene.handles[0].vertices.size(), 16u);
    EXPECT_EQ(scene.handles[0].vertices.front(), 16 * 6);
    EXPECT_EQ(scene.handles[1].vertices.back(), 15);
    EXPECT_EQ(scene.handles[0].stiffness, 0);

    ASSERT_EQ(scene.phases.size(), 5u);
    EXPECT_EQ(scene.phases[0].steps, 100);
    EXPECT_DOUBLE_EQ(scene.phases[0].motions[0].angle, -std::numbers::pi / 2);
    EXPECT_EQ(scene.phases[0].motions[1].angle, 0);
    EXPECT_EQ(scene.phases[1].material_dt, 0.01);
    EXPECT_TRUE(scene.phases[2].hold);
    EXPECT_EQ(scene.phases[2].steps, 50);
    EXPECT_EQ(scene.phases[2].material_dt, 10);
    EXPECT_EQ(scene.phases[2].h, 0.01);
    EXPECT_EQ(scene.recovery_phase, 2);
}

TEST(BuildScene, HoldWithoutMaterialTimeIsTheControl) {
    const Scene scene = build(twist_document(), "control");
    EXPECT_EQ(scene.phases[2].steps, 50);
    EXPECT_EQ(scene.phases[2].material_dt, 0);
}

TEST(BuildScene, DefaultsAreThoseOfTheDocumentation) {
    const Scene scene = build(json::parse(R"({"rumple": 1,
      "cloths": [{"name": "a", "mesh": {"generator": "grid", "nx": 3, "ny": 3, "width": 0.1, "height": 0.1},
                  "material": "denim"}],
      "phases": [{"name": "p", "duration": 0.05}]})"));
    EXPECT_EQ(scene.name, "twist");  // the file's
    EXPECT_EQ(scene.gravity, (Vec3d{0, 0, -9.81}));
    EXPECT_EQ(scene.output_rate, 30);
    EXPECT_EQ(scene.phases[0].steps, 5);
    EXPECT_EQ(scene.stepper.tolerance, 1e-5);
    EXPECT_EQ(scene.recovery_phase, -1);
    EXPECT_EQ(scene.cloths[0].material.density, 0.25);
}

TEST(BuildScene, ReadsStepDampingAndSolver) {
    json document = twist_with(
        "step",
        {{"h", 0.005}, {"newton", 7}, {"tolerance", 1e-6}, {"newton_tolerance", 1e-3}, {"solver", "direct"}});
    document["damping"] = {{"mass", 0.5}, {"stiffness", 1e-3}};
    const Scene scene = build(document);
    EXPECT_EQ(scene.phases[0].steps, 200);
    EXPECT_EQ(scene.stepper.newton_iterations, 7);
    EXPECT_EQ(scene.stepper.tolerance, 1e-6);
    EXPECT_EQ(scene.stepper.newton_tolerance, 1e-3);
    EXPECT_EQ(scene.stepper.solver, SolverChoice::direct);
    EXPECT_EQ(scene.mass_damping, 0.5);
    EXPECT_EQ(scene.stiffness_damping, 1e-3);
    EXPECT_EQ(build(twist_with("step.newton", "auto")).stepper.newton_iterations, 0);
    EXPECT_EQ(build(twist_with("phases.rest.h", 0.02)).phases[1].steps, 20);
}

TEST(BuildScene, RecoveryIsFromTheLastHoldUnlessSaidOtherwise) {
    json document = twist_document();
    document.erase("recovery_from");
    EXPECT_EQ(build(document, "held").recovery_phase, 2);
    EXPECT_EQ(build(twist_with("recovery_from", "rest")).recovery_phase, 1);
}

TEST(BuildScene, PlacesTheClothButNotItsRestShape) {
    const json mesh = {{"generator", "grid"}, {"nx", 3}, {"ny", 2}, {"width", 0.2}, {"height", 0.1}};
    json document = twist_with("cloths.0", {{"name", "tube"}, {"mesh", mesh}, {"material", "cotton"}});
    document["cloths"][0]["place"] = {
        {"translate", {1, 2, 3}}, {"rotate", {{"axis", {1, 0, 0}}, {"degrees", 90}}}, {"scale", {2, 1, 1}}};
    document["handles"] = json::array();
    document["phases"] = {{{"name", "p"}, {"duration", 1}}};
    document.erase("recovery_from");
    const Scene scene = build(document);
    // vertex 0 of the grid is (-0.1, -0.05, 0)
    const Vec3d x = scene.cloths[0].mesh.positions[0];
    EXPECT_NEAR(x.x, 1 - 0.2, 1e-15);
    EXPECT_NEAR(x.y, 2, 1e-15);
    EXPECT_NEAR(x.z, 3 - 0.05, 1e-15);
    double area = 0;
    for (double a : scene.cloths[0].rest.area) area += a;
    EXPECT_NEAR(area, 0.02, 1e-15);
}

TEST(BuildScene, SeveralClothsAreNumberedOneAfterTheOther) {
    json document = twist_with("cloths.0.name", "left");
    json second = document["cloths"][0];
    second["name"] = "right";
    second["place"] = {{"translate", {0.2, 0, 0}}};
    document["cloths"].push_back(second);
    EXPECT_EQ(
        complaint(document),
        "twist.json: handles[0]: the key \"cloth\" is missing; a scene with several cloths says which one");
    for (json& handle : document["handles"]) handle["cloth"] = "right";
    const Scene scene = build(document);
    EXPECT_EQ(scene.handles[1].vertices.front(), 16 * 7);
    document["handles"][0]["cloth"] = "rihgt";
    EXPECT_EQ(complaint(document),
              "twist.json: handles[0].cloth: there is no cloth \"rihgt\"; did you mean \"right\"?");
    document["cloths"][1]["name"] = "left";
    EXPECT_EQ(complaint(document), "twist.json: cloths[1].name: two cloths are called \"left\"");
}

TEST(BuildScene, ReadsKeyframesGrabAndRelease) {
    json document = twist_with("phases", json::parse(R"([
      {"name": "pull", "duration": 1, "motions": {"top": {"keyframes":
         [{"time": 0.5, "degrees": 180}, {"time": 1, "translate": [0, 0, 0.1], "radians": 1}],
         "axis": [0, 2, 0], "through": [0, 0, 0.11], "ease": "smooth"}}},
      {"name": "free", "duration": 1, "release": ["top", "bottom"]},
      {"name": "again", "duration": 1, "grab": ["bottom"]}])"));
    document.erase("recovery_from");
    const Scene scene = build(document);
    const HandleMotion& motion = scene.phases[0].motions[0];
    EXPECT_EQ(motion.axis, (Vec3d{0, 1, 0}));
    EXPECT_EQ(motion.through, (Vec3d{0, 0, 0.11}));
    EXPECT_EQ(motion.ease, Ease::smooth);
    ASSERT_EQ(motion.keyframes.size(), 2u);
    EXPECT_DOUBLE_EQ(motion.keyframes[0].angle, std::numbers::pi);
    EXPECT_EQ(motion.keyframes[1].angle, 1);
    EXPECT_EQ(scene.phases[1].release, (std::vector<int>{0, 1}));
    EXPECT_EQ(scene.phases[2].grab, (std::vector<int>{1}));
}

TEST(BuildScene, PhaseWithoutStepsIsSkippedWithEverythingInIt) {
    json document = twist_with("phases.hold.release", {"bottom"});
    EXPECT_EQ(build(document).phases[2].release.size(), 1u);
    document["phases"][2]["steps"] = 0;
    const Scene scene = build(document);
    EXPECT_TRUE(scene.phases[2].release.empty());
    EXPECT_EQ(scene.phases[2].steps, 0);
    EXPECT_EQ(scene.recovery_phase, 2);
    EXPECT_EQ(build(twist_with("phases.rest.duration", 0)).phases[1].steps, 0);
}

TEST(BuildScene, KeyframeAtTheEndIsReachedWhateverTheRounding) {
    // 3 * 0.1 is a little more than 0.3, 7 * 0.01 a little more than 0.07
    json document = twist_with("phases", {{{"name", "lift"}, {"duration", 0.07}}});
    document.erase("recovery_from");
    document["phases"][0]["motions"]["top"]["keyframes"] = {{{"time", 0.07}, {"translate", {0, 0, 0.1}}}};
    const Scene scene = build(document);
    EXPECT_EQ(Timeline(scene).pose(0, 7, 0).translation.z, 0.1);
    document["phases"][0]["duration"] = 0;
    EXPECT_EQ(complaint(document), "");
}

TEST(BuildScene, MaterialIsAPresetOrAPresetWithChanges) {
    EXPECT_EQ(build(twist_with("cloths.tube.material", "denim")).cloths[0].material.density, 0.25);
    const Scene scene = build(twist_with("cloths.tube.material.friction.d_c", 0));
    EXPECT_EQ(scene.cloths[0].material.friction.d_c, 0);
    EXPECT_EQ(scene.cloths[0].material.H_ref, 0.004);
}

}  // namespace
}  // namespace rumple
