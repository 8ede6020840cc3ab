// The hash is a function of the Scene: a table that changes every field of one, made by hand, without JSON.
#include <gtest/gtest.h>

#include <functional>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/solids.hpp>
#include <rumple/scene/scene_check.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <set>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

// A sheet with two handles, a box that deforms, a rigid body on a slider, three phases.
Scene hand_made() {
    Scene scene;
    scene.name = "by_hand";
    SceneCloth& cloth = scene.cloths.emplace_back();
    cloth.name = "sheet";
    cloth.mesh = make_grid(4, 3, 0.3, 0.2, Layout::right);
    cloth.reference = cloth.mesh.positions;
    cloth.rest = make_rest_shape(cloth.mesh, {}, "sheet");
    cloth.material = *find_preset("cotton");
    cloth.sets["left"] = {0, 4, 8};
    scene.handles = {{"a", {0, 4}}, {"b", {3, 7}, 100.0, false, 0}};
    scene.contact = ContactSettings{};
    SceneObstacle& box = scene.obstacles.emplace_back();
    box.name = "box";
    box.kind = "cache";
    box.mesh = make_box({0.1, 0.1, 0.1});
    ObstacleClip clip;
    clip.times = {0, 1};
    clip.sample = [mesh = box.mesh](std::size_t i) {
        std::vector<Vec3d> x = mesh.positions;
        for (Vec3d& p : x) p.z += 0.01 * static_cast<double>(i);
        return x;
    };
    box.clip = std::make_shared<const ObstacleClip>(clip);
    box.moves = true;
    SceneObstacle& body = scene.obstacles.emplace_back();
    body.name = "body";
    body.kind = "box";
    body.mesh = make_box({0.1, 0.1, 0.1});
    body.mass = 1;
    body.slider = Vec3d{0, 0, 1};
    for (const char* name : {"first", "second", "third"}) {
        Phase& phase = scene.phases.emplace_back();
        phase.name = name;
        phase.steps = 5;
        phase.motions.resize(2);
        phase.commands.resize(2);
    }
    HandleMotion& turn = scene.phases[1].motions[0];
    turn.angle = 1;
    turn.translate = {0, 0, 0.1};
    HandleMotion& keys = scene.phases[1].motions[1];
    keys.keyframes = {{0.02, {0, 0, 0.1}, 0.5}};
    return scene;
}

struct Change {
    const char* what;
    std::function<void(Scene&)> make;
    int shared = 0;  // phases that still hash the same
};

std::shared_ptr<const ObstacleClip> changed(const ObstacleClip& clip,
                                            const std::function<void(ObstacleClip&)>& make) {
    ObstacleClip other = clip;
    make(other);
    return std::make_shared<const ObstacleClip>(std::move(other));
}

// clang-format off
const std::vector<Change>& changes() {
    static const std::vector<Change> all{
        {"gravity", [](Scene& s) { s.gravity.x = 1; }},
        {"mass damping", [](Scene& s) { s.mass_damping = 1; }},
        {"stiffness damping", [](Scene& s) { s.stiffness_damping = 1; }},
        {"tolerance", [](Scene& s) { s.stepper.tolerance = 1e-6; }},
        {"solver", [](Scene& s) { s.stepper.solver = SolverChoice(3); }},
        {"backend", [](Scene& s) { s.stepper.backend = Backend::cuda; }},
        {"newton iterations", [](Scene& s) { s.stepper.newton_iterations = 2; }},
        {"newton tolerance", [](Scene& s) { s.stepper.newton_tolerance = 1e-6; }},
        {"output rate", [](Scene& s) { s.output_rate = 25; }},
        {"output memory", [](Scene& s) { s.output_memory = true; }},
        {"cloth's name", [](Scene& s) { s.cloths[0].name = "other"; }},
        {"a cloth more", [](Scene& s) { s.cloths.push_back(s.cloths[0]); }},
        {"position", [](Scene& s) { s.cloths[0].mesh.positions[3].z = 1e-9; }},
        {"triangle", [](Scene& s) { std::swap(s.cloths[0].mesh.triangles[0], s.cloths[0].mesh.triangles[1]); }},
        {"uv", [](Scene& s) { s.cloths[0].mesh.uvs[1].x += 1e-9; }},
        {"uv triangle", [](Scene& s) { s.cloths[0].mesh.uv_triangles[0][0] = 5; }},
        {"reference", [](Scene& s) { s.cloths[0].reference[0].x += 1e-9; }},
        {"rest area", [](Scene& s) { s.cloths[0].rest.area[0] *= 1.01; }},
        {"rest gradient", [](Scene& s) { s.cloths[0].rest.gradient[0][1].x *= 1.01; }},
        {"hinge", [](Scene& s) { std::swap(s.cloths[0].rest.hinges[0], s.cloths[0].rest.hinges[1]); }},
        {"hinge length", [](Scene& s) { s.cloths[0].rest.hinge_length[0] *= 1.01; }},
        {"hinge height", [](Scene& s) { s.cloths[0].rest.hinge_height[0] *= 1.01; }},
        {"hinge angle", [](Scene& s) { s.cloths[0].rest.hinge_angle[0] += 0.1; }},
        {"mean edge", [](Scene& s) { s.cloths[0].rest.mean_edge_length *= 1.01; }},
        {"set's name", [](Scene& s) { auto node = s.cloths[0].sets.extract("left"); node.key() = "right";
                                      s.cloths[0].sets.insert(std::move(node)); }},
        {"set's vertices", [](Scene& s) { s.cloths[0].sets["left"] = {0, 4}; }},
        {"numbering", [](Scene& s) { s.cloths[0].numbering.vertices = {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}; }},
        {"density", [](Scene& s) { s.cloths[0].material.density *= 1.01; }},
        {"membrane", [](Scene& s) { s.cloths[0].material.membrane.k12 *= 1.01; }},
        {"bending", [](Scene& s) { s.cloths[0].material.bending *= 1.01; }},
        {"friction law", [](Scene& s) { s.cloths[0].material.friction_kind = FrictionKind::dahl; }},
        {"friction tau", [](Scene& s) { s.cloths[0].material.friction.tau *= 1.01; }},
        {"relaxation", [](Scene& s) { s.cloths[0].material.relaxation.share = 0.1; }},
        {"tensile relaxation", [](Scene& s) { s.cloths[0].material.tensile_relaxation.tau_max = 10; }},
        {"directions", [](Scene& s) { s.cloths[0].material.directions.friction = {{1e-5, 1e-5, 1e-5}}; }},
        {"friction gate", [](Scene& s) { s.cloths[0].material.friction.gate = DwellGate::none; }},
        {"plasticity", [](Scene& s) { s.cloths[0].material.plastic = false; }},
        {"plasticity g", [](Scene& s) { s.cloths[0].material.plasticity.g *= 0.9; }},
        {"metric", [](Scene& s) { s.cloths[0].material.metric = StrainMetric::angle; }},
        {"tensile friction", [](Scene& s) { s.cloths[0].material.tensile_friction.emplace(); }},
        {"tensile plasticity", [](Scene& s) { s.cloths[0].material.tensile_plasticity.emplace(); }},
        {"handle's name", [](Scene& s) { s.handles[0].name = "other"; }},
        {"handle's vertices", [](Scene& s) { s.handles[0].vertices = {0}; }},
        {"handle's stiffness", [](Scene& s) { s.handles[0].stiffness = 1; }},
        {"handle from start", [](Scene& s) { s.handles[0].from_start = false; }},
        {"handle attached", [](Scene& s) { s.handles[0].attach = 0; }},
        {"self contact", [](Scene& s) { s.contact.cloth_on_cloth = false; }},
        {"contact thickness", [](Scene& s) { s.contact.thickness *= 2; }},
        {"contact friction", [](Scene& s) { s.contact.friction *= 2; }},
        {"contact stiffness", [](Scene& s) { s.contact.stiffness *= 2; }},
        {"obstacle's name", [](Scene& s) { s.obstacles[0].name = "other"; }},
        {"obstacle's mesh", [](Scene& s) { s.obstacles[0].mesh.positions[0].z += 1e-9; }},
        {"no clip", [](Scene& s) { s.obstacles[0].clip = nullptr; }},
        {"clip's times", [](Scene& s) { s.obstacles[0].clip = changed(*s.obstacles[0].clip, [](ObstacleClip& c) { c.times[1] = 2; }); }},
        {"clip's start", [](Scene& s) { s.obstacles[0].clip = changed(*s.obstacles[0].clip, [](ObstacleClip& c) { c.start = 0.5; }); }},
        {"clip's speed", [](Scene& s) { s.obstacles[0].clip = changed(*s.obstacles[0].clip, [](ObstacleClip& c) { c.speed = 2; }); }},
        {"clip loops", [](Scene& s) { s.obstacles[0].clip = changed(*s.obstacles[0].clip, [](ObstacleClip& c) { c.loops = true; }); }},
        {"clip's samples", [](Scene& s) { s.obstacles[0].clip = changed(*s.obstacles[0].clip, [](ObstacleClip& c) {
             c.sample = [first = c.sample(0)](std::size_t) { return first; }; }); }},
        {"obstacle moves", [](Scene& s) { s.obstacles[1].moves = true; }},
        {"obstacle's friction", [](Scene& s) { s.obstacles[0].friction *= 2; }},
        {"obstacle's thickness", [](Scene& s) { s.obstacles[0].thickness *= 2; }},
        {"obstacle from start", [](Scene& s) { s.obstacles[0].from_start = false; }},
        {"mass", [](Scene& s) { s.obstacles[1].mass = 2; }},
        {"slider", [](Scene& s) { s.obstacles[1].slider.reset(); }},
        {"slider's direction", [](Scene& s) { s.obstacles[1].slider = Vec3d{1, 0, 0}; }},
        {"phase's name", [](Scene& s) { s.phases[1].name = "other"; }, 1},
        {"steps", [](Scene& s) { s.phases[1].steps = 6; }, 1},
        {"h", [](Scene& s) { s.phases[1].h = 0.005; }, 1},
        {"material dt", [](Scene& s) { s.phases[1].material_dt = 1; }, 1},
        {"hold", [](Scene& s) { s.phases[1].hold = true; }, 1},
        {"grab", [](Scene& s) { s.phases[1].grab = {1}; }, 1},
        {"release", [](Scene& s) { s.phases[1].release = {0}; }, 1},
        {"angle", [](Scene& s) { s.phases[1].motions[0].angle = 2; }, 1},
        {"translate", [](Scene& s) { s.phases[1].motions[0].translate.y = 2; }, 1},
        {"axis", [](Scene& s) { s.phases[1].motions[0].axis = {1, 0, 0}; }, 1},
        {"through", [](Scene& s) { s.phases[1].motions[0].through = {1, 0, 0}; }, 1},
        {"ease", [](Scene& s) { s.phases[1].motions[0].ease = Ease::smooth; }, 1},
        {"keyframe's time", [](Scene& s) { s.phases[1].motions[1].keyframes[0].time = 0.03; }, 1},
        {"keyframe's translate", [](Scene& s) { s.phases[1].motions[1].keyframes[0].translate.x = 1; }, 1},
        {"keyframe's angle", [](Scene& s) { s.phases[1].motions[1].keyframes[0].angle = 1; }, 1},
        {"obstacle's motion", [](Scene& s) { s.phases[1].commands[0].motion.angle = 1; }, 1},
        {"clip stands", [](Scene& s) { s.phases[1].commands[0].clip_stands = true; }, 1},
        {"clip to", [](Scene& s) { s.phases[1].commands[0].to = 1; }, 1},
        {"clip to, smoothly", [](Scene& s) { s.phases[1].commands[0].to = 1; s.phases[1].commands[0].motion.ease = Ease::smooth; }, 1},
        {"clip from", [](Scene& s) { s.phases[1].commands[0].from = 0.05; s.phases[1].commands[0].to = 1; }, 1},
        {"deactivate", [](Scene& s) { s.phases[1].deactivate = {0}; }, 1},
        {"activate", [](Scene& s) { s.phases[1].activate = {0}; }, 1},
        {"a phase more", [](Scene& s) { s.phases.push_back(s.phases[2]); }, 3},
        {"recovery", [](Scene& s) { s.recovery_phase = 1; }, 3},
    };
    return all;
}
// clang-format on

TEST(SceneHash, EveryFieldOfASceneThatChangesTheRunChangesIt) {
    const SceneHashes base = scene_hashes(hand_made());
    ASSERT_EQ(base.phases.size(), 3u);
    std::set<std::string> seen{base.run};
    for (const Change& change : changes()) {
        Scene scene = hand_made();
        change.make(scene);
        const SceneHashes hashes = scene_hashes(scene);
        EXPECT_TRUE(seen.insert(hashes.run).second) << change.what;
        int shared = 0;
        while (shared < 3 && hashes.phases[std::size_t(shared)] == base.phases[std::size_t(shared)]) ++shared;
        EXPECT_EQ(shared, change.shared) << change.what;
    }
}

TEST(SceneHash, WhatChangesNoRunDoesNotChangeIt) {
    const std::vector<Change> same{
        {"scene's name", [](Scene& s) { s.name = "other"; }},
        {"variant", [](Scene& s) { s.variant = "held"; }},
        {"threads", [](Scene& s) { s.stepper.threads = 7; }},
        {"camera", [](Scene& s) { s.cameras.emplace_back(); }},
        {"warning", [](Scene& s) { s.warnings = {"beware"}; }},
        {"material's name", [](Scene& s) { s.cloths[0].material.name = "mine"; }},
        {"axis of no motion",
         [](Scene& s) {
             s.phases[0].motions[0].axis = {1, 0, 0};
         }},
        {"minus zero", [](Scene& s) { s.mass_damping = -0.0; }},
        {"slider of a given motion",
         [](Scene& s) {
             s.obstacles[0].slider = Vec3d{0, 0, 1};
         }},
    };
    const std::string base = scene_hash(hand_made());
    for (const Change& change : same) {
        Scene scene = hand_made();
        change.make(scene);
        EXPECT_EQ(scene_hash(scene), base) << change.what;
    }
}

TEST(SceneHash, OfWhatAnObstacleDoesToClothCountsOnceItIsThere) {
    const auto with = [](double friction) {
        Scene scene = hand_made();
        scene.obstacles[1].from_start = false;
        scene.phases[2].activate = {1};
        scene.obstacles[1].friction = friction;
        return scene_hashes(scene);
    };
    const SceneHashes a = with(0.2), b = with(0.3);
    EXPECT_EQ(a.phases[1], b.phases[1]);
    EXPECT_NE(a.phases[2], b.phases[2]);
    EXPECT_NE(a.run, b.run);
}

TEST(SceneHash, OfASkippedPhaseKnowsNothingOfWhatIsInIt) {
    const auto skipped = [](const char* name) {
        Scene scene = hand_made();
        scene.phases[1].steps = 0;
        scene.phases[1].name = name;
        return scene_hash(scene);
    };
    EXPECT_EQ(skipped("one"), skipped("other"));
    EXPECT_NE(skipped("one"), scene_hash(hand_made()));
}

TEST(SceneCheck, HandMadeSceneHoldsTogether) { EXPECT_NO_THROW(check_scene(hand_made())); }

TEST(SceneCheck, NamesWhatDoesNotFit) {
    const auto said = [](const std::function<void(Scene&)>& make) -> std::string {
        Scene scene = hand_made();
        make(scene);
        try {
            check_scene(scene);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(said([](Scene& s) { s.phases[1].motions.clear(); }),
              "scene \"by_hand\": phases[1]: it has 0 motions; there is one for each of the 2 handles");
    EXPECT_EQ(said([](Scene& s) { s.phases[0].commands.clear(); }),
              "scene \"by_hand\": phases[0]: it has 0 commands; there is one for each of the 2 obstacles");
    EXPECT_EQ(said([](Scene& s) { s.handles[0].vertices = {12}; }),
              "scene \"by_hand\": handles[0]: there is no vertex 12; the scene has 12");
    EXPECT_EQ(said([](Scene& s) { s.phases[2].grab = {2}; }),
              "scene \"by_hand\": phases[2]: there is no handle 2; the scene has 2");
    EXPECT_EQ(said([](Scene& s) { s.cloths[0].reference.pop_back(); }),
              "scene \"by_hand\": cloths[0]: it has 11 reference positions; there is one for each of the 12 "
              "vertices");
    EXPECT_EQ(said([](Scene& s) { s.cloths.clear(); }),
              "scene \"by_hand\": cloths and phases: there is no cloth; a scene has at least one");
}

}  // namespace
}  // namespace rumple
