// Time step size (paper, supplement "Ablation study", figure 19): the wrinkles do not vary much with h.
#include <fmt/format.h>

#include <experiments/catalogue.hpp>
#include <experiments/tube_scene.hpp>
#include <map>

namespace rumple {

namespace {

using nlohmann::json;

json timestep_scene() {
    json scene = tube_scene({.name = "timestep"});
    scene["description"] = "The reference twist of cotton, held, at three step sizes.";
    for (double h : {0.01, 0.005, 0.002})
        scene["variants"].push_back({{"name", fmt::format("h-{:g}ms", 1000 * h)}, {"set", {{"step.h", h}}}});
    return scene;
}

std::vector<Claim> reproduce_timestep(ExperimentContext& bench) {
    const bool smoke = bench.size() == Size::smoke;
    const int seeds = seeds_of(bench.size());
    const std::vector<double> steps = smoke ? std::vector{0.01, 0.005} : std::vector{0.01, 0.005, 0.002};
    std::map<double, std::map<std::string, std::vector<double>>> content;  // [h][variant], one value a seed
    std::vector<std::vector<double>> rows;
    for (int seed = 1; seed <= seeds; ++seed)
        for (double h : steps) {
            TubeScene options{.name = "timestep", .seed = seed, .h = h};
            if (smoke) options.around = 32, options.up = 14;
            if (bench.size() == Size::paper) options.around = 128, options.up = 55;
            json scene = tube_scene(options);
            scene["variants"] = {{{"name", "brief"}, {"set", {{"phases.hold.hold", 0}}}}, {{"name", "held"}}};
            for (const RunResult& r : bench.run(scene, fmt::format("h-{:g}-seed{}", h, seed))) {
                const double value = r.at_end[0].measures.bending_content;
                content[h][r.variant].push_back(value);
                rows.push_back({static_cast<double>(seed), h, r.variant == "held" ? 500.0 : 0.0, value,
                                r.at_end[0].measures.sharpness});
            }
        }
    std::vector<Shown> shown;
    for (const std::string variant : {"brief", "held"})
        for (double h : steps)
            shown.push_back({fmt::format("h-{:g}-seed1/{}", h, variant),
                             fmt::format("{}, h = {:g} s", variant == "held" ? "500 s" : "at once", h)});
    bench.sheet(
        "steps",
        "Cotton at the end of the reference twist, above turned back at once, below after 500 s: one "
        "column for each step size (the paper's figure 19).",
        shown,
        {.light = LightKind::raking, .columns = static_cast<int>(steps.size()), .width = 400, .height = 460});
    bench.write_table("timestep", {"seed", "h_s", "hold_s", "bending_content_per_m2", "sharpness_per_m"},
                      rows);

    std::vector<Claim> claims;
    for (const std::string variant : {"brief", "held"})
        for (double h : steps)
            if (h != 0.01)
                claims.push_back(make_claim(
                    fmt::format("cotton, {}: h = {:g} s gives what 0.01 s gives", variant, h),
                    ratio_of("bending content, to h = 0.01 s", content[h][variant], content[0.01][variant]),
                    within_of_one(0.05, "\"do not vary much\": less than a seed changes")));
    return claims;
}

}  // namespace

Experiment timestep_experiment() {
    return {
        "timestep",
        "the twist at several step sizes",
        "3 min",
        timestep_scene,
        reproduce_timestep,
        "Cloth of one material twisted with different step sizes: the time-dependent wrinkles do not vary "
        "much "
        "with h. (Supplement, Ablation study, figure 19.)",
        "The reference twist of cotton with steps of 10, 5 and 2 ms, brief (the steps of the hold without "
        "material "
        "time) and held, over five seeds. The "
        "paper shows pictures; 5 % is our bound."};
}

}  // namespace rumple
