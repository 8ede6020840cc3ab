// Trousers that remember the chair (paper, teaser and section on garments): a person lifts a leg or sits, for
// a moment or for 500 s, and stands up again; cotton, denim and polyester, worn and bare.
#include <fmt/format.h>

#include <experiments/catalogue.hpp>
#include <experiments/dressed_claims.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kPaperEdge = 0.0077;  // m

// From behind, a little from the left, close.
const Camera kBehind{{0.9, 2.9, 0.95}, {-0.02, 0.08, 0.56}, {0, 0, 1}, 22};

json trousers_scene() {
    json scene = dressed_scene({});
    scene["description"] = "Trousers on a mannequin that sits down, at once or 500 s later stands up.";
    return scene;
}

void show(ExperimentContext& bench, const std::map<std::string, DressedRuns>& runs) {
    const std::string teaser = runs.contains("sit-denim") ? "sit-denim-seed1" : "sit-cotton-seed1";
    bench.sheet("teaser", "Before; sitting; after sitting for a moment; after sitting for 500 s.",
                {{teaser + "/settled", "before"},
                 {teaser + "/posed", "sitting"},
                 {teaser + "/brief", "after a moment"},
                 {teaser + "/held", "after 500 s"}},
                {.light = LightKind::raking, .camera = kBehind, .columns = 4, .width = 400, .height = 560});
    bench.sheet("bare", "The same trousers without the body, hung by the waist.",
                {{teaser + "/settled-bare", "before"},
                 {teaser + "/brief-bare", "after a moment"},
                 {teaser + "/held-bare", "after 500 s"}},
                {.light = LightKind::raking, .camera = kBehind, .columns = 3, .width = 400, .height = 560});
    bench.sheet("creases", "Worn, coloured by curvature: bright where a crease behind the knees is left.",
                {{teaser + "/settled", "before"},
                 {teaser + "/brief", "after a moment"},
                 {teaser + "/held", "after 500 s"}},
                {.camera = kBehind, .colour_by = "curvature", .columns = 3, .width = 320, .height = 448});
    if (bench.size() != Size::smoke)
        bench.film("film", "Sitting for a moment and for 500 s, seen from behind.",
                   {{teaser + "/brief", "after a moment"}, {teaser + "/held", "after 500 s"}},
                   {.light = LightKind::raking, .camera = kBehind, .width = 300, .height = 420});
    std::vector<Shown> poses, held;
    for (const auto& [name, run] : runs) {
        const std::size_t dash = name.find('-');
        const std::string label = fmt::format("{}, {}", name.starts_with("sit") ? "sitting" : "a lifted leg",
                                              name.substr(dash + 1));
        poses.push_back({name + "-seed1/posed", label});
        held.push_back({name + "-seed1/held", label});
    }
    bench.sheet("poses", "The poses: a lifted leg above, sitting below.", poses,
                {.view = View::left, .columns = 3, .width = 320, .height = 360});
    bench.sheet("three-cloths", "After 500 s: a lifted leg above, sitting below.", held,
                {.light = LightKind::raking, .camera = kBehind, .columns = 3, .width = 320, .height = 448});
}

// Stiff cloth folds in wider curves.
Claim folds_wider(const DressedRuns& cotton, const DressedRuns& denim) {
    const auto sharpness = [](const DressedRuns& runs) {
        std::vector<double> values;
        values.reserve(runs.size());
        for (const DressedRun& run : runs) values.push_back(run.sharpness.at("held"));
        return values;
    };
    return make_claim(
        "denim forms bigger folds than cotton, sitting, held, worn: cotton / denim",
        ratio_of("sharpness (99th percentile of curvature)", sharpness(cotton), sharpness(denim)),
        at_least(1, "an order, as in the paper's figure"));
}

// By pose and cloth: "sit-denim".
std::map<std::string, DressedRuns> run_trousers(const ExperimentContext& bench) {
    std::map<std::string, DressedRuns> runs;
    const std::map<std::string, std::string> clips{{"sit", "sit_chair"}, {"lift_leg", "lift_leg_mild"}};
    for (const auto& [pose, clip] : clips)
        for (const std::string& cloth : cloths_of(bench.size())) {
            if (bench.size() == Size::smoke && pose == "lift_leg" && cloth != "cotton") continue;
            DressedScene scene = sized_dress({.clip = clip, .cloth = cloth}, bench.size(), kPaperEdge);
            // Of polyester only what is left of sitting for 500 s, worn, is judged; the other is for a
            // picture.
            scene.brief = scene.bare = cloth != "polyester";
            const bool judged = cloth != "polyester" || pose == "sit";
            runs[pose + "-" + cloth] =
                run_dressed_seeds(bench, scene, pose + "-" + cloth, judged ? seeds_of(bench.size()) : 1);
        }
    return runs;
}

std::vector<Claim> reproduce_trousers(ExperimentContext& bench) {
    const std::vector<std::string> keepers = keepers_of(bench.size());
    const std::map<std::string, DressedRuns> runs = run_trousers(bench);
    show(bench, runs);
    std::vector<Claim> claims;
    const std::map<std::string, std::string> regions{
        {"behind_knee", "behind the knees"}, {"seat", "seat"}, {"groin", "groin"}};
    const std::map<std::string, std::string> ways{{"", "worn"}, {"-bare", "bare"}};
    for (const std::string& cloth : keepers)
        for (const auto& [bare, way] : ways)
            for (const auto& [region, name] : regions) {
                const DressedRuns& sit = runs.at("sit-" + cloth);
                claims.push_back(
                    keeps_more(fmt::format("{}, sitting, {}, {}: held - brief", cloth, way, name),
                               {sit, "held" + bare}, {sit, "brief" + bare}, region));
            }
    for (const std::string& cloth : keepers) {
        const DressedRuns &sit = runs.at("sit-" + cloth), &lift = runs.at("lift_leg-" + cloth);
        claims.push_back(keeps_times(
            fmt::format("{}, sitting, worn, behind the knees: held / brief", cloth), {sit, "held"},
            {sit, "brief"}, "behind_knee",
            at_least(1.25,
                     "a bend an eighth larger, squared: the least that pictures beside each other show")));
        claims.push_back(
            keeps_more(fmt::format("{}, a lifted leg, worn, behind the left knee: held - brief", cloth),
                       {lift, "held"}, {lift, "brief"}, "behind_knee", {"_left"}));
        for (const std::string variant : {"brief", "held"})
            claims.push_back(keeps_times(
                fmt::format("{}, sitting, {}: the body keeps wrinkles up, whole garment: worn / bare", cloth,
                            variant),
                {sit, variant}, {sit, variant + "-bare"}, "all",
                at_least(1, "an order: \"some wrinkles disappear\" without the body"), {""}));
    }
    for (const std::string& cloth : keepers)
        for (const auto& [bare, way] : ways) {
            claims.push_back(keeps_times(
                fmt::format("{}, held, {}, whole garment: sitting / lifting a leg", cloth, way),
                {runs.at("sit-" + cloth), "held" + bare}, {runs.at("lift_leg-" + cloth), "held" + bare},
                "all", at_least(1, "an order, as in the paper's figure"), {""}));
        }
    for (const std::string& cloth : keepers)
        for (const auto& [region, name] : regions)
            claims.push_back(keeps_more(fmt::format("{} - polyester, sitting, held, worn, {}", cloth, name),
                                        {runs.at("sit-" + cloth), "held"}, {runs.at("sit-polyester"), "held"},
                                        region));
    if (runs.contains("sit-denim"))
        claims.push_back(folds_wider(runs.at("sit-cotton"), runs.at("sit-denim")));
    claims.push_back(stays_outside(runs));
    return claims;
}

}  // namespace

Experiment trousers_experiment() {
    return {
        "trousers",
        "trousers on a body that sits or lifts a leg, held or not; worn and bare; three cloths",
        "70 min",
        trousers_scene,
        reproduce_trousers,
        "Trousers show wrinkles behind the knees, at the seat and in the groin after sitting; 500 s of "
        "sitting leave more than a moment does, sitting leaves more than lifting a leg, cotton and denim "
        "keep more than polyester. (Teaser; garments.)",
        "The mannequin of docs/body.md in trousers cut to it, 3 000 vertices at draft and 20 000 at "
        "paper size, the cloths of the paper's garment table, a step of h = 0.01 s. The waistband goes "
        "along with the body. Measured is how much of the bend that the pose gave is left, by region, "
        "worn and with the body taken away; folds of drape do not count. It sits on a chair, or lifts its "
        "left thigh by 55 degrees. Brief runs take the steps of the hold without material time. Seeds of an "
        "imperfection of 0.02 mm; the two sides of one run are one value. Friction ages under load only. The "
        "bounds are ours."};
}

}  // namespace rumple
