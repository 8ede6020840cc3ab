// Bodies, garments cut to them, what is attached to them; and scenes that `dress` plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/io/obj.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/attachment.hpp>
#include <rumple/scene/dress.hpp>

#include "real_body.hpp"
#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

// As coarse as bodies and garments get.
json dressed_document() {
    return json::parse(R"({
      "rumple": 1, "name": "dressed",
      "cloths": [{"name": "trousers", "mesh": {"garment": "trousers", "edge": 0.04}, "material": "denim"}],
      "handles": [{"name": "band", "select": {"set": "waistband"}, "attach": "person"}],
      "obstacles": [{"name": "person", "body": {"mannequin": {"edge": 0.05}, "clip": "sit"}}],
      "phases": [{"name": "sit", "duration": 0.1, "obstacles": {"person": {"to": 1.5}}}]
    })");
}

// Made once: bodies and garments take a second.
const std::shared_ptr<AssetCache> kWardrobe = std::make_shared<AssetCache>();

Scene built(const json& document) {
    const SceneFile file{document, "dressed.json", {}, kWardrobe};
    return build_scene(file, expand_variants(file).front());
}

std::string said_of(const json& document) {
    try {
        built(document);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

json dressed_with(const std::string& path, const json& value) {
    json document = dressed_document();
    set_json(document, path, value);
    return document;
}

TEST(DressedScene, GarmentIsCutToTheBodyAndBringsItsNames) {
    const Scene scene = built(dressed_document());
    const SceneCloth& trousers = scene.cloths.at(0);
    for (const char* name : {"waist", "waistband", "seat", "groin", "behind_knee_left", "cuff_right"})
        EXPECT_TRUE(trousers.sets.contains(name)) << name;
    EXPECT_EQ(scene.handles.at(0).vertices, trousers.sets.at("waistband"));
    EXPECT_EQ(scene.handles.at(0).attach, 0);
    EXPECT_EQ(scene.obstacles.at(0).kind, "body");
    EXPECT_NEAR(scene.obstacles.at(0).clip->duration(), 3, 1e-12);
    // It crosses nothing. With edges of 40 mm, the longest, chance decides: a chord may cut the seat.
    const Scene finer = built(dressed_with("cloths.trousers.mesh.edge", 0.036));
    EXPECT_TRUE(finer.warnings.empty()) << finer.warnings.front();
    double low = 1e9, high = -1e9;
    for (const Vec3d& x : trousers.mesh.positions) low = std::min(low, x.z), high = std::max(high, x.z);
    EXPECT_NEAR(low, 0.09, 0.03);  // cuffs
    EXPECT_NEAR(high, 1.05, 0.1);  // waist
}

TEST(DressedScene, WhatIsWrongIsReported) {
    const auto expect = [](const json& document, const std::string& part) {
        const std::string said = said_of(document);
        EXPECT_NE(said.find(part), std::string::npos) << "'" << part << "' is not in: " << said;
    };
    expect(dressed_with("handles.band.select.set", "waistbnd"),
           "no vertices called \"waistbnd\"; did you mean");
    expect(dressed_with("handles.band.attach", "persn"), "there is no obstacle \"persn\"");
    expect(dressed_with("phases.sit.motions", {{"band", {{"translate", {0, 0, 1}}}}}),
           "the handle is attached to an obstacle");
    expect(dressed_with("obstacles.person.body.clip", "sitt"), "obstacles[0].body.clip");
    expect(dressed_with("obstacles.person.body.mannequin.height", 17), "at least 1 and at most 2.5");
    expect(dressed_with("cloths.trousers.mesh.body", "me"), "there is no obstacle \"me\"");
    expect(dressed_with("cloths.trousers.mesh.edge", 0.5), "cloths[0].mesh");
    expect(dressed_with("cloths.trousers.mesh.colour", 1), "colour");
    expect(twist_with("handles.top.select", {{"set", "waist"}}), "the cloth has no named vertices");
}

TEST(DressedScene, ClipAndGarmentDecideTheHash) {
    const std::string hash = scene_hash(built(dressed_document()));
    EXPECT_EQ(scene_hash(built(dressed_with("cloths.trousers.mesh.rise", 0.85))), hash);  // the default
    EXPECT_NE(scene_hash(built(dressed_with("cloths.trousers.mesh.rise", 0.8))), hash);
    EXPECT_NE(scene_hash(built(dressed_with("obstacles.person.body.clip", "lift_leg"))), hash);
}

// A strip of skin in z = 0 and points above it.
struct Skin {
    std::vector<Vec3d> x;
    std::vector<std::array<int, 3>> triangles;
    std::vector<Vec3d> points{{0.05, 0.01, 0.006}, {0.31, 0.05, 0.01}};
    Skin() {
        for (int i = 0; i <= 40; ++i)
            for (int j = 0; j <= 10; ++j) x.push_back({0.01 * i, 0.01 * j, 0});
        for (int i = 0; i < 40; ++i)
            for (int j = 0; j < 10; ++j) {
                const int a = 11 * i + j;
                triangles.push_back({a, a + 11, a + 1});
                triangles.push_back({a + 11, a + 12, a + 1});
            }
    }
};

TEST(Attachment, GoesExactlyAlongWithARigidMotion) {
    const Skin skin;
    const Attachment attachment(skin.points, skin.x, skin.triangles);
    const Pose pose{rotation({0.6, 0, 0.8}, 1.1), {0.3, -2, 1}};
    std::vector<Vec3d> moved, targets;
    for (const Vec3d& x : skin.x) moved.push_back(pose.apply(x));
    attachment.add_targets(moved, targets);
    ASSERT_EQ(targets.size(), skin.points.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        EXPECT_LT(norm(targets[i] - pose.apply(skin.points[i])), 1e-12);
}

TEST(Attachment, KeepsItsDistanceWhenTheSurfaceBends) {
    const Skin skin;
    const Attachment attachment(skin.points, skin.x, skin.triangles);
    constexpr double kRadius = 0.1;  // rolled up around the Y axis, the points outside
    std::vector<Vec3d> bent, targets;
    for (const Vec3d& x : skin.x)
        bent.push_back({kRadius * std::sin(x.x / kRadius), x.y, kRadius * std::cos(x.x / kRadius)});
    attachment.add_targets(bent, targets);
    for (std::size_t i = 0; i < targets.size(); ++i)
        EXPECT_NEAR(std::hypot(targets[i].x, targets[i].z), kRadius + skin.points[i].z, 2e-3);
}

std::vector<std::string> names_of(const json& phases) {
    std::vector<std::string> names;
    for (const json& phase : phases) names.push_back(phase["name"]);
    return names;
}

TEST(Dress, PlaysTheClipToItsExtremeHoldsAndPlaysItBack) {
    const DressPlan plan =
        plan_dress({.garment = "trousers", .body = "mannequin", .clip = "sit", .hold = 600, .edge = 0.04});
    const json& phases = plan.scene["phases"];
    EXPECT_EQ(names_of(phases),
              (std::vector<std::string>{"settle", "play", "rest", "hold", "back", "stand"}));
    EXPECT_NEAR(phases[1]["obstacles"]["body"]["to"].get<double>(), 1.5, 0.1);
    EXPECT_EQ(phases[3]["hold"], 600);
    EXPECT_LT(phases[4]["obstacles"]["body"]["to"].get<double>(), 0.2);
    EXPECT_EQ(plan.scene["handles"][0]["attach"], "body");
    EXPECT_EQ(complaint(plan.scene), "");
}

TEST_F(SceneFolder, DressConvertsUnitsAndAxesOfThirdPartyFiles) {
    const Mannequin body = make_mannequin({.edge_length = 0.05});
    TriMesh standing = body.mesh;
    standing.positions = body.positions(Clip::stand, 0);
    TriMesh trousers = make_trousers(standing, {.edge_length = 0.036}).mesh;
    const std::size_t waist = make_trousers(standing, {.edge_length = 0.036}).set("waist").size();
    for (TriMesh* mesh : {&standing, &trousers})
        for (Vec3d& x : mesh->positions) x = 1000 * Vec3d{x.x, x.z, -x.y};  // millimetres, Y up
    write_obj(folder / "body.obj", standing);
    write_obj(folder / "trousers.obj", trousers);
    const DressPlan plan =
        plan_dress({.garment = folder / "trousers.obj", .body = folder / "body.obj", .material = "denim"});
    EXPECT_EQ(plan.scene["obstacles"][0]["mesh"]["scale"], 0.001);
    EXPECT_EQ(plan.scene["obstacles"][0]["mesh"]["up"], "y");
    EXPECT_EQ(plan.scene["cloths"][0]["mesh"]["scale"], 0.001);
    EXPECT_EQ(plan.scene["cloths"][0]["material"], "denim-garment");
    EXPECT_EQ(names_of(plan.scene["phases"]), (std::vector<std::string>{"settle", "hold"}));
    const std::string own = write("own.json", R"({"preset": "cotton", "density": 0.123})");
    const DressPlan worn =
        plan_dress({.garment = folder / "trousers.obj", .body = folder / "body.obj", .material = own});
    EXPECT_EQ(build(worn.scene).cloths.at(0).material.density, 0.123);
    const Scene scene = build(plan.scene);
    EXPECT_EQ(scene.handles.at(0).vertices.size(), waist);
    for (int v : scene.handles[0].vertices) EXPECT_GT(scene.cloths[0].mesh.positions[std::size_t(v)].z, 0.9);
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
}

TEST_F(SceneFolder, DressRefusesWhatDoesNotFit) {
    const auto said = [](DressOptions options) -> std::string {
        try {
            plan_dress(options);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(said({.garment = "skirt", .body = "mannequin"}).find("skirt: there is no such file"),
              std::string::npos);
    EXPECT_NE(said({.garment = "trousers", .body = "nobody.glb"}).find("there is no such file"),
              std::string::npos);
    EXPECT_NE(said({.garment = "trousers", .body = "mannequin", .clip = "fly"}).find("fly"),
              std::string::npos);
    write("note.txt", "");
    EXPECT_NE(said({.garment = "trousers", .body = folder / "note.txt"}).find("this is no body"),
              std::string::npos);
    TriMesh far;
    far.positions = {{50, 0, 0}, {51, 0, 0}, {50, 1, 0}};
    far.triangles = {{0, 1, 2}};
    write_obj(folder / "far.obj", far);
    EXPECT_NE(said({.garment = folder / "far.obj", .body = "mannequin"}).find("does not lie on the body"),
              std::string::npos);
}

// A real body as glTF, and as a mesh with a cache.
TEST(Dress, TakesARealBodyAsGltfAndAsCacheAlike) {
    ScratchFolder folder;
    std::filesystem::copy(real_body_folder() / "body.glb", folder / "body.glb");
    const GltfModel model = real_body();
    for (const std::string clip : {"sit", "lift_leg", "bend_arms"}) {
        write_clip_cache(model, clip, folder.path());
        const auto plan = [&](const std::string& body) {
            return plan_dress({.garment = clip == "bend_arms" ? "tshirt" : "trousers",
                               .body = folder / body,
                               .clip = clip,
                               .edge = 0.03})
                .scene;
        };
        const json gltf = plan("body.glb"), cache = plan(clip + "_rest.obj");
        EXPECT_NEAR(gltf["phases"][1]["obstacles"]["body"]["to"].get<double>(),
                    cache["phases"][1]["obstacles"]["body"]["to"].get<double>(), 0.05);
        const Scene a = build(gltf), b = build(cache);
        EXPECT_TRUE(a.warnings.empty()) << a.warnings.front();
        const ObstacleClip &from_gltf = *a.obstacles[0].clip, &from_cache = *b.obstacles[0].clip;
        double furthest = 0;
        for (std::size_t i = 0; i < from_cache.times.size(); ++i) {
            const auto at =
                std::lower_bound(from_gltf.times.begin(), from_gltf.times.end(), from_cache.times[i] - 1e-6);
            ASSERT_NEAR(*at, from_cache.times[i], 1e-6);
            const std::vector<Vec3d> x = from_gltf.sample(std::size_t(at - from_gltf.times.begin())),
                                     y = from_cache.sample(i);
            ASSERT_EQ(x.size(), y.size());
            for (std::size_t v = 0; v < x.size(); ++v) furthest = std::max(furthest, norm(x[v] - y[v]));
        }
        EXPECT_LT(furthest, 1e-5) << clip;
    }
}

}  // namespace
}  // namespace rumple
