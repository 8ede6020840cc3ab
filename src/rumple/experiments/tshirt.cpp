// A T-shirt with long sleeves (paper, garments): from the T-pose the arms bend, for a moment or for 500 s,
// and straighten again.
#include <fmt/format.h>

#include <rumple/experiments/catalogue.hpp>
#include <rumple/experiments/dressed_scene.hpp>

namespace rumple {

namespace {

using nlohmann::json;

json tshirt_scene() {
    json scene = dressed_scene({.garment = "tshirt", .clip = "bend_arms"});
    scene["description"] =
        "A T-shirt on a mannequin in T-pose that bends its arms, at once or 500 s later straightens them.";
    return scene;
}

DressedScene sized(Size size) {
    DressedScene o{.garment = "tshirt", .clip = "bend_arms"};
    if (size == Size::smoke)
        o.edge = o.body_edge = 0.04, o.h = 0.02, o.hold_steps = 5, o.pace = 0.4, o.self_contact = false;
    if (size == Size::paper) o.edge = 0.008, o.body_edge = 0.0142;
    return o;
}

constexpr const char* kRegions[] = {"elbow_left", "elbow_right", "armpit_left", "armpit_right"};

std::vector<Claim> reproduce_tshirt(Workbench& bench) {
    const bool smoke = bench.size() == Size::smoke;
    const std::vector<std::string> keepers =
        smoke ? std::vector<std::string>{"cotton"} : std::vector<std::string>{"cotton", "denim"};
    std::vector<std::string> materials = keepers;
    materials.emplace_back("polyester");
    std::map<std::string, DressedRun> runs;
    for (const std::string& material : materials) {
        DressedScene o = sized(bench.size());
        o.material = material;
        runs[material] = run_dressed(bench, o, material);
    }
    std::vector<Shown> shown{
        {"cotton/settled", "before"}, {"cotton/brief", "after a moment"}, {"cotton/held", "after 500 s"}};
    bench.sheet("cotton", "Cotton: before, after bending the arms for a moment, for 500 s.", shown,
                {.light = LightKind::raking, .view = View::front, .columns = 3, .width = 640, .height = 480});
    bench.sheet("bent", "Arms bent.", {{"cotton/held", "bent"}}, {.at = "hold", .width = 640, .height = 480});
    const auto content = [&](const std::string& run, const std::string& variant, const std::string& region) {
        return std::vector<double>{runs.at(run).content.at(variant).at(region)};
    };
    std::vector<Claim> claims;
    const std::string unit = "bending content of the change, ratio";
    for (const std::string& material : keepers)
        for (const std::string region : kRegions)
            claims.push_back({fmt::format("{}, worn, {}: held / brief", material, region), unit,
                              ratios(content(material, "held", region), content(material, "brief", region)),
                              ">=", 1, ""});
    for (const std::string& material : keepers)
        for (const std::string region : {"elbow_left", "elbow_right"})
            claims.push_back({fmt::format("{} / polyester, held, worn, {}", material, region), unit,
                              ratios(content(material, "held", region), content("polyester", "held", region)),
                              ">=", 1, ""});
    for (const std::string& material : keepers)
        claims.push_back({fmt::format("{}, bare, elbows: held / brief", material), unit,
                          ratios(content(material, "held-bare", "elbow_left"),
                                 content(material, "brief-bare", "elbow_left")),
                          ">=", 1, ""});
    return claims;
}

}  // namespace

Experiment tshirt_experiment() {
    return {"tshirt",
            "a T-shirt on a body that bends its arms, held or not; worn and bare; three cloths",
            "10 min",
            tshirt_scene,
            reproduce_tshirt,
            "A T-shirt in T-pose, arms bent for a moment or for 500 s: the longer, the more wrinkles stay at "
            "elbows and "
            "armpits; cotton and denim keep more than polyester. (Garments.)",
            "The mannequin of docs/body.md in a T-shirt with long sleeves cut to it, 3 000 vertices at draft "
            "and 20 000 at "
            "paper size, a step of h = 0.01 s. It hangs from the shoulders by friction; bare it is held by "
            "the collar. "
            "Measured as for the trousers. The bounds are ours."};
}

}  // namespace rumple
