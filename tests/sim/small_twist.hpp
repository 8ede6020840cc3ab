// A twisted tube small enough to run many times: 33 steps, 128 vertices, buckled and slipping.
#pragma once

#include <nlohmann/json.hpp>
#include <rumple/sim/run.hpp>

namespace rumple {

inline nlohmann::json small_twist_document() {
    return nlohmann::json::parse(R"({
        "rumple": 1, "name": "small-twist", "gravity": [0, 0, 0],
        "cloths": [{"name": "tube", "material": "cotton",
                    "mesh": {"generator": "tube", "radius": 0.02, "height": 0.05, "around": 16, "up": 8},
                    "imperfection": {"amplitude": 2e-4, "seed": 1, "direction": "radial"}}],
        "handles": [{"name": "bottom", "select": {"ring": {"axis": [0, 0, 1], "at": 0}}},
                    {"name": "top", "select": {"ring": {"axis": [0, 0, 1], "at": 0.05}}}],
        "phases": [
            {"name": "twist", "duration": 0.1, "motions": {"top": {
                "rotate": {"axis": [0, 0, -1], "radians": 1.2}, "translate": [0, 0, -0.01]}}},
            {"name": "rest", "duration": 0.03},
            {"name": "hold", "hold": 500, "steps": 5},
            {"name": "back", "duration": 0.1, "motions": {"top": {
                "rotate": {"axis": [0, 0, 1], "radians": 1.2}, "translate": [0, 0, 0.01]}}},
            {"name": "settle", "duration": 0.05}]
    })");
}

// Brief skips the hold, held ages 500 s in it, control takes its steps without material time.
inline nlohmann::json three_variants_document() {
    nlohmann::json document = small_twist_document();
    document["variants"] = nlohmann::json::parse(R"([
        {"name": "brief", "set": {"phases.hold.steps": 0}},
        {"name": "held"},
        {"name": "control", "set": {"phases.hold.hold": 0}}])");
    return document;
}

inline std::vector<Scene> scenes_of(const nlohmann::json& document) {
    return build_variants({document, "small_twist.json", ""});
}

inline Scene scene_of(const nlohmann::json& document) { return std::move(scenes_of(document).front()); }

}  // namespace rumple
