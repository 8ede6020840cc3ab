// "contact" and "obstacles": what is read, where obstacles are, and what is said about mistakes.
#include <gtest/gtest.h>

#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/solids.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <set>

#include "scene/obstacle_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

std::string press_complaint(const std::string& path, const json& value) {
    return complaint(press_with(path, value));
}

Vec3d middle(std::span<const Vec3d> x) {
    Vec3d low = x[0], high = x[0];
    for (const Vec3d& p : x)
        for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
    return 0.5 * (low + high);
}

// Middle of one obstacle's box after a step of a phase.
Vec3d middle_at(const Scene& scene, std::size_t obstacle, int phase, int step) {
    std::vector<Vec3d> all;
    ObstacleTimeline(scene).positions(phase, step, all);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < obstacle; ++i) begin += scene.obstacles[i].mesh.positions.size();
    return middle(std::span(all).subspan(begin, scene.obstacles[obstacle].mesh.positions.size()));
}

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) { EXPECT_LT(norm(a - b), tolerance); }

TEST(Contact, IsOffUnlessAsked) {
    EXPECT_FALSE(build(twist_document(), "held").has_contact());
    EXPECT_TRUE(build(twist_with("contact", json::object())).contact.cloth_on_cloth);
    EXPECT_FALSE(build(twist_with("contact", {{"self", false}})).has_contact());
    json document = press_document();
    document.erase("contact");
    const Scene scene = build(document);
    EXPECT_TRUE(scene.contact.cloth_on_cloth);
    EXPECT_EQ(scene.contact.thickness, 1e-3);
    EXPECT_EQ(scene.contact.friction, 0.3);
    EXPECT_EQ(scene.obstacles[0].friction, 0.4);
    EXPECT_EQ(scene.obstacles[0].thickness, 1e-3);
}

TEST(Contact, ScenesWithoutItKeepTheirHash) {
    EXPECT_EQ(scene_hash(build(twist_document(), "held")),
              scene_hash(build(twist_with("contact", {{"self", false}}))));
    EXPECT_NE(scene_hash(build(twist_document(), "held")),
              scene_hash(build(twist_with("contact", json::object()))));
    EXPECT_EQ(scene_hash(build(twist_document(), "held")),
              scene_hash(build(twist_with("obstacles", json::array()))));
}

TEST(Contact, ThicknessIsHeldAgainstTheMesh) {
    EXPECT_TRUE(build(press_with("contact.thickness", 0.001)).warnings.empty());
    const auto warned = build(press_with("contact.thickness", 0.008)).warnings;
    ASSERT_EQ(warned.size(), 1u);
    EXPECT_NE(warned[0].find("contact.thickness: a thickness of 8 mm"), std::string::npos) << warned[0];
    EXPECT_NE(press_complaint("contact.thickness", 0.05).find("mean edge"), std::string::npos);
    EXPECT_EQ(press_complaint("contact.thickness", 0),
              "twist.json: contact.thickness: 0 is out of range; it must be above 0 and at most 0.1 m");
    EXPECT_EQ(
        press_complaint("contact.friction", -0.1),
        "twist.json: contact.friction: -0.1 is out of range; it must be at least 0 and at most 10 (a ratio "
        "of forces)");
    EXPECT_EQ(press_complaint("contact.thicknes", 1),
              "twist.json: contact: unknown key \"thicknes\"; did you mean \"thickness\"?");
}

TEST(Obstacles, StandWhereTheSceneSays) {
    const Scene scene = build(press_document());
    ASSERT_EQ(scene.obstacles.size(), 3u);
    EXPECT_EQ(scene.obstacles[0].kind, "plane");
    expect_near(middle(scene.obstacles[0].mesh.positions), {0, 0, 0.01 - 0.05});
    expect_near(middle(scene.obstacles[1].mesh.positions), {0, 0, 0.05});
    EXPECT_EQ(scene.obstacles[1].friction, 0.5);
    EXPECT_EQ(scene.obstacles[2].mass, 2);
    ASSERT_TRUE(scene.obstacles[2].slider);
    EXPECT_EQ(*scene.obstacles[2].slider, (Vec3d{0, 0, 1}));
    EXPECT_FALSE(scene.obstacles[0].moves);
    EXPECT_TRUE(scene.obstacles[1].moves);
    EXPECT_FALSE(scene.obstacles[2].moves);
    EXPECT_TRUE(scene.obstacles[2].changes());
}

TEST(Obstacles, CrossingsAtTheStartAreTold) {
    EXPECT_TRUE(build(press_document()).warnings.empty());
    const auto inside = build(press_with("cloths.sheet.place.translate.2", 0.06)).warnings;
    ASSERT_EQ(inside.size(), 1u);
    EXPECT_EQ(inside[0].rfind("sheet and ball cross each other as the scene begins: ", 0), 0u) << inside[0];
    EXPECT_NE(inside[0].find("of sheet inside, at most "), std::string::npos) << inside[0];
    const auto absent = build(press_with("cloths.sheet.place.translate.2", 0.3)).warnings;
    EXPECT_TRUE(absent.empty());  // where the press will be, but is not yet
    json two = press_document();
    two["cloths"].push_back(two["cloths"][0]);
    two["cloths"][1]["name"] = "other";
    two["cloths"][1]["place"] = {{"rotate", {{"axis", {1, 0, 0}}, {"degrees", 90}}},
                                 {"translate", {0, 0, 0.15}}};
    EXPECT_TRUE(build(two).warnings.empty());
    two["cloths"][1]["place"]["translate"][2] = 0.12;
    EXPECT_EQ(build(two).warnings.size(), 1u);
    two["contact"]["self"] = false;
    EXPECT_TRUE(build(two).warnings.empty());
}

TEST(Obstacles, AxesAndPlacementsTurnThem) {
    const Scene scene = build(
        press_with("obstacles.ball",
                   {{"name", "ball"},
                    {"shape", {{"kind", "cylinder"}, {"radius", 0.01}, {"height", 0.2}, {"axis", {1, 0, 0}}}},
                    {"place", {{"rotate", {{"degrees", 90}}}, {"translate", {0, 0, 0.5}}}}}));
    double longest = 0;  // along x first, then turned onto y
    for (const Vec3d& x : scene.obstacles[1].mesh.positions) longest = std::max(longest, x.y);
    EXPECT_NEAR(longest, 0.1, 1e-12);
    const Scene plane = build(press_with("obstacles.ground.shape.normal", {0, 0, -1}));
    expect_near(middle(plane.obstacles[0].mesh.positions), {0, 0, 0.06});
    for (const char* kind : {"capsule", "container"}) {
        json shape{{"kind", kind}, {"radius", 0.1}};
        shape[std::string(kind) == "capsule" ? "length" : "height"] = 0.3;
        EXPECT_EQ(press_complaint("obstacles.ball.shape", shape), "") << kind;
    }
}

TEST(Obstacles, MoveWithThePhasesAndGoOnFromThere) {
    const Scene scene = build(press_document());
    expect_near(middle_at(scene, 1, 0, 10), {0, 0, 0.05});
    expect_near(middle_at(scene, 1, 1, 0), {0, 0, 0.05});
    expect_near(middle_at(scene, 1, 1, 5), {0.05, 0, 0.05});
    expect_near(middle_at(scene, 1, 4, 3), {0.1, 0, 0.05});
    std::vector<Vec3d> end, begin;
    ObstacleTimeline timeline(scene);
    for (int phase = 0; phase < 4; ++phase) {  // no gap between the phases, to the bit
        timeline.positions(phase, scene.phases[std::size_t(phase)].steps, end);
        timeline.positions(phase + 1, 0, begin);
        EXPECT_TRUE(begin == end) << phase;
    }
}

TEST(Obstacles, AreActivatedAndDeactivatedByPhases) {
    const Scene scene = build(press_document());
    const ObstacleTimeline timeline(scene);
    std::string there;
    for (int phase = 0; phase < 5; ++phase) there += timeline.present(phase)[2] ? '1' : '0';
    EXPECT_EQ(there, "00110");
    const std::string at = "twist.json: phases[4].";
    EXPECT_EQ(press_complaint("phases.free.activate", {"press"}), "");  // away and back at once
    EXPECT_EQ(press_complaint("phases.free.activate", {"ball"}),
              at + "activate: \"ball\" is there already; give it \"present\": false to begin without it");
    EXPECT_EQ(press_complaint("phases.roll.deactivate", {"press"}),
              "twist.json: phases[1].deactivate: \"press\" is not there");
    EXPECT_EQ(press_complaint("phases.free.deactivate", {"pres"}),
              at + "deactivate[0]: there is no obstacle \"pres\"; did you mean \"press\"?");
    EXPECT_EQ(press_complaint("phases.free.obstacles", {{"bal", "fixed"}}),
              at + "obstacles.bal: there is no obstacle \"bal\"; did you mean \"ball\"?");
    EXPECT_EQ(complaint_with("phases.rest.activate", {"ball"}),
              "twist.json: phases[1].activate[0]: there is no obstacle \"ball\"; the scene has no obstacles");
}

TEST(Obstacles, MistakesAreToldWithTheirPlace) {
    const std::string ball = "twist.json: obstacles[1]";
    EXPECT_EQ(press_complaint("obstacles.ball.shape.kind", "shpere"),
              ball + ".shape.kind: \"shpere\" is unknown; did you mean \"sphere\"?");
    EXPECT_EQ(press_complaint("obstacles.ball.shape.radius", 0),
              ball + ".shape.radius: 0 is out of range; it must be above 0 and at most 1000 m");
    EXPECT_EQ(press_complaint("obstacles.ball.shape.height", 1),
              ball + ".shape: unknown key \"height\"; valid are kind, radius, centre, edge");
    EXPECT_EQ(press_complaint("obstacles.ball.shape.edge", 1e-9).rfind(ball + ".shape.edge: ", 0), 0u);
    EXPECT_EQ(press_complaint("obstacles.ball.mesh", {{"file", "a.obj"}}),
              ball + ": has both \"shape\" and \"mesh\"; give one of them");
    EXPECT_EQ(press_complaint("obstacles.ball", {{"name", "ball"}}),
              ball + ": says too little; give one of shape, mesh, cache, body");
    EXPECT_EQ(press_complaint("obstacles.ball.friction", -1).rfind(ball + ".friction: -1 is out of range", 0),
              0u);
    EXPECT_EQ(press_complaint("obstacles.ball.name", "ground"),
              ball + ".name: two obstacles are called \"ground\"");
    EXPECT_EQ(press_complaint("obstacles.ball.name", "sheet"),
              ball + ".name: two cloths or obstacles are called \"sheet\"");
    EXPECT_EQ(press_complaint("obstacles.ball.shape.radius", 2e-4).rfind(ball + ": the obstacle measures", 0),
              0u);
    EXPECT_EQ(press_complaint("obstacles.ball.shape.radius", 900).rfind(ball + ": the obstacle measures", 0),
              0u);
    EXPECT_EQ(press_complaint("obstacles.press.rigid_body.mass", 0),
              "twist.json: obstacles[2].rigid_body.mass: 0 is out of range; it must be above 0 and at most "
              "100000 kg");
    EXPECT_EQ(press_complaint("phases.press.obstacles", {{"press", {{"translate", {0, 0, 1}}}}}),
              "twist.json: phases[2].obstacles.press: a rigid body with mass moves by itself; to lead it "
              "along a motion leave "
              "out its \"rigid_body\"");
    EXPECT_EQ(press_complaint("phases.roll.obstacles.ball", {{"from", 0}, {"to", 1}}),
              "twist.json: phases[1].obstacles.ball.from: belongs to an obstacle with a \"cache\"; \"ball\" "
              "has none");
    EXPECT_EQ(press_complaint("phases.roll.obstacles.ball", json::object()),
              "twist.json: phases[1].obstacles.ball: says no motion; give rotate, translate or keyframes, or "
              "from and to of a clip, or "
              "write \"fixed\"");
    EXPECT_EQ(press_complaint("obstacles.ball", {{"name", "ball"}, {"mesh", {{"file", "none.obj"}}}}),
              ball + ".mesh.file: there is no file \"none.obj\"; paths start from the scene's folder");
}

TEST(Obstacles, JunkInAnyPlaceIsRefusedInWords) {
    const json whole = press_document().flatten();
    const std::vector<json> junk{nullptr,       true,           -1,    0, 0.5, 1e300, "junk",
                                 json::array(), json::object(), {1, 2}};
    std::set<std::string> places;
    for (const auto& [pointer, value] : whole.items())
        for (std::string p = pointer; !p.empty(); p = p.substr(0, p.rfind('/'))) places.insert(p);
    int refused = 0;
    for (const std::string& place : places)
        for (const json& piece : junk) {
            json document = press_document();
            document[json::json_pointer(place)] = piece;
            refused += !complaint(document).empty();
        }
    EXPECT_GT(refused, 300);
}

TEST(Obstacles, VariantsShareWhatComesBeforeTheyDiffer) {
    const Scene base = build(press_document());
    const auto shared = [&](const json& document) {
        const Scene other = build(document);
        std::string same;
        for (std::size_t k = 0; k < base.phases.size(); ++k)
            same += scene_hashes(base).phases[k] == scene_hashes(other).phases[k] ? '1' : '0';
        EXPECT_NE(scene_hash(other), scene_hash(base));
        return same;
    };
    EXPECT_EQ(shared(press_with("obstacles.press.rigid_body.mass", 3)), "11000");
    EXPECT_EQ(shared(press_with("obstacles.press.friction", 0.1)), "11000");
    EXPECT_EQ(shared(press_with("phases.roll.obstacles.ball.translate", {0.2, 0, 0})), "10000");
    EXPECT_EQ(shared(press_with("phases.free.deactivate", {"press", "ball"})), "11110");
    EXPECT_EQ(shared(press_with("obstacles.ball.friction", 0.3)), "00000");
    EXPECT_EQ(shared(press_with("obstacles.ball.shape.radius", 0.031)), "00000");
    EXPECT_EQ(shared(press_with("contact.friction", 0.3)), "00000");
}

}  // namespace
}  // namespace rumple
