// Obstacles that deform along a cache: times, interpolation, phases, and files that do not fit.
#include <gtest/gtest.h>

#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/solids.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/scene_hash.hpp>

#include "scene/obstacle_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

// A box that rises by 1 m a sample, over four samples at 10 a second.
class ObstacleClipFiles : public SceneFolder {
  protected:
    ObstacleClipFiles() {
        write_obj(folder / "box.obj", box(0));
        Pc2Writer cache = Pc2Writer::create(folder / "box.pc2", 8);
        std::filesystem::create_directories(folder / "frames");
        for (int i = 0; i < 4; ++i) {
            cache.append(box(i).positions);
            write_obj(folder / "frames" / ("box_" + std::to_string(8 + i) + ".obj"), box(i));
        }
        std::vector<std::vector<Vec3d>> frames;
        for (int i = 0; i < 4; ++i) frames.push_back(box(i).positions);
        write_mdd(folder / "box.mdd", std::vector<double>{5, 5.1, 5.2, 5.3}, frames);
    }
    static TriMesh box(double height) {
        TriMesh mesh = make_box({0.1, 0.1, 0.1});
        for (Vec3d& x : mesh.positions) x.z += height;
        return mesh;
    }
    static json document(const json& cache) {
        json all = press_document();
        all["obstacles"] = {{{"name", "box"}, {"cache", cache}}};
        all["phases"] =
            json::parse(R"([{"name": "a", "duration": 0.1}, {"name": "hold", "hold": 5, "steps": 10},
                                        {"name": "b", "duration": 0.1}])");
        return all;
    }
    double height(const Scene& scene, int phase, int step) {
        std::vector<Vec3d> all;
        ObstacleTimeline(scene).positions(phase, step, all);
        return all.front().z + 0.05;
    }
    std::string said(const json& cache) { return complaint(document(cache), folder); }
};

TEST_F(ObstacleClipFiles, RunsAlongWithDynamicTimeAndStandsInHolds) {
    const Scene scene = build(document({{"file", "box.pc2"}, {"rate", 10}}), "", folder);
    EXPECT_EQ(scene.obstacles[0].kind, "cache");
    EXPECT_TRUE(scene.obstacles[0].moves);
    EXPECT_NEAR(scene.obstacles[0].clip->duration(), 0.3, 1e-12);
    EXPECT_NEAR(height(scene, 0, 0), 0, 1e-7);
    EXPECT_NEAR(height(scene, 0, 5), 0.5, 1e-7);  // half way between two samples
    EXPECT_NEAR(height(scene, 0, 10), 1, 1e-7);
    EXPECT_NEAR(height(scene, 1, 7), 1, 1e-7);
    EXPECT_NEAR(height(scene, 2, 10), 2, 1e-7);
}

TEST_F(ObstacleClipFiles, SequencesAndMddAreTheSameClip) {
    for (const json& cache : {json{{"file", "frames"}, {"rate", 10}},
                              json{{"file", "frames/box_*.obj"}, {"rate", 10}}, json{{"file", "box.mdd"}}}) {
        const Scene scene = build(document(cache), "", folder);
        EXPECT_NEAR(height(scene, 0, 5), 0.5, 1e-5) << cache;
        EXPECT_NEAR(height(scene, 2, 10), 2, 1e-5) << cache;
    }
}

TEST_F(ObstacleClipFiles, StartSpeedEndsScaleAndPlaceAreApplied) {
    json cache{{"file", "box.pc2"}, {"rate", 10}, {"start", 0.2}, {"speed", 2}};
    Scene scene = build(document(cache), "", folder);
    EXPECT_NEAR(height(scene, 0, 0), 2, 1e-6);
    EXPECT_NEAR(height(scene, 0, 3), 2.6, 1e-6);
    EXPECT_NEAR(height(scene, 2, 10), 3, 1e-6);  // held at its last sample
    cache["ends"] = "loop";
    scene = build(document(cache), "", folder);
    EXPECT_NEAR(height(scene, 0, 10), 1, 1e-6);
    EXPECT_EQ(scene.warnings.size(), 1u);  // it jumps from 3 to 0
    cache = {{"file", "box.pc2"}, {"rate", 10}, {"scale", 0.1}, {"speed", -1}, {"start", 0.1}};
    json all = document(cache);
    all["obstacles"][0]["place"] = {{"translate", {0, 0, 7}}};
    scene = build(all, "", folder);
    std::vector<Vec3d> x;
    ObstacleTimeline(scene).positions(0, 5, x);
    EXPECT_NEAR(x.front().z, 7 + 0.1 * (0.5 - 0.05), 1e-6);
}

TEST_F(ObstacleClipFiles, PhasesPlayHoldAndPlayBack) {
    json all = document({{"file", "box.pc2"}, {"rate", 10}});
    all["phases"][0]["obstacles"] = {{"box", {{"from", 0}, {"to", 0.3}}}};
    all["phases"][1]["obstacles"] = {{"box", {{"to", 0.1}, {"ease", "smooth"}, {"translate", {0, 0, 5}}}}};
    all["phases"][2]["obstacles"] = {{"box", "fixed"}};
    const Scene scene = build(all, "", folder);
    EXPECT_NEAR(height(scene, 0, 5), 1.5, 1e-6);
    EXPECT_NEAR(height(scene, 1, 0), 3, 1e-6);
    EXPECT_NEAR(height(scene, 1, 10), 6, 1e-6);
    EXPECT_NEAR(height(scene, 2, 10), 6, 1e-6);
    all["phases"][2]["obstacles"] = {{"box", {{"from", 0.2}, {"to", 0.3}}}};
    EXPECT_EQ(
        complaint(all, folder),
        "twist.json: phases[2].obstacles.box.from: the clip would jump: as the phase begins it is at 0.1 s; "
        "leave \"from\" out to continue from there");
    all["obstacles"][0]["present"] = false;
    all["phases"][2]["activate"] = {"box"};
    EXPECT_EQ(complaint(all, folder), "");  // nobody sees it jump
    all["phases"][2]["obstacles"]["box"]["to"] = 1;
    EXPECT_NE(complaint(all, folder).find("0.3 s, the clip's duration"), std::string::npos)
        << complaint(all, folder);
}

TEST_F(ObstacleClipFiles, ContentsCountForTheHash) {
    const json all = document({{"file", "box.pc2"}, {"rate", 10}});
    const std::string before = scene_hash(build(all, "", folder));
    Pc2Writer cache = Pc2Writer::create(folder / "box.pc2", 8);
    for (int i = 0; i < 4; ++i) cache.append(box(i * 1.001).positions);
    EXPECT_NE(scene_hash(build(all, "", folder)), before);
}

TEST_F(ObstacleClipFiles, FilesThatDoNotFitAreToldSo) {
    const std::string at = "twist.json: obstacles[0].cache";
    EXPECT_EQ(said({{"file", "none.pc2"}}).rfind(at + ".file: there is no file", 0), 0u);
    write_obj(folder / "sphere.obj", make_sphere(0.1, 0.05));
    EXPECT_NE(said({{"file", "box.pc2"}, {"mesh", "sphere.obj"}}).find("the cache has 8 vertices"),
              std::string::npos);
    EXPECT_NE(said({{"file", "box.mdd"}, {"rate", 3}}).find("has its own times"), std::string::npos);
    EXPECT_NE(said({{"file", "frames"}, {"mesh", "box.obj"}}).find("its own triangles"), std::string::npos);
    EXPECT_NE(said({{"file", "frames/*.ply"}}).find("fits"), std::string::npos);
    EXPECT_NE(said({{"file", "box.pc2"}, {"start", 2}}).find("it lasts from 0 to 0.1 s"), std::string::npos);
    write_obj(folder / "frames" / "box_99.obj", make_sphere(0.1, 0.05));
    EXPECT_NE(said({{"file", "frames"}}).find("\"box_99.obj\" has other triangles"), std::string::npos);
    Pc2Writer::create(folder / "lonely.pc2", 8).append(box(0).positions);
    EXPECT_NE(said({{"file", "lonely.pc2"}}).find("name its \"mesh\""), std::string::npos);
    json all = document({{"file", "box.pc2"}});
    all["obstacles"][0]["rigid_body"] = {{"mass", 1}};
    EXPECT_NE(complaint(all, folder).find("cannot follow a clip"), std::string::npos);
}

}  // namespace
}  // namespace rumple
