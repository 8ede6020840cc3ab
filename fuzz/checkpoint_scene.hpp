// The scene whose checkpoints are fuzzed: as small as can be with contact, a weight, a handle and a history.
#pragma once

#include <rumple/sim/run.hpp>

namespace rumple::fuzz {

inline const Scene& checkpoint_scene() {
    static const Scene scene = [] {
        const SceneFile file{nlohmann::json::parse(R"({
            "rumple": 1, "name": "fuzz", "step": {"h": 0.005}, "contact": {"thickness": 0.002},
            "cloths": [{"name": "sheet", "material": {"preset": "cotton-relaxing", "tensile_relaxation": {"share": 0.2}},
                        "mesh": {"generator": "grid", "nx": 4, "ny": 4, "width": 0.03, "height": 0.03},
                        "place": {"translate": [0, 0, 0.003]}}],
            "handles": [{"name": "corner", "select": {"near": {"point": [-1, -1, 0]}}}],
            "obstacles": [
                {"name": "table", "shape": {"kind": "box", "size": [0.1, 0.1, 0.01], "centre": [0, 0, -0.005]}},
                {"name": "weight", "shape": {"kind": "box", "size": [0.02, 0.02, 0.02], "centre": [0, 0, 0.02]},
                 "rigid_body": {"mass": 0.01}}],
            "phases": [{"name": "fall", "steps": 40, "hold": 10}]})"),
                             "fuzz.json", ""};
        return build_scene(file, expand_variants(file).front());
    }();
    return scene;
}

}  // namespace rumple::fuzz
