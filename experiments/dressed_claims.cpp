#include <fmt/format.h>

#include <algorithm>
#include <experiments/dressed_claims.hpp>

namespace rumple {

DressedScene sized_dress(DressedScene scene, Size size, double paper_edge) {
    if (size == Size::smoke) {
        scene.edge = scene.garment == "tshirt" ? 0.03 : 0.04;  // longer: sleeves begin inside the arms
        scene.body_edge = 0.04;
        scene.h = 0.02;
        scene.hold_steps = 5;
        scene.pace = 0.4;
        scene.self_contact = false;
    }
    if (size == Size::paper) scene.edge = paper_edge, scene.body_edge = 0.0142;
    return scene;
}

std::vector<std::string> keepers_of(Size size) {
    if (size == Size::smoke) return {"cotton"};
    return {"cotton", "denim"};
}

std::vector<std::string> cloths_of(Size size) {
    std::vector<std::string> cloths = keepers_of(size);
    cloths.emplace_back("polyester");
    return cloths;
}

Claim keeps_more(const std::string& statement, const DressedAt& a, const DressedAt& b,
                 const std::string& region) {
    const auto at = [&](const DressedAt& where, const char* side) -> const PoseMemory& {
        return where.run.memory.at(where.variant).at(region + side);
    };
    const auto both = [&](const DressedAt& where) {
        const PoseMemory &left = at(where, "_left"), &right = at(where, "_right");
        return fmt::format("{:.3f}, {:.3f} of {:.0f}, {:.0f} 1/m^2 are left; all change {:.0f}, {:.0f} 1/m^2",
                           left.share, right.share, left.pose, right.pose, left.change, right.change);
    };
    std::vector<double> differences;
    for (const char* side : {"_left", "_right"}) differences.push_back(at(a, side).share - at(b, side).share);
    return {statement,
            "share of the pose's bend that is left, difference",
            std::move(differences),
            ">=",
            0,
            fmt::format("left and right: {}; compared with {}", both(a), both(b))};
}

Claim stays_outside(const std::map<std::string, DressedRun>& runs) {
    std::int64_t inside = 0, steps = 0;
    for (const auto& [name, run] : runs) inside += run.inside_steps, steps += run.steps;
    return {"the cloth stays outside of the body",
            "vertices inside, a step",
            {static_cast<double>(inside) / static_cast<double>(std::max<std::int64_t>(1, steps))},
            "<=",
            0,
            "counted pinches are pushed out again; summary.json of each run says when and how deep"};
}

}  // namespace rumple
