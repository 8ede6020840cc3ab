// A T-shirt with long sleeves (paper, garments): from the T-pose the arms bend, for a moment or for 500 s,
// and straighten again.
#include <fmt/format.h>

#include <experiments/catalogue.hpp>
#include <experiments/dressed_claims.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kShirtEdge = 0.0080;  // m

const DressedScene kTshirt{.garment = "tshirt", .clip = "bend_arms"};
// From the front, the left arm and the armpit.
const Camera kSleeve{{1.0, -2.6, 1.55}, {0.43, 0.04, 1.37}, {0, 0, 1}, 10};

json tshirt_scene() {
    json scene = dressed_scene(kTshirt);
    scene["description"] =
        "A T-shirt on a mannequin in T-pose that bends its arms, at once or 500 s later straightens them.";
    return scene;
}

void show(ExperimentContext& bench, const std::vector<std::string>& cloths) {
    const std::string shown = cloths.size() > 2 ? "denim-seed1" : "cotton-seed1";
    bench.sheet("bent", "Arms bent.", {{shown + "/posed", cloths.size() > 2 ? "denim" : "cotton"}},
                {.frame_cloth = true, .width = 640, .height = 480});
    bench.sheet("sleeve", "The left sleeve: before; bent; after bending it for a moment; for 500 s.",
                {{shown + "/settled", "before"},
                 {shown + "/posed", "bent"},
                 {shown + "/brief", "after a moment"},
                 {shown + "/held", "after 500 s"}},
                {.light = LightKind::raking, .camera = kSleeve, .columns = 2, .width = 560, .height = 360});
    std::vector<Shown> held;
    held.reserve(cloths.size());
    for (const std::string& cloth : cloths) held.push_back({cloth + "-seed1/held", cloth});
    bench.sheet("three-cloths", "The left sleeve after 500 s.", held,
                {.light = LightKind::raking, .camera = kSleeve, .columns = 3, .width = 400, .height = 256});
}

std::vector<Claim> reproduce_tshirt(ExperimentContext& bench) {
    const std::vector<std::string> cloths = cloths_of(bench.size()), keepers = keepers_of(bench.size());
    std::map<std::string, DressedRuns> runs;
    for (const std::string& cloth : cloths) {
        DressedScene scene = sized_dress(kTshirt, bench.size(), kShirtEdge);
        scene.cloth = cloth;
        scene.brief = scene.bare = cloth != "polyester";  // of which only 500 s, worn, are judged
        runs[cloth] = run_dressed_seeds(bench, scene, cloth, seeds_of(bench.size()));
        if (bench.size() == Size::smoke || cloth == "polyester") continue;
        scene.clip = "lower_arms";
        scene.bare = false;
        runs[cloth + "-lowered"] =
            run_dressed_seeds(bench, scene, cloth + "-lowered", seeds_of(bench.size()));
    }
    show(bench, cloths);
    std::vector<Claim> claims;
    const std::map<std::string, std::string> regions{{"elbow", "elbows"}, {"armpit", "armpits"}};
    const std::map<std::string, std::string> ways{{"", "worn"}, {"-bare", "bare"}};
    for (const std::string& cloth : keepers)
        for (const auto& [bare, way] : ways)
            for (const auto& [region, name] : regions)
                claims.push_back(keeps_more(fmt::format("{}, {}, {}: held - brief", cloth, way, name),
                                            {runs.at(cloth), "held" + bare}, {runs.at(cloth), "brief" + bare},
                                            region));
    for (const std::string& cloth : keepers)
        for (const auto& [region, name] : regions)
            claims.push_back(keeps_more(fmt::format("{} - polyester, held, worn, {}", cloth, name),
                                        {runs.at(cloth), "held"}, {runs.at("polyester"), "held"}, region));
    for (const std::string& cloth : keepers)
        if (const auto lowered = runs.find(cloth + "-lowered"); lowered != runs.end())
            claims.push_back(keeps_more(fmt::format("{}, lowered arms, worn, armpits: held - brief", cloth),
                                        {lowered->second, "held"}, {lowered->second, "brief"}, "armpit"));
    claims.push_back(stays_outside(runs));
    return claims;
}

}  // namespace

Experiment tshirt_experiment() {
    return {
        "tshirt",
        "a T-shirt on a body that bends its arms, held or not; worn and bare; three cloths",
        "30 min",
        tshirt_scene,
        reproduce_tshirt,
        "A T-shirt in T-pose, arms bent for a moment or for 500 s: the longer, the more wrinkles stay at "
        "elbows and armpits; cotton and denim keep more than polyester. (Garments.)",
        "The mannequin of docs/body.md in a T-shirt with long sleeves cut to it, 3 000 vertices at draft "
        "and 20 000 at paper size, the cloths of the paper's garment table, a step of h = 0.01 s. It "
        "hangs from the shoulders by friction; bare it is held by the collar. Cotton and "
        "denim also lower their arms. Measured as for the trousers, over five seeds. The bounds are ours."};
}

}  // namespace rumple
