// Trousers that remember the chair (paper, teaser and section on garments): a person lifts a leg or sits, for
// a moment or for 500 s, and stands up again; cotton, denim and polyester, worn and bare.
#include <fmt/format.h>

#include <rumple/experiments/catalogue.hpp>
#include <rumple/experiments/dressed_scene.hpp>

namespace rumple {

namespace {

using nlohmann::json;

json trousers_scene() {
    json scene = dressed_scene({});
    scene["description"] = "Trousers on a mannequin that sits down, at once or 500 s later stands up.";
    return scene;
}

DressedScene sized(Size size) {
    DressedScene o;
    if (size == Size::smoke)
        o.edge = o.body_edge = 0.04, o.h = 0.02, o.hold_steps = 5, o.pace = 0.4, o.self_contact = false;
    if (size == Size::paper) o.edge = 0.0077, o.body_edge = 0.0142;
    return o;
}

// A smoke test leaves denim out.
std::vector<std::string> materials_of(Size size) {
    if (size == Size::smoke) return {"cotton", "polyester"};
    return {"cotton", "denim", "polyester"};
}

constexpr const char* kRegions[] = {"behind_knee_left", "behind_knee_right", "seat", "groin"};

void show(Workbench& bench, const std::map<std::string, DressedRun>& runs) {
    std::vector<Shown> teaser{{"sit-cotton/settled", "before"},
                              {"sit-cotton/brief", "after a moment"},
                              {"sit-cotton/held", "after 500 s"}};
    bench.sheet("teaser",
                "Cotton trousers, standing: before, after sitting for a moment, after sitting for 500 s.",
                teaser, {.light = LightKind::raking, .view = View::back, .columns = 3});
    bench.sheet("sitting", "Sitting.", {{"sit-cotton/held", "sitting"}}, {.at = "hold"});
    bench.sheet("bare", "The same trousers without the body, hung by the waist.",
                {{"sit-cotton/settled-bare", "before"},
                 {"sit-cotton/brief-bare", "after a moment"},
                 {"sit-cotton/held-bare", "after 500 s"}},
                {.light = LightKind::raking, .view = View::back, .columns = 3});
    if (bench.size() != Size::smoke)
        bench.film("film", "Sitting for a moment and for 500 s, seen from behind.", {teaser[1], teaser[2]},
                   {.light = LightKind::raking, .view = View::back, .width = 300, .height = 420});
    std::vector<Shown> all;
    for (const auto& [name, run] : runs) all.push_back({name + "/held", name});
    bench.sheet("three-cloths", "After 500 s: a lifted leg above, sitting below.", all,
                {.light = LightKind::raking, .view = View::back, .columns = 3, .width = 320, .height = 420});
}

std::vector<Claim> reproduce_trousers(Workbench& bench) {
    const std::vector<std::string> materials = materials_of(bench.size());
    const std::vector<std::string> keepers(materials.begin(), materials.end() - 1);
    std::map<std::string, DressedRun> runs;  // by clip-material
    for (const std::string clip : {"sit", "lift_leg"})
        for (const std::string& material : materials) {
            if (bench.size() == Size::smoke && clip == "lift_leg" && material != "cotton") continue;
            DressedScene o = sized(bench.size());
            o.clip = clip;
            o.material = material;
            runs[clip + "-" + material] = run_dressed(bench, o, clip + "-" + material);
        }
    show(bench, runs);
    const auto content = [&](const std::string& run, const std::string& variant, const std::string& region) {
        return std::vector<double>{runs.at(run).content.at(variant).at(region)};
    };
    std::vector<Claim> claims;
    const std::string unit = "bending content of the change, ratio";
    for (const std::string& material : keepers)
        for (const std::string worn : {"", "-bare"})
            for (const std::string region : kRegions)
                claims.push_back({fmt::format("{}, sitting, {}, {}: held / brief", material,
                                              worn.empty() ? "worn" : "bare", region),
                                  unit,
                                  ratios(content("sit-" + material, "held" + worn, region),
                                         content("sit-" + material, "brief" + worn, region)),
                                  ">=", 1, ""});
    for (const std::string& material : keepers)
        for (const std::string variant : {"held", "held-bare"})
            claims.push_back(
                {fmt::format("{}, {}, whole garment: sitting / lifting a leg", material, variant), unit,
                 ratios(content("sit-" + material, variant, "all"),
                        content("lift_leg-" + material, variant, "all")),
                 ">=", 1, ""});
    for (const std::string& material : keepers)
        for (const std::string region : kRegions)
            claims.push_back(
                {fmt::format("{} / polyester, sitting, held, worn, {}", material, region), unit,
                 ratios(content("sit-" + material, "held", region), content("sit-polyester", "held", region)),
                 ">=", 1, ""});
    std::int64_t inside = 0, steps = 0;
    for (const auto& [name, run] : runs) inside += run.inside_steps, steps += run.steps;
    claims.push_back({"the cloth stays outside of the body",
                      "vertices inside, a step",
                      {static_cast<double>(inside) / static_cast<double>(std::max<std::int64_t>(1, steps))},
                      "<=",
                      0,
                      "counted pinches are led out again; summary.json of each run says when and how deep"});
    return claims;
}

}  // namespace

Experiment trousers_experiment() {
    return {"trousers",
            "trousers on a body that sits or lifts a leg, held or not; worn and bare; three cloths",
            "15 min",
            trousers_scene,
            reproduce_trousers,
            "Trousers show wrinkles behind the knees, at the seat and in the groin after sitting; 500 s of "
            "sitting leave "
            "more than a moment does, sitting leaves more than lifting a leg, cotton and denim keep more "
            "than polyester. "
            "(Teaser; garments.)",
            "The mannequin of docs/body.md in trousers cut to it, 3 000 vertices at draft and 20 000 at "
            "paper size, a step of "
            "h = 0.01 s. The waistband goes along with the body. Wrinkles are the change of the fold angles "
            "against "
            "the same trousers that were never sat in, by region, worn and with the body taken away. "
            "Thresholds are "
            "the paper's angles at the hinge height of its own trousers, 6 mm. The bounds are ours."};
}

}  // namespace rumple
