// Small scenes in which much touches: for tests that run them many times.
#pragma once

#include "sim/small_twist.hpp"

namespace rumple {

// A sheet folds up on the ground, cloth on cloth, under a weight that comes and goes.
inline nlohmann::json pressed_document() {
    return nlohmann::json::parse(R"({
        "rumple": 1, "name": "pressed", "output": {"rate": 100}, "contact": {},
        "cloths": [{"name": "sheet", "material": "cotton",
                    "mesh": {"generator": "grid", "nx": 13, "ny": 13, "width": 0.08, "height": 0.08},
                    "place": {"rotate": {"axis": [1, 0, 0], "degrees": 85}, "translate": [0, 0.01, 0.045]}}],
        "obstacles": [
            {"name": "ground", "shape": {"kind": "plane"}},
            {"name": "plate", "shape": {"kind": "box", "size": [0.3, 0.3, 0.02], "centre": [0, 0, 0.08]},
             "present": false, "rigid_body": {"mass": 1, "slider": [0, 0, 1]}}],
        "phases": [{"name": "fall", "duration": 0.4}, {"name": "press", "duration": 0.5, "activate": ["plate"]},
                   {"name": "hold", "hold": 100, "steps": 5}, {"name": "rest", "duration": 0.1, "deactivate": ["plate"]}]
    })");
}

// Two cloths on a ball that moves under them, one of them held.
inline nlohmann::json ball_document() {
    return nlohmann::json::parse(R"({
        "rumple": 1, "name": "ball", "output": {"rate": 60}, "contact": {"thickness": 0.002},
        "cloths": [{"name": "low", "material": "polyester", "place": {"translate": [0, 0, 0.053]},
                    "mesh": {"generator": "grid", "nx": 11, "ny": 11, "width": 0.1, "height": 0.1}},
                   {"name": "high", "material": "denim", "place": {"translate": [0, 0, 0.058]},
                    "mesh": {"generator": "disc", "radius": 0.05, "edge": 0.015}}],
        "handles": [{"name": "tip", "cloth": "high", "select": {"near": {"point": [0, 0, 1]}}}],
        "obstacles": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.05, "edge": 0.02}}],
        "phases": [{"name": "lie", "duration": 0.3},
                   {"name": "up", "duration": 0.5, "release": ["tip"],
                    "obstacles": {"ball": {"translate": [0.02, 0, 0.03]}}},
                   {"name": "rest", "duration": 0.2}]
    })");
}

inline nlohmann::json twist_with_contact_document() {
    nlohmann::json document = three_variants_document();
    document["contact"] = {{"thickness", 0.0005}};
    return document;
}

}  // namespace rumple
