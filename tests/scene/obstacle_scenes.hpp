// A small scene with obstacles of every kind, to change and to complain about.
#pragma once

#include "scene/sample_scenes.hpp"

namespace rumple {

inline nlohmann::json press_document() {
    return nlohmann::json::parse(R"({
      "rumple": 1, "name": "press",
      "cloths": [{"name": "sheet", "mesh": {"generator": "grid", "nx": 9, "ny": 9, "width": 0.08, "height": 0.08},
                  "place": {"translate": [0, 0, 0.1]}, "material": "cotton"}],
      "contact": {"thickness": 0.002, "friction": 0.25},
      "obstacles": [
        {"name": "ground", "shape": {"kind": "plane", "point": [0, 0, 0.01], "size": 2}},
        {"name": "ball", "shape": {"kind": "sphere", "radius": 0.03, "centre": [0, 0, 0.05]}, "friction": 0.5},
        {"name": "press", "shape": {"kind": "box", "size": [0.1, 0.1, 0.02], "centre": [0, 0, 0.3]},
         "present": false, "rigid_body": {"mass": 2, "slider": [0, 0, 2]}}],
      "phases": [
        {"name": "fall", "duration": 0.1},
        {"name": "roll", "duration": 0.1, "obstacles": {"ball": {"translate": [0.1, 0, 0]}}},
        {"name": "press", "duration": 0.1, "activate": ["press"]},
        {"name": "hold", "hold": 10, "steps": 4},
        {"name": "free", "duration": 0.1, "deactivate": ["press"]}]
    })");
}

inline nlohmann::json press_with(const std::string& path, const nlohmann::json& value) {
    nlohmann::json document = press_document();
    set_json(document, path, value);
    return document;
}

}  // namespace rumple
