// Crumpled cloth (paper, "Compress Wrinkles"): dropped into a pot, with and without a weight
// on it, lifted by two corners at once or after a hold.
#include <experiments/catalogue.hpp>
#include <experiments/crumple_scene.hpp>
#include <map>
#include <string>

namespace rumple {

namespace {

nlohmann::json default_scene() { return crumple_scene(); }

struct Outcome {  // one value a seed
    std::vector<double> content, sharpness, plastic;
};

std::map<std::string, Outcome> run_seeds(const ExperimentContext& bench, int across, int seeds) {
    std::map<std::string, Outcome> outcome;
    for (int seed = 1; seed <= seeds; ++seed)
        for (const RunResult& r :
             bench.run(crumple_scene({.across = across, .seed = seed}), "seed" + std::to_string(seed))) {
            Outcome& o = outcome[r.variant];
            o.content.push_back(r.at_end[0].measures.bending_content);
            o.sharpness.push_back(r.at_end[0].measures.sharpness);
            o.plastic.push_back(r.at_end[0].measures.crease_density.value());
        }
    return outcome;
}

void show(ExperimentContext& bench) {
    const std::vector<Shown> shown{{"seed1/brief", "a: lifted at once"},
                                   {"seed1/held", "b: after 500 s"},
                                   {"seed1/weight-brief", "c: weight, at once"},
                                   {"seed1/weight-held", "d: weight, 500 s"}};
    bench.sheet("lifted",
                "Hanging from two corners at the end, seen from the side: each in the middle of its picture, "
                "direction, distance and light the same.",
                shown, lifted_sheet());
    bench.sheet("crumpled",
                "Crumpled, just before it is lifted, seen from above; pot and weight are left out of the "
                "picture.",
                {{"seed1/held", "without weight"}, {"seed1/weight-held", "under the weight"}},
                {.view = View::top,
                 .frame_cloth = true,
                 .follow = true,
                 .at = "hold",
                 .hidden = {"pot", "weight"},
                 .width = 480,
                 .height = 480});
    bench.sheet("layers", "The crumpled sheet, coloured by the gap to the next layer or to the pot.",
                {{"seed1/held", "just before it is lifted"}},
                {.view = View::top, .at = "hold", .colour_by = "gap", .width = 480, .height = 480});
    bench.plot_metric("content", "How wrinkled the sheet is over time.", shown, "bending_content");
    bench.plot_timing("time", "Where the time of a step went; under the weight most of it goes to contact.",
                      shown);
    if (bench.size() != Size::smoke)
        bench.film("film",
                   "Crumpled in the pot, which is left out of the picture, held or not, lifted. Who has no "
                   "hold waits for the other.",
                   {shown[0], shown[1]},
                   {.light = LightKind::raking,
                    .from = kLiftedFrom,
                    .hidden = {"pot"},
                    .width = 320,
                    .height = 400});
}

std::vector<Claim> reproduce_crumple(ExperimentContext& bench) {
    const Size size = bench.size();
    auto of = run_seeds(bench,
                        size == Size::smoke   ? 15
                        : size == Size::draft ? 41
                                              : 141,
                        size == Size::smoke   ? 1
                        : size == Size::draft ? 4
                                              : 2);
    show(bench);
    std::vector<std::vector<double>> rows;
    for (const auto& [variant, o] : of)
        for (std::size_t i = 0; variant != "elastic" && i < o.content.size(); ++i)
            rows.push_back({double(variant.starts_with("weight")), variant.ends_with("held") ? 500.0 : 0.0,
                            double(i + 1), o.content[i], o.sharpness[i], o.plastic[i]});
    bench.write_table(
        "crumple", {"weight", "hold_s", "seed", "content_per_m2", "sharpness_per_m", "crease_density_per_m"},
        rows);

    Outcome &a = of["brief"], &b = of["held"], &c = of["weight-brief"], &d = of["weight-held"];
    const std::string content = "bending content, ratio",
                      sharpness = "sharpness (99th percentile of curvature), ratio";
    std::vector<Claim> claims;
    for (const auto& [name, o] : std::map<std::string, Outcome>{{"a", a}, {"b", b}, {"c", c}, {"d", d}})
        claims.push_back({name + ": wrinkles stay under gravity: more than in elastic cloth", content,
                          ratios(o.content, of["elastic"].content), ">=", 1.2, ""});
    claims.push_back(
        {"held keeps more, without weight: b / a", content, ratios(b.content, a.content), ">=", 1.2, ""});
    claims.push_back(
        {"held keeps more, with weight: d / c", content, ratios(d.content, c.content), ">=", 1.2, ""});
    claims.push_back({"the weight makes sharper wrinkles, at once: c / a", sharpness,
                      ratios(c.sharpness, a.sharpness), ">=", 1.1, ""});
    claims.push_back({"the weight makes sharper wrinkles, held: d / b", sharpness,
                      ratios(d.sharpness, b.sharpness), ">=", 1.1, ""});
    claims.push_back({"plastic creases are sharper than dwelled friction: c / b", sharpness,
                      ratios(c.sharpness, b.sharpness), ">=", 1, ""});
    return claims;
}

}  // namespace

Experiment crumple_experiment() {
    return {
        "crumple",
        "a sheet crumpled in a pot, with a weight or not, held or not, lifted by two corners",
        "3 min",
        default_scene,
        reproduce_crumple,
        "No wrinkle is reversed by gravity. With a weight (c, d) they are sharper than without (a, b); "
        "after 500 s (b, d) there are more than at once (a, c); and the ridges of c have a higher "
        "curvature than those of b: friction, even after dwell, hardly forms wrinkles as sharp as "
        "plasticity. (Compress Wrinkles.)",
        "A sheet of cotton, 200 mm square, over a pot of 100 mm across; it is pushed in by its middle, "
        "since it would lie on the rim if it were only dropped. A weight of 1 kg, or none; 500 s, or none; "
        "pot and weight are taken away and the sheet is lifted by two corners. Yield and friction at a "
        "hinge height of 4 mm, as in the twist: otherwise a mesh of this size could not fold sharply "
        "enough to yield."};
}

}  // namespace rumple
