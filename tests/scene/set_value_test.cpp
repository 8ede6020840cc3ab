#include <gtest/gtest.h>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

std::string refusal(const std::string& path, const std::string& value = "1") {
    nlohmann::json document = twist_document();
    try {
        set_value(document, path, value);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SetValue, FollowsKeysIndicesAndNames) {
    nlohmann::json document = twist_document();
    set_value(document, "step.h", "0.005");
    EXPECT_EQ(document["step"]["h"], 0.005);
    set_value(document, "phases.hold.steps", "7");
    EXPECT_EQ(document["phases"][2]["steps"], 7);
    set_value(document, "phases.1.duration", "0.2");
    EXPECT_EQ(document["phases"][1]["duration"], 0.2);
    set_value(document, "gravity.2", "-9.81");
    EXPECT_EQ(document["gravity"][2], -9.81);
}

TEST(SetValue, TakesJsonOrElseText) {
    nlohmann::json document = twist_document();
    set_value(document, "cloths.0.material", "denim");
    EXPECT_EQ(document["cloths"][0]["material"], "denim");
    set_value(document, "cloths.0.material", "\"denim\"");
    EXPECT_EQ(document["cloths"][0]["material"], "denim");
    set_value(document, "cloths.0.material", R"({"preset": "denim"})");
    EXPECT_EQ(document["cloths"][0]["material"]["preset"], "denim");
    set_value(document, "handles.top.from_start", "false");
    EXPECT_EQ(document["handles"][0]["from_start"], false);
}

TEST(SetValue, CreatesAKeyThatWasLeftToItsDefault) {
    nlohmann::json document = twist_document();
    set_value(document, "damping.stiffness", "0.001");
    EXPECT_EQ(document["damping"]["stiffness"], 0.001);
    EXPECT_EQ(build(document, "held").stiffness_damping, 0.001);
}

TEST(SetValue, OpensAPresetForChanges) {
    nlohmann::json document = twist_document();
    set_value(document, "cloths.tube.material", "polyester");
    set_value(document, "cloths.tube.material.friction.d_c", "0");
    EXPECT_EQ(build(document, "held").cloths[0].material.friction.d_c, 0);
    EXPECT_EQ(build(document, "held").cloths[0].material.density, 0.18);
}

TEST(SetValue, SuggestsTheNearestNameWhereAPathLeadsNowhere) {
    EXPECT_EQ(refusal("pahses.hold.steps"),
              "pahses.hold.steps: a scene has no key \"pahses\"; did you mean \"phases\"?");
    EXPECT_EQ(refusal("phases.hodl.steps"),
              "phases.hodl.steps: phases has no element named \"hodl\"; did you mean \"hold\"?");
    EXPECT_EQ(refusal("phases.5.steps"), "phases.5.steps: phases has 5 elements, counted from 0");
    EXPECT_EQ(refusal("gravity.z"), "gravity.z: gravity has no element named \"z\"");
    EXPECT_EQ(refusal("step.h.x"), "step.h.x: step.h is 0.01 and holds no \"x\"");
    EXPECT_EQ(refusal("step..h"),
              "\"step..h\" is not a path; write keys, names and numbers with dots between them, "
              "like phases.hold.steps");
    EXPECT_EQ(refusal(""),
              "\"\" is not a path; write keys, names and numbers with dots between them, like "
              "phases.hold.steps");
    nlohmann::json empty = nlohmann::json::object();
    EXPECT_THROW(set_value(empty, "phases.hold.steps", "1"), InputError);
}

TEST(SetValue, RefusesBytesThatAreNotText) {
    EXPECT_EQ(refusal("description", "\xff\xfe"), "a value to set is not text in UTF-8");
    EXPECT_EQ(refusal("step.\xff", "1"), "a value to set is not text in UTF-8");
}

TEST(SetValue, KeyThatIsNotValidIsRefusedWhenTheSceneIsBuilt) {
    EXPECT_EQ(complaint_with("step.newtonn", 3),
              "twist.json: step: unknown key \"newtonn\"; did you mean \"newton\"?");
}

}  // namespace
}  // namespace rumple
