// What a scene's author may get wrong, and the one sentence said about it.
#include <gtest/gtest.h>

#include <rumple/io/json_text.hpp>
#include <set>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

template <class Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string parse_complaint(const std::string& text) {
    return message_of([&] { parse_json(text, "twist.json"); });
}

bool begins_with(const std::string& text, const std::string& beginning) {
    return text.rfind(beginning, 0) == 0;
}

TEST(BadScene, SyntaxErrorsSayLineAndColumn) {
    const std::string text = parse_complaint("{\n  \"rumple\": 1,\n  \"name\" \"twist\"\n}");
    EXPECT_TRUE(begins_with(text, "twist.json:3:")) << text;
    EXPECT_NE(text.find("not JSON; unexpected string literal"), std::string::npos) << text;
    EXPECT_TRUE(begins_with(parse_complaint("{"), "twist.json:1:2: not JSON; unexpected end of input"))
        << parse_complaint("{");
    EXPECT_TRUE(begins_with(parse_complaint("{} x"), "twist.json:1:4: not JSON")) << parse_complaint("{} x");
    EXPECT_TRUE(begins_with(parse_complaint("{\"a\": NaN}"), "twist.json:1:7: not JSON"))
        << parse_complaint("{\"a\": NaN}");
    EXPECT_NE(parse_complaint("{\"a\": 1e999}"), "");
}

TEST(BadScene, KeyTwiceInOneObjectIsRefused) {
    EXPECT_EQ(parse_complaint(R"({"a": {"b": 1}, "c": {"b": 1, "b": 2}})"),
              "twist.json: an object has the key \"b\" twice; remove one of them");
}

TEST(BadScene, UnknownKeysSuggestTheNearest) {
    EXPECT_EQ(complaint_with("phases.rest.durtion", 1),
              "twist.json: phases[1]: unknown key \"durtion\"; did you mean \"duration\"?");
    json document = twist_with("rumple", 1);
    document["gravty"] = {0, 0, 0};
    EXPECT_EQ(complaint(document), "twist.json: unknown key \"gravty\"; did you mean \"gravity\"?");
    EXPECT_EQ(complaint_with("cloths.tube.mesh.raduis", 1),
              "twist.json: cloths[0].mesh: unknown key \"raduis\"; did you mean \"radius\"?");
    EXPECT_EQ(complaint_with("phases.twist.motions.tip", "fixed"),
              "twist.json: phases[0].motions.tip: there is no handle \"tip\"; did you mean \"top\"?");
    EXPECT_NE(complaint_with("cloths.tube.material.fricton", json::object()).find("friction"),
              std::string::npos);
}

TEST(BadScene, NumbersOutOfRangeSayRangeAndUnit) {
    EXPECT_EQ(complaint_with("step.h", 10),
              "twist.json: step.h: 10 is out of range; it must be above 0 and at most 0.1 s");
    EXPECT_EQ(complaint_with("step.h", 0),
              "twist.json: step.h: 0 is out of range; it must be above 0 and at most 0.1 s");
    EXPECT_EQ(complaint_with("step.h", "10 ms"),
              "twist.json: step.h: \"10 ms\" is not a number; give a plain number, in s");
    EXPECT_EQ(
        complaint_with("cloths.tube.mesh.radius", -0.04),
        "twist.json: cloths[0].mesh.radius: -0.04 is out of range; it must be above 0 and at most 1000 m");
    EXPECT_EQ(
        complaint_with("cloths.tube.mesh.around", 2.5),
        "twist.json: cloths[0].mesh.around: 2.5 is out of range; it must be at least 3 and at most 100000");
    EXPECT_EQ(complaint_with("cloths.tube.mesh.around", 3.5),
              "twist.json: cloths[0].mesh.around: 3.5 is not a whole number");
    EXPECT_EQ(complaint_with("phases.hold.hold", -1),
              "twist.json: phases[2].hold: -1 is out of range; it must be at least 0 and at most 1e+12 s of "
              "material time");
    EXPECT_EQ(complaint_with("step.newton", 21),
              "twist.json: step.newton: 21 is out of range; it must be at least 1 and at most 20");
    EXPECT_EQ(complaint_with("gravity", -9.81),
              "twist.json: gravity: -9.81 is not a vector; give three numbers, [x, y, z]");
    EXPECT_EQ(complaint_with("gravity.2", nullptr),
              "twist.json: gravity[2]: null is not a number; give a plain number, in m/s2");
    EXPECT_NE(complaint_with("cloths.tube.material.density", 120), "");
}

TEST(BadScene, DurationIsAWholeNumberOfSteps) {
    EXPECT_EQ(complaint_with("phases.rest.duration", 0.404),
              "twist.json: phases[1].duration: 0.404 s is 40.4 steps of 0.01 s; a phase is a whole number of "
              "steps: "
              "0.4 s would be 40");
    EXPECT_EQ(complaint_with("phases.rest.duration", 0.40000000001), "");
    EXPECT_EQ(complaint_with("step.h", 0.003),
              "twist.json: phases[0].duration: 1 s is 333.333 steps of 0.003 s; a phase is a whole number of "
              "steps: "
              "0.999 s would be 333");
}

TEST(BadScene, HoldAndDurationAreTwoThings) {
    EXPECT_EQ(complaint_with("phases.hold.duration", 1),
              "twist.json: phases[2].duration: a hold has steps instead; \"hold\" is the material time in s, "
              "\"steps\" "
              "the number of steps it takes");
    EXPECT_EQ(complaint_with("phases.rest.steps", 1),
              "twist.json: phases[1].steps: belongs to a hold or a recovery; give a duration, in s");
    EXPECT_EQ(complaint_with("phases.rest", {{"name", "rest"}}),
              "twist.json: phases[1]: the key \"duration\" is missing");
}

TEST(BadScene, HandlesThatSelectNothingSayWhatThereIs) {
    EXPECT_EQ(complaint_with("handles.top.select", {{"box", {{"min", {nullptr, nullptr, 11}}}}}),
              "twist.json: handles[0].select.box: selects no vertex; the cloth reaches from (-0.04, -0.04, "
              "0) to (0.04, "
              "0.04, 0.11) m");
}

TEST(BadScene, HandlesGrabAndReleaseInTurn) {
    EXPECT_EQ(
        complaint_with("phases.rest.grab", {"top"}),
        "twist.json: phases[1].grab: \"top\" is held already; release it in an earlier phase, or give it "
        "\"from_start\": false");
    EXPECT_EQ(complaint_with("handles.top.from_start", false),
              "twist.json: phases[0].motions.top: the handle is not held in this phase; grab it first");
    json document = twist_with("phases.rest.release", {"bottom"});
    document["phases"][4]["release"] = {"bottom"};
    EXPECT_EQ(complaint(document), "twist.json: phases[4].release: \"bottom\" is not held");
    EXPECT_EQ(complaint_with("phases.rest.release", {"button"}),
              "twist.json: phases[1].release[0]: there is no handle \"button\"; did you mean \"bottom\"?");
}

TEST(BadScene, VertexWithTwoHandlesIsNamedAsItsClothCountsIt) {
    json document = twist_with("handles", json::array());
    document["cloths"].push_back(document["cloths"][0]);
    document["cloths"][1]["name"] = "second";
    document["handles"] = {{{"name", "top"}, {"cloth", "second"}, {"select", {{"ring", "top"}}}},
                           {{"name", "one"}, {"cloth", "second"}, {"select", {{"vertices", {100}}}}}};
    document["phases"][0].erase("motions");
    document["phases"][3].erase("motions");
    EXPECT_EQ(
        complaint(document),
        "twist.json: phases[0]: handles \"top\" and \"one\" both hold vertex 100 of \"second\"; a vertex "
        "has one handle at a time");
}

TEST(BadScene, TwoHandlesCannotHoldOneVertexAtOnce) {
    json document = twist_with("handles.bottom.select", {{"vertices", {0, 100}}});
    EXPECT_EQ(complaint(document),
              "twist.json: phases[0]: handles \"top\" and \"bottom\" both hold vertex 100 of \"tube\"; a "
              "vertex has one "
              "handle at a "
              "time");
    document["handles"][1]["from_start"] = false;
    document["phases"][0]["motions"].erase("bottom");
    EXPECT_EQ(complaint(document), "");
    document["phases"][1]["grab"] = {"bottom"};
    EXPECT_TRUE(begins_with(complaint(document), "twist.json: phases[1]: handles")) << complaint(document);
    document["phases"][1]["release"] = {"top"};
    document["phases"][3].erase("motions");
    EXPECT_EQ(complaint(document), "");
}

TEST(BadScene, MotionsThatContradictThemselves) {
    const std::string top = "phases.twist.motions.top";
    const std::string at = "twist.json: phases[0].motions.top";
    EXPECT_EQ(complaint_with(top, json::object()),
              at + ": says no motion; give rotate, translate or keyframes, or write \"fixed\"");
    EXPECT_EQ(complaint_with(top, "fixd"), at + ": \"fixd\" is unknown; did you mean \"fixed\"?");
    EXPECT_EQ(complaint_with(top + ".rotate.radians", 1),
              at + ".rotate: has both \"degrees\" and \"radians\"; give one of them");
    EXPECT_EQ(complaint_with(top + ".axis", {0, 0, 1}),
              at + ".axis: does not belong here; write it inside \"rotate\", or give \"keyframes\"");
    EXPECT_EQ(complaint_with(top + ".rotate.axis", {0, 0, 0}),
              at + ".rotate.axis: a direction cannot be [0, 0, 0]");
    EXPECT_EQ(complaint_with(top, {{"keyframes", {{{"time", 2}}}}}),
              at + ".keyframes[0].time: 2 is out of range; it must be at least 0 and at most 1 s, the "
                   "phase's duration");
    EXPECT_EQ(complaint_with(top, {{"keyframes", {{{"time", 0}, {"degrees", 1}}}}}),
              at + ".keyframes[0]: makes the handle jump; motion at time 0 must be none");
    EXPECT_EQ(complaint_with(top, {{"keyframes", {{{"time", 0.5}}, {{"time", 0.5}}}}}),
              at + ".keyframes[1].time: is not after the keyframe before it");
}

TEST(BadScene, NamesAreFitForFilesAndPaths) {
    EXPECT_EQ(complaint_with("cloths.tube.name", "../tube"),
              "twist.json: cloths[0].name: \"../tube\" cannot be a name; names are letters, digits, _ and -, "
              "at most 100 "
              "of them and not digits alone");
    for (const char* name : {"", "7", "a.b", "a b", "a/b"})
        EXPECT_NE(complaint_with("phases.rest.name", name), "") << name;
    EXPECT_EQ(complaint_with("phases.rest.name", "twist"),
              "twist.json: phases[1].name: two phases are called \"twist\"");
}

TEST(BadScene, VersionAndMissingPartsAreSaid) {
    EXPECT_EQ(complaint_with("rumple", 2),
              "twist.json: rumple: scenes of version 2 are unknown; this program reads version 1");
    json document = twist_with("rumple", 1);
    document.erase("cloths");
    EXPECT_EQ(complaint(document), "twist.json: the key \"cloths\" is missing");
    EXPECT_EQ(complaint_with("cloths", json::array()),
              "twist.json: cloths: the list is empty; a scene has at least one cloth");
    EXPECT_EQ(complaint(json::array()), "twist.json: [] stands where an object belongs; write { ... }");
    EXPECT_EQ(complaint_with("recovery_from", "hodl"),
              "twist.json: recovery_from: \"hodl\" is unknown; did you mean \"hold\"?");
    EXPECT_EQ(complaint_with("cloths.tube.material", "cottn"),
              "twist.json: cloths[0].material: there is no material \"cottn\"; did you mean \"cotton\"?");
    EXPECT_EQ(complaint_with("cloths.tube.mesh", {{"generator", "tub"}}),
              "twist.json: cloths[0].mesh.generator: \"tub\" is unknown; did you mean \"tube\"?");
}

// Every value of the twist replaced by things that do not belong there: a scene or an InputError, nothing
// else.
TEST(BadScene, JunkInAnyPlaceIsRefusedInWords) {
    const json whole = twist_document().flatten();
    std::set<std::string> places;
    for (const auto& [pointer, value] : whole.items())
        for (std::string p = pointer; !p.empty(); p = p.substr(0, p.rfind('/'))) places.insert(p);
    const std::vector<json> junk{nullptr,       true,           -1,     0,
                                 0.5,           1e300,          "junk", "",
                                 json::array(), json::object(), {1, 2}, {nullptr, nullptr, nullptr},
                                 {{"a", 1}}};
    int refused = 0;
    for (const std::string& place : places)
        for (const json& piece : junk) {
            json document = twist_document();
            document[json::json_pointer(place)] = piece;
            refused += !complaint(document).empty();  // another exception would fail the test
        }
    EXPECT_GT(refused, 500);
}

TEST(BadScene, AnyMissingPartIsRefusedInWordsOrHasADefault) {
    const json whole = twist_document().flatten();
    for (const auto& [pointer, value] : whole.items())
        for (std::string p = pointer; !p.empty(); p = p.substr(0, p.rfind('/'))) {
            json document = twist_document();
            json& parent = document[json::json_pointer(p).parent_pointer()];
            const std::string key = json::json_pointer(p).back();
            parent.is_array() ? parent.erase(std::stoul(key)) : static_cast<void>(parent.erase(key));
            EXPECT_NO_THROW(complaint(document)) << p;
        }
}

}  // namespace
}  // namespace rumple
