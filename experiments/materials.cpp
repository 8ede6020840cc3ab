// Three cloths in one picture (paper, supplement "Twisting"): the reference twist of cotton, denim and
// polyester.
#include <fmt/format.h>

#include <experiments/catalogue.hpp>
#include <experiments/tube_scene.hpp>
#include <map>

namespace rumple {

namespace {

using nlohmann::json;

const std::vector<std::string> kCloths{"cotton", "denim", "polyester"};

json scene_of(const std::string& cloth, int around, int up, int seed) {
    json scene =
        tube_scene({.name = "materials", .around = around, .up = up, .material = cloth, .seed = seed});
    scene["variants"] = {{{"name", "brief"}, {"set", {{"phases.hold.hold", 0}}}}, {{"name", "held"}}};
    return scene;
}

// To run: one variant a cloth.
json materials_scene() {
    json scene = scene_of("cotton", 64, 28, 1);
    scene["description"] = "The reference twist of three cloths, held for 500 s.";
    scene["variants"] = json::array();
    for (const std::string& cloth : kCloths)
        scene["variants"].push_back(
            {{"name", cloth}, {"set", {{"cloths.tube.material", {{"preset", cloth}, {"H_ref", 0.004}}}}}});
    return scene;
}

std::vector<Claim> reproduce_materials(ExperimentContext& bench) {
    const Size size = bench.size();
    const int around = size == Size::smoke ? 32 : size == Size::draft ? 64 : 256;
    const int up = size == Size::smoke ? 14 : size == Size::draft ? 28 : 107;
    std::map<std::string, std::map<std::string, std::vector<double>>> content;
    for (const std::string& cloth : kCloths)
        for (int seed = 1; seed <= seeds_of(size); ++seed)
            for (const RunResult& r :
                 bench.run(scene_of(cloth, around, up, seed), fmt::format("{}-seed{}", cloth, seed)))
                content[cloth][r.variant].push_back(r.at_end[0].measures.bending_content);
    std::vector<Shown> shown;
    for (const std::string variant : {"brief", "held"})
        for (const std::string& cloth : kCloths)
            shown.push_back({cloth + "-seed1/" + variant,
                             fmt::format("{}, {}", cloth, variant == "held" ? "held 500 s" : "at once")});
    bench.sheet("materials",
                "Three cloths after the same twist: above turned back at once, below after 500 s.", shown,
                {.light = LightKind::raking, .columns = 3, .width = 480, .height = 540});
    std::vector<Claim> claims;
    for (const std::string variant : {"brief", "held"})
        for (std::size_t i = 0; i + 1 < kCloths.size(); ++i)
            claims.push_back(make_claim(
                fmt::format("{} wrinkles more than {}, {}", kCloths[i], kCloths[i + 1], variant),
                ratio_of("bending content", content[kCloths[i]][variant], content[kCloths[i + 1]][variant]),
                at_least(1, "an order, as in the paper's figure")));
    return claims;
}

}  // namespace

Experiment materials_experiment() {
    return {"materials",
            "the twist of three cloths in one picture",
            "1 min",
            materials_scene,
            reproduce_materials,
            "Cotton gives the most obvious wrinkles and polyester the least. (Supplement, Twisting.)",
            "The reference twist of cotton, denim and polyester, turned back at once and after 500 s, in one "
            "picture; brief runs take the steps of the hold without material time. Wrinkles are measured as "
            "bending content, over five seeds."};
}

}  // namespace rumple
