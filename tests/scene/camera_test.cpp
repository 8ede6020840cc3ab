// Cameras of a scene: read, refused, and no part of what identifies a run.
#include <gtest/gtest.h>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

json camera(const std::string& name, json eye, json target) {
    return {{"name", name}, {"eye", std::move(eye)}, {"target", std::move(target)}};
}

TEST(SceneCameras, AreReadInTheirOrder) {
    json near = camera("near", {1, -2, 0.5}, {0, 0, 0.1});
    near["fov"] = 30;
    const Scene scene = build(twist_with("cameras", json{near, {{"name", "behind"}, {"view", "back"}}}));
    ASSERT_EQ(scene.cameras.size(), 2u);
    EXPECT_EQ(scene.cameras[0].eye, (Vec3d{1, -2, 0.5}));
    EXPECT_EQ(scene.cameras[0].fov, 30);
    EXPECT_FALSE(scene.cameras[0].view.has_value());
    ASSERT_TRUE(scene.cameras[1].view.has_value());
    EXPECT_EQ(kViewNames[*scene.cameras[1].view], "back");
}

TEST(SceneCameras, DoNotChangeTheRun) {
    const Scene without = build(twist_with("name", "twist"));
    const Scene with = build(twist_with("cameras", json::array({camera("near", {1, 0, 0}, {0, 0, 0})})));
    EXPECT_EQ(scene_hash(without), scene_hash(with));
    EXPECT_EQ(scene_hashes(without).phases, scene_hashes(with).phases);
    EXPECT_NE(scene_hash(without),
              scene_hash(build(twist_with("output.memory", true))));  // it has other files
}

TEST(SceneCameras, SayWhatIsWrongAndWhere) {
    const auto complaint_of = [](const json& cameras) { return complaint(twist_with("cameras", cameras)); };
    const auto says = [](const std::string& text, const std::string& word) {
        EXPECT_NE(text.find(word), std::string::npos) << text;
    };
    says(complaint_of(json::array({camera("a", {1, 0, 0}, {1, 0, 0})})), "cameras[0].target");
    says(complaint_of(json::array({camera("a", {1, 0, 0}, {1, 0, 0})})), "same point");
    says(complaint_of(json::array({camera("a", {0, 0, 1}, {0, 0, 0})})), "up direction");
    says(complaint_of({camera("a", {1, 0, 0}, {0, 0, 0}), camera("a", {1, 0, 0}, {0, 0, 0})}), "two cameras");
    says(complaint_of(json::array({json{{"name", "a"}, {"view", "bakc"}}})), "back");
}

TEST(SceneCameras, SurviveTheWayThroughASummary) {
    json near = camera("near", {1, -2, 0.5}, {0, 0, 0.1});
    near["up"] = {0, 1, 0};
    for (const json& document : {near, json{{"name", "behind"}, {"view", "top"}}}) {
        const Scene scene = build(twist_with("cameras", json::array({document})));
        const auto back = camera_from_json(to_json(scene.cameras[0]));
        ASSERT_TRUE(back.has_value());
        EXPECT_EQ(to_json(*back), to_json(scene.cameras[0]));
    }
    EXPECT_FALSE(camera_from_json(json{{"name", "x"}}).has_value());
}

}  // namespace
}  // namespace rumple
