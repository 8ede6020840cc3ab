// Crumpled cloth (paper, "Compress Wrinkles"): dropped into a pot, with and without a weight
// on it, lifted by two corners at once or after a hold.
#include <algorithm>
#include <experiments/catalogue.hpp>
#include <experiments/crumple_scene.hpp>
#include <experiments/pose_memory.hpp>
#include <experiments/tube_scene.hpp>
#include <map>
#include <numeric>
#include <string>

namespace rumple {

namespace {

nlohmann::json default_scene() { return crumple_scene(); }

struct Outcome {  // one value a seed
    std::vector<double> content, sharpness, plastic, share;
};

const std::string kCrumpled = "-crumpled";  // a variant that ends just before the sheet is lifted

// With such a variant of each. They cost nothing: each is the beginning of another.
nlohmann::json with_crumpled(nlohmann::json scene) {
    for (nlohmann::json variant : nlohmann::json(scene["variants"])) {
        variant["name"] = variant["name"].get<std::string>() + kCrumpled;
        for (const std::string phase : {"lift", "hang"}) variant["set"]["phases." + phase + ".duration"] = 0;
        scene["variants"].push_back(variant);
    }
    return scene;
}

// Share of the crumpled sheet's bend that the lifted one has kept (pose_memory.hpp): folds of drape, which
// elastic cloth has as well, leave it near 0.
double share_left(const SceneCloth& cloth, const State& crumpled, const State& lifted) {
    const std::vector<double> flat = hinge_angles(cloth.rest, cloth.mesh.positions);
    std::vector<int> all(cloth.mesh.positions.size());
    std::iota(all.begin(), all.end(), 0);
    return pose_memory(cloth.rest, cloth.mesh.triangles,
                       {flat, hinge_angles(cloth.rest, crumpled.x), flat, hinge_angles(cloth.rest, lifted.x)},
                       all)
        .share;
}

std::map<std::string, Outcome> run_seeds(const ExperimentContext& bench, CrumpleScene scene) {
    std::map<std::string, Outcome> outcome;
    for (scene.seed = 1; scene.seed <= seeds_of(bench.size()); ++scene.seed) {
        const std::string folder = "seed" + std::to_string(scene.seed);
        const nlohmann::json document = with_crumpled(crumple_scene(scene));
        const std::vector<RunResult> results = bench.run(document, folder);
        const std::vector<std::string> one{"brief"};
        const Scene built = std::move(build_variants({document, folder, {}}, one).front());
        for (const RunResult& r : results) {
            const auto crumpled = std::find_if(results.begin(), results.end(), [&](const RunResult& other) {
                return other.variant == r.variant + kCrumpled;
            });
            if (crumpled == results.end()) continue;  // it is one itself
            Outcome& o = outcome[r.variant];
            o.content.push_back(r.at_end[0].measures.bending_content);
            o.sharpness.push_back(r.at_end[0].measures.sharpness);
            o.plastic.push_back(r.at_end[0].measures.crease_density.value());
            o.share.push_back(share_left(built.cloths.front(), crumpled->last.state, r.last.state));
        }
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
    CrumpleScene scene{.across = size == Size::smoke ? 15 : size == Size::draft ? 41 : 141};
    if (size == Size::paper) scene.h_ref = kSpecimenHeight;
    auto of = run_seeds(bench, scene);
    show(bench);
    std::vector<std::vector<double>> rows;
    for (const auto& [variant, o] : of)
        for (std::size_t i = 0; variant != "elastic" && i < o.content.size(); ++i)
            rows.push_back({double(variant.starts_with("weight")), variant.ends_with("held") ? 500.0 : 0.0,
                            double(i + 1), o.content[i], o.sharpness[i], o.plastic[i], o.share[i]});
    bench.write_table("crumple",
                      {"weight", "hold_s", "seed", "content_per_m2", "sharpness_per_m",
                       "crease_density_per_m", "share_left"},
                      rows);

    Outcome &a = of["brief"], &b = of["held"], &c = of["weight-brief"], &d = of["weight-held"];
    const Bound more = at_least(1.2, "a fifth more is the least that pictures beside each other show");
    const Bound sharper = at_least(1.1, "a ridge a tenth sharper: the paper's pictures differ by more");
    std::vector<Claim> claims;
    for (const auto& [name, o] : std::map<std::string, Outcome>{{"a", a}, {"b", b}, {"c", c}, {"d", d}})
        claims.push_back(make_claim(
            name + ": wrinkles stay under gravity: more than in elastic cloth",
            {"share of the crumpled bend that is left, difference",
             differences(o.share, of["elastic"].share)},
            at_least(
                0.02, "a fiftieth of every fold's angle: 1 to 2 degrees of a fold of 90",
                "the ratio of bending contents, bound 1.2, which counts drape as well: elastic cloth hangs "
                "in one fold or in several")));
    const auto content = [](const Outcome& x, const Outcome& y) {
        return ratio_of("bending content", x.content, y.content);
    };
    const auto sharpness = [](const Outcome& x, const Outcome& y) {
        return ratio_of("sharpness (99th percentile of curvature)", x.sharpness, y.sharpness);
    };
    claims.push_back(make_claim("held keeps more, without weight: b / a", content(b, a), more));
    claims.push_back(make_claim("held keeps more, with weight: d / c", content(d, c), more));
    claims.push_back(
        make_claim("the weight makes sharper wrinkles, at once: c / a", sharpness(c, a), sharper));
    claims.push_back(make_claim("the weight makes sharper wrinkles, held: d / b", sharpness(d, b), sharper));
    claims.push_back(make_claim("plastic creases are sharper than dwelled friction: c / b", sharpness(c, b),
                                at_least(1, "an order, as the paper says of its figure")));
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
        "since it would lie on the rim if it were only dropped. A weight of 1 kg, or none; 500 s, or none "
        "(the "
        "same steps without material time); "
        "pot and weight are taken away and the sheet is lifted by two corners. At paper "
        "size yield and friction belong to a hinge height of 2.5 mm, as in the specimen table. At draft size "
        "to 4 mm, as in the twist: otherwise a mesh of that size could not fold sharply enough to yield. "
        "Five "
        "seeds."};
}

}  // namespace rumple
