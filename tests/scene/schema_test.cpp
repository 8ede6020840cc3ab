// docs/scene.schema.json and the reader say the same: the same keys, and the same verdict on examples.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <rumple/scene/scene_keys.hpp>
#include <set>

#include "scene/obstacle_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

json schema() {
    std::ifstream file(std::string(RUMPLE_SOURCE_DIR) + "/docs/scene.schema.json");
    return json::parse(file);
}

// The part of JSON Schema that the file uses.
class Validator {
  public:
    explicit Validator(json root) : root_(std::move(root)) {}
    bool accepts(const json& value) const { return valid(root_, value); }

  private:
    bool valid(const json& s, const json& value) const {
        if (s.contains("$ref")) {
            const std::string name = s["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
            if (!valid(root_.at("$defs").at(name), value)) return false;
        }
        if (s.contains("const") && s["const"] != value) return false;
        if (s.contains("enum") && std::find(s["enum"].begin(), s["enum"].end(), value) == s["enum"].end())
            return false;
        if (s.contains("type") && !has_type(s["type"], value)) return false;
        const auto count = [&](const char* key) {
            return std::count_if(s[key].begin(), s[key].end(),
                                 [&](const json& one) { return valid(one, value); });
        };
        if (s.contains("oneOf") && count("oneOf") != 1) return false;
        if (s.contains("not") && valid(s["not"], value)) return false;
        if (s.contains("anyOf") && count("anyOf") == 0) return false;
        if (value.is_number()) return number_fits(s, value.get<double>());
        if (value.is_string())
            return !s.contains("pattern") ||
                   std::regex_search(value.get<std::string>(), std::regex(s["pattern"].get<std::string>()));
        if (value.is_array()) return array_fits(s, value);
        return !value.is_object() || object_fits(s, value);
    }

    static bool has_type(const json& type, const json& value) {
        if (type.is_array())
            return std::any_of(type.begin(), type.end(),
                               [&](const json& one) { return has_type(one, value); });
        if (type == "number") return value.is_number();
        if (type == "integer")
            return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
        return type == value.type_name();
    }
    static bool number_fits(const json& s, double x) {
        return x >= s.value("minimum", -HUGE_VAL) && x <= s.value("maximum", HUGE_VAL) &&
               x > s.value("exclusiveMinimum", -HUGE_VAL) && x < s.value("exclusiveMaximum", HUGE_VAL);
    }
    bool array_fits(const json& s, const json& value) const {
        if (value.size() < s.value("minItems", std::size_t{0}) ||
            value.size() > s.value("maxItems", std::size_t{1000000}))
            return false;
        return !s.contains("items") || std::all_of(value.begin(), value.end(),
                                                   [&](const json& one) { return valid(s["items"], one); });
    }
    bool object_fits(const json& s, const json& value) const {
        for (const json& key : s.value("required", json::array()))
            if (!value.contains(key.get<std::string>())) return false;
        const json dependent = s.value("dependentRequired", json::object());
        for (const auto& [key, needs] : dependent.items())
            for (const json& need : needs)
                if (value.contains(key) && !value.contains(need.get<std::string>())) return false;
        if (value.size() < s.value("minProperties", std::size_t{0}) ||
            value.size() > s.value("maxProperties", std::size_t{1000000}))
            return false;
        for (const auto& [key, member] : value.items()) {
            if (s.contains("properties") && s["properties"].contains(key)) {
                if (!valid(s["properties"][key], member)) return false;
            } else if (s.contains("additionalProperties")) {
                const json& rest = s["additionalProperties"];
                if (rest.is_boolean() ? !rest.get<bool>() : !valid(rest, member)) return false;
            }
        }
        return true;
    }

    json root_;
};

std::set<std::string> keys_of(const json& object) {
    std::set<std::string> keys;
    const json properties = object.at("properties");
    for (const auto& [key, value] : properties.items()) keys.insert(key);
    return keys;
}

TEST(SceneSchema, HasTheReadersKeysAndNoOthers) {
    const json root = schema();
    for (const KeyTable& table : scene_key_tables()) {
        const json& object = table.kind == "scene" ? root : root.at("$defs").at(std::string(table.kind));
        EXPECT_EQ(keys_of(object), std::set<std::string>(table.keys.begin(), table.keys.end())) << table.kind;
        EXPECT_EQ(object.at("additionalProperties"), false) << table.kind;
    }
}

TEST(SceneSchema, EveryObjectIsKnownToTheReader) {
    const json root = schema();
    std::set<std::string> known{"material",         "membrane",           "friction",
                                "plasticity",       "relaxation",         "tensile_relaxation",
                                "tensile_friction", "tensile_plasticity", "stiffness"};
    for (const KeyTable& table : scene_key_tables()) known.insert(std::string(table.kind));
    for (const auto& [name, definition] : root.at("$defs").items())
        EXPECT_TRUE(known.contains(name) || !definition.contains("properties")) << name;
}

TEST(SceneSchema, HasTheMaterialsKeysAndRanges) {
    const json defs = schema().at("$defs");
    std::map<std::string, std::set<std::string>> keys;
    keys["material"] = {"preset", "file", "name", "metric"};
    keys["friction"] = {"law", "gate"};
    keys["plasticity"] = {"law"};
    for (const MaterialField& field : material_fields()) {
        const std::size_t dot = field.key.find('.');
        keys["material"].insert(field.key.substr(0, dot));
        const std::string group = dot == std::string::npos ? "material" : field.key.substr(0, dot);
        const std::string key = dot == std::string::npos ? field.key : field.key.substr(dot + 1);
        keys[group].insert(key);
        json said = defs.at(group).at("properties").at(key);
        if (said.contains("items")) said = said["items"];
        if (said.contains("$ref")) said = defs.at("stiffness");  // one number, or three
        EXPECT_EQ(said.at(field.min_open ? "exclusiveMinimum" : "minimum"), field.min) << field.key;
        EXPECT_EQ(said.at(said.contains("exclusiveMaximum") ? "exclusiveMaximum" : "maximum"), field.max)
            << field.key;
    }
    for (const auto& [group, expected] : keys) EXPECT_EQ(keys_of(defs.at(group)), expected) << group;
}

TEST(SceneSchema, GivesTheReadersVerdict) {
    const Validator validator(schema());
    EXPECT_TRUE(validator.accepts(twist_document()));
    EXPECT_EQ(complaint(twist_document()), "");
    const std::vector<std::pair<std::string, json>> good{
        {"$schema", "scene.schema.json"},
        {"step", {{"h", 0.02}, {"newton", 3}, {"solver", "multilevel"}, {"newton_tolerance", 1e-3}}},
        {"step.newton", "auto"},
        {"cloths.tube.place", {{"rotate", {{"radians", 1}}}, {"scale", 1.01}}},
        {"cloths.tube.place",
         {{"rotate", {{"axis", {0, 1, 0}}, {"degrees", 5}}}, {"scale", {1, 1, 1}}, {"translate", {1, 0, 0}}}},
        {"cloths.tube.material", "denim-garment"},
        {"cloths.tube.material.tensile_friction", json::object()},
        {"cloths.tube.material.tensile_friction", nullptr},
        {"cloths.tube.material.friction", {{"law", "dahl"}, {"dahl_sigma_c", 1e-6}}},
        {"cloths.tube.material.friction.gate", "none"},
        {"cloths.tube.material.bending", {{"warp", 8e-6}, {"weft", 4e-6}, {"bias", 5e-6}}},
        {"cloths.tube.material.plasticity.K_h0", {{"warp", 8e-6}, {"weft", 4e-6}, {"bias", 5e-6}}},
        {"cloths.tube.material.relaxation", {{"share", 0.6}, {"tau_min", 1}, {"tau_max", 1000}}},
        {"cloths.tube.material.tensile_relaxation.share", 0.2},
        {"handles.top.select", {{"box", {{"min", {nullptr, nullptr, 0.1}}}}}},
        {"handles.top.select", {{"ring", {{"at", 0.11}, {"tolerance", 1e-3}}}}},
        {"handles.top.select", {{"boundary", 1}}},
        {"handles.top.select", {{"uv", {{"v", {0.1, nullptr}}}}}},
        {"handles.top.select", {{"vertices", {100, 101}}}},
        {"handles.top.select", {{"near", {{"point", {0, 0, 1}}, {"count", 3}}}}},
        {"handles.top.stiffness", 1000},
        {"phases.twist.motions.top", {{"keyframes", {{{"time", 1}, {"degrees", 10}}}}, {"axis", {0, 0, 1}}}},
        {"phases.settle.release", {"top"}},
        {"phases.rest.h", 0.001},
        {"phases.rest", {{"name", "night"}, {"recover", 28800}, {"steps", 20}, {"h", 0.02}}},
        {"phases.rest.forget", {{{"friction", 0}}}},
        {"phases.rest.forget",
         {{{"cloth", "tube"}, {"select", {{"boundary", 0}}}, {"plasticity", 0.5}, {"relaxation", 1}}}},
        {"output", {{"rate", 60}, {"memory", true}}},
        {"cameras", json::array()},
        {"cameras",
         {{{"name", "near"}, {"eye", {1, 0, 0}}, {"target", {0, 0, 0}}, {"up", {0, 1, 0}}, {"fov", 30}},
          {{"name", "behind"}, {"view", "back"}}}}};
    for (const auto& [path, value] : good) {
        EXPECT_TRUE(validator.accepts(twist_with(path, value))) << path;
        EXPECT_EQ(complaint_with(path, value), "") << path;
    }
    const std::vector<std::pair<std::string, json>> bad{
        {"rumple", 2},
        {"step.h", 0},
        {"step.h", 0.2},
        {"step.hh", 0.01},
        {"step.newton", 21},
        {"step.newton", "fast"},
        {"gravity", {0, 0}},
        {"name", "a b"},
        {"phases.rest.name", "12"},
        {"cloths", json::array()},
        {"cloths.tube.mesh.radius", 0},
        {"cloths.tube.mesh.nx", 3},
        {"cloths.tube.mesh.around", 3.5},
        {"cloths.tube.imperfection", json::object()},
        {"cloths.tube.place.rotate", {{"axis", {0, 0, 1}}}},
        {"cloths.tube.material", {{"density", 0.1}}},
        {"cloths.tube.material.friction.eps_0", -1},
        {"cloths.tube.material.friction.gate", "loaded"},
        {"cloths.tube.material.bending", {{"warp", 8e-6}, {"weft", 4e-6}}},
        {"cloths.tube.material.bending", {{"warp", 8e-6}, {"weft", 4e-6}, {"bias", -1}}},
        {"cloths.tube.material.relaxation.share", 0.91},
        {"cloths.tube.material.relaxation.tau_min", 0},
        {"handles.top.select", json::object()},
        {"handles.top.select", {{"ring", "top"}, {"boundary", 0}}},
        {"handles.top.select", {{"ring", "middle"}}},
        {"phases.rest.hold", 1},
        {"phases.rest.steps", 1},
        {"phases.rest.recover", 1},
        {"phases.rest", {{"name", "night"}, {"recover", 0}}},
        {"phases.rest", {{"name", "night"}, {"recover", 60}, {"hold", 60}}},
        {"phases.rest.forget", {{"friction", 0}}},
        {"phases.rest.forget", {{{"cloth", "tube"}}}},
        {"phases.rest.forget", {{{"friction", 1.5}}}},
        {"phases.rest.forget", {{{"shape", 0}}}},
        {"from", 3},
        {"from", {{"folder", "out"}}},
        {"phases.twist.motions.top", "fixd"},
        {"phases.twist.motions.top", json::object()},
        {"phases.twist.motions.top.rotate.radians", 1},
        {"output.memory", 1},
        {"cameras", {{{"name", "none"}}}},
        {"cameras", {{{"view", "back"}}}},
        {"cameras", {{{"name", "no"}, {"view", "bakc"}}}},
        {"cameras", {{{"name", "both"}, {"view", "back"}, {"eye", {1, 0, 0}}, {"target", {0, 0, 0}}}}},
        {"cameras", {{{"name", "half"}, {"eye", {1, 0, 0}}}}},
        {"cameras", {{{"name", "wide"}, {"view", "back"}, {"fov", 30}}}},
        {"cameras", {{{"name", "wider"}, {"eye", {1, 0, 0}}, {"target", {0, 0, 0}}, {"fov", 130}}}}};
    for (const auto& [path, value] : bad) {
        EXPECT_FALSE(validator.accepts(twist_with(path, value))) << path;
        EXPECT_NE(complaint_with(path, value), "") << path;
    }
}

TEST(SceneSchema, GivesTheReadersVerdictOnObstacles) {
    const Validator validator(schema());
    EXPECT_TRUE(validator.accepts(press_document()));
    EXPECT_EQ(complaint(press_document()), "");
    const std::vector<std::pair<std::string, json>> good{
        {"contact", {{"thickness", 0.001}, {"friction", 0}, {"stiffness", 1e6}, {"self", false}}},
        {"obstacles.ball.shape", {{"kind", "capsule"}, {"radius", 0.1}, {"length", 0.2}, {"edge", 0.02}}},
        {"obstacles.ball.shape", {{"kind", "container"}, {"radius", 0.1}, {"height", 0.2}, {"wall", 0.01}}},
        {"obstacles.ball.shape",
         {{"kind", "cylinder"}, {"radius", 0.1}, {"height", 0.2}, {"axis", {0, 1, 0}}}},
        {"obstacles.ball.shape", {{"kind", "box"}, {"size", {1, 1, 1}}, {"centre", {0, 0, 1}}}},
        {"obstacles.ground.shape", {{"kind", "plane"}, {"normal", {1, 0, 1}}, {"depth", 1}}},
        {"obstacles.ball.place", {{"translate", {0, 0, 1}}}},
        {"obstacles.ball.thickness", 0.003},
        {"obstacles.press.rigid_body.guide", nullptr},
        {"phases.roll.obstacles.ball", "fixed"},
        {"phases.roll.obstacles.ball", {{"rotate", {{"degrees", 90}}}, {"ease", "smooth"}}},
        {"phases.roll.obstacles.ball",
         {{"keyframes", {{{"time", 0.1}, {"degrees", 10}}}}, {"axis", {0, 0, 1}}}},
        {"phases.free.vanish", {"press", "ground"}}};
    for (const auto& [path, value] : good) {
        EXPECT_TRUE(validator.accepts(press_with(path, value))) << path;
        EXPECT_EQ(complaint(press_with(path, value)), "") << path;
    }
    const std::vector<std::pair<std::string, json>> bad{{"contact.thickness", 0},
                                                        {"contact.self", 1},
                                                        {"contact.mu", 1},
                                                        {"obstacles.ball.shape.kind", "ball"},
                                                        {"obstacles.ball.shape.radius", -1},
                                                        {"obstacles.ball.shape", json::object()},
                                                        {"obstacles.ball.mesh", {{"file", "a.obj"}}},
                                                        {"obstacles.ball.friction", -1},
                                                        {"obstacles.ball.present", "no"},
                                                        {"obstacles.press.rigid_body", json::object()},
                                                        {"obstacles.press.rigid_body.mass", 0},
                                                        {"phases.roll.obstacles.ball", json::object()},
                                                        {"phases.roll.obstacles.ball", "still"},
                                                        {"phases.roll.obstacles.ball", {{"from", 1}}},
                                                        {"phases.roll.activate", "ball"}};
    for (const auto& [path, value] : bad) {
        EXPECT_FALSE(validator.accepts(press_with(path, value))) << path;
        EXPECT_NE(complaint(press_with(path, value)), "") << path;
    }
}

// The pages about scene files.
std::string scene_pages() {
    std::string text;
    for (const char* page : {"scene.md", "scene_cloths.md", "scene_contact.md", "scene_phases.md"}) {
        std::ifstream file(std::string(RUMPLE_SOURCE_DIR) + "/docs/" + page);
        text += std::string{std::istreambuf_iterator<char>(file), {}};
    }
    return text;
}

// They show whole scenes between ```json and ```: each must be accepted by both.
TEST(SceneDocs, ExamplesAreScenes) {
    const std::string text = scene_pages();
    const Validator validator(schema());
    int scenes = 0;
    for (std::size_t at = text.find("```json\n"); at != std::string::npos;
         at = text.find("```json\n", at + 1)) {
        const std::size_t begin = at + 8;
        const std::string example = text.substr(begin, text.find("```", begin) - begin);
        const json document = json::parse(example, nullptr, false);
        ASSERT_FALSE(document.is_discarded()) << example;
        if (!document.contains("rumple")) continue;
        EXPECT_TRUE(validator.accepts(document)) << example;
        EXPECT_EQ(complaint(document), "");
        ++scenes;
    }
    EXPECT_GE(scenes, 3);
}

TEST(SceneDocs, NameEveryKey) {
    const std::string text = scene_pages();
    for (const KeyTable& table : scene_key_tables())
        for (const std::string_view key : table.keys)
            EXPECT_NE(text.find("`" + std::string(key) + "`"), std::string::npos) << table.kind << "." << key;
}

}  // namespace
}  // namespace rumple
