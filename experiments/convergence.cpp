// Where the numbers of the other experiments settle: the same twist, crumple and press on finer and finer
// meshes, the twist with half the step and with Newton's method to convergence. Absolute numbers, not only
// held to brief.
#include <fmt/format.h>

#include <algorithm>
#include <experiments/catalogue.hpp>
#include <experiments/crumple_scene.hpp>
#include <experiments/pressed_strip.hpp>
#include <experiments/tube_scene.hpp>
#include <functional>
#include <tuple>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kFittedLimb = 7.5e-3;  // m of each limb of the pressed strip

// One of the ways to compute the same thing, and what they gave: one value a seed.
struct Level {
    std::string name;  // "7K"
    int vertices = 0, seeds = 1;
    std::function<json(int seed)> scene;
    std::function<double(const RunResult&)> measure;
    std::string twin{};  // folder of the experiment that makes the same runs, if one does, but for the seed
    std::vector<double> brief{}, held{};
};

struct Study {
    std::string name;
    PlotAxis quantity;
    std::vector<Level> meshes{};  // from coarse to fine
    std::size_t draft = 0;        // among meshes: what the experiment of that name uses at draft size
    std::size_t first = 0;        // of the meshes that are compared with one another
    std::vector<Level> others{};  // on the mesh `draft`: another step, another Newton
    SheetOptions sheet{};
};

double content_at_end(const RunResult& r) { return r.at_end[0].measures.bending_content; }

json only_brief_and_held(json scene) {
    json kept = json::array();
    for (const json& variant : scene.at("variants"))
        if (variant.at("name") == "brief" || variant.at("name") == "held") kept.push_back(variant);
    scene["variants"] = kept;
    return scene;
}

struct Time {
    double h = 0.01;
    int newton = 0;  // 0: "auto"
};

Level tube_level(const std::string& name, int around, int up, int seeds, Time time = {}) {
    const auto scene = [=](int seed) {
        json s = judged_tube_scene({.around = around, .up = up, .seed = seed, .h = time.h});
        if (time.newton > 0) s["step"]["newton"] = time.newton;
        return s;
    };
    return {name, around * up, seeds, scene, content_at_end};
}

Level crumple_level(const std::string& name, int across, int seeds, double h_ref = kSpecimenHeight) {
    const auto scene = [=](int seed) {
        return only_brief_and_held(crumple_scene({.across = across, .seed = seed, .h_ref = h_ref}));
    };
    return {name, across * across, seeds, scene, content_at_end};
}

Level strip_level(double edge, int seeds) {
    const auto strip = [=](int seed) {
        return PressedStrip{.name = "convergence-press", .edge = edge, .seed = seed};
    };
    const StripGrid grid = strip(1).grid();
    return {fmt::format("{:g} mm", 1e3 * edge), grid.columns * grid.rows, seeds,
            [=](int seed) { return only_brief_and_held(pressed_strip_scene(strip(seed))); },
            [=](const RunResult& r) { return fold_angle(grid, kFittedLimb, r.last.state.x); }};
}

Study twist_study(Size size) {
    const int seeds = seeds_of(size);
    Study study{"twist", {"bending content", "1/m²"}};
    study.sheet = {.light = LightKind::raking};
    if (size == Size::smoke) {
        study.meshes = {tube_level("coarse", 24, 10, seeds), tube_level("fine", 32, 14, seeds)};
        study.others = {tube_level("half the step", 24, 10, seeds, {.h = 0.005})};
        return study;
    }
    study.meshes = {tube_level("2K", 64, 28, seeds), tube_level("7K", 128, 55, seeds)};
    study.others = {tube_level("half the step", 64, 28, seeds, {.h = 0.005}),
                    tube_level("Newton converged", 64, 28, seeds, {.newton = 20})};
    if (size == Size::paper) {
        study.meshes.push_back(tube_level("27K", 256, 107, seeds));
        study.meshes.push_back(tube_level("110K", 512, 214, 1));
    }
    Level& twin = study.meshes[size == Size::paper ? 2 : 0];
    twin.twin = "../twist/reference-cotton-" + twin.name + "-seed";
    return study;
}

Study crumple_study(Size size) {
    const int seeds = seeds_of(size);
    Study study{"crumple", {"bending content", "1/m²"}};
    study.sheet = lifted_sheet();
    if (size == Size::smoke) {
        study.meshes = {crumple_level("11", 11, seeds, 0.004), crumple_level("15", 15, seeds)};
        return study;
    }
    // The experiment at draft size has another reference height: see there. It is another cloth, not another
    // mesh.
    study.first = 1;
    study.meshes = {crumple_level("41, H_ref 4 mm", 41, seeds, 0.004), crumple_level("41", 41, seeds),
                    crumple_level(size == Size::draft ? "57" : "81", size == Size::draft ? 57 : 81, seeds)};
    if (size == Size::paper) study.meshes.push_back(crumple_level("141", 141, seeds));
    (size == Size::paper ? study.meshes.back() : study.meshes.front()).twin = "../crumple/seed";
    return study;
}

Study press_study(Size size) {
    const int seeds = seeds_of(size);
    Study study{"press", {"angle between the limbs", "degrees"}};
    study.sheet = {.from = kSideOn, .hidden = {"table"}};
    std::vector<double> edges{0.0025, 0.00125, 0.000625, 0.0003125};  // m
    edges.resize(size == Size::smoke ? 1 : size == Size::draft ? 3 : 4);
    if (size == Size::smoke) edges.insert(edges.begin(), 0.005);
    for (const double edge : edges) study.meshes.push_back(strip_level(edge, seeds));
    study.draft = size == Size::smoke ? 0 : 1;
    return study;
}

std::string folder_of(const Study& study, const Level& level, int seed) {
    if (!level.twin.empty()) return level.twin + std::to_string(seed);
    std::string name = study.name + "-" + level.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == ',' || c == '.'; }, '_');
    return fmt::format("{}-seed{}", name, seed);
}

void run(const ExperimentContext& bench, Study& study) {
    const auto run_level = [&](Level& level) {
        for (int seed = 1; seed <= level.seeds; ++seed)
            for (const RunResult& r : bench.run(level.scene(seed), folder_of(study, level, seed)))
                (r.variant == "held" ? level.held : level.brief).push_back(level.measure(r));
    };
    for (Level& level : study.meshes) run_level(level);
    for (Level& level : study.others) run_level(level);
}

void show(ExperimentContext& bench, const Study& study) {
    Plot plot{study.name + " on finer meshes",
              {"vertices", "", true},
              {study.quantity.title, study.quantity.unit},
              {{"brief", {}, {}, false, true}, {"held", {}, {}, false, true}}};
    std::vector<std::vector<double>> rows;
    std::vector<Shown> shown;
    const auto add = [&](const Level& level) {
        for (std::size_t i = 0; i < level.brief.size(); ++i)
            rows.push_back({double(level.vertices), double(i + 1), level.brief[i], level.held[i]});
    };
    for (const Level& level : study.meshes) {
        add(level);
        shown.push_back({folder_of(study, level, 1) + "/held", level.name + ", held"});
        if (&level < &study.meshes[study.first]) continue;
        for (std::size_t k = 0; k < 2; ++k)
            for (const double value : k == 0 ? level.brief : level.held) {
                plot.series[k].x.push_back(level.vertices);
                plot.series[k].y.push_back(value);
            }
    }
    for (const Level& level : study.others) add(level);
    bench.write_table(study.name, {"vertices", "seed", "brief", "held"}, rows);
    bench.plot(study.name, "One dot a seed: where the dots lie level, the mesh does not matter any more.",
               plot);
    SheetOptions sheet = study.sheet;
    sheet.columns = int(shown.size());
    sheet.width = 360, sheet.height = 400;
    bench.sheet(study.name + "-meshes", "Held, from the coarsest mesh to the finest; seed 1.", shown, sheet);
}

std::vector<double> shared(std::vector<double> values, std::size_t count) {
    values.resize(std::min(values.size(), count));
    return values;
}

// Seeds of different meshes are independent: any pairs serve.
std::vector<Claim> claims_of(const Study& study) {
    const Bound settled = within_of_one(
        0.1, "half of the fifth that pictures beside each other show, in which verdicts are bounds");
    const Bound same = within_of_one(0.05, "less than a seed changes");
    std::vector<Claim> claims;
    const auto compare = [&](const std::string& what, const Level& a, const Level& b, const Bound& bound) {
        const std::size_t seeds = std::min(a.held.size(), b.held.size());
        const std::string quantity = study.quantity.title;
        for (const auto& [variant, x, y] :
             {std::tuple{"brief", &a.brief, &b.brief}, {"held", &a.held, &b.held}})
            claims.push_back(make_claim(fmt::format("{}, {}: {}", study.name, variant, what),
                                        ratio_of(quantity, shared(*x, seeds), shared(*y, seeds)), bound));
    };
    for (std::size_t i = study.first + 1; i < study.meshes.size(); ++i)
        compare(fmt::format("{} gives what {} gives", study.meshes[i].name, study.meshes[i - 1].name),
                study.meshes[i], study.meshes[i - 1], settled);
    const Level& draft = study.meshes[study.draft];
    for (const Level& other : study.others)
        compare(fmt::format("{} gives what {} gives", other.name, draft.name), other, draft, same);
    // The finest mesh of which there are as many seeds.
    const Level* fine = &draft;
    for (const Level& level : study.meshes)
        if (level.seeds == draft.seeds) fine = &level;
    claims.push_back(make_claim(
        fmt::format("{}: the draft mesh predicts held / brief: {} / {}", study.name, draft.name, fine->name),
        Sample{"ratio of held / brief",
               ratios(ratios(draft.held, draft.brief), ratios(fine->held, fine->brief)), Scale::logarithmic},
        within_of_one(0.25, "a ratio of 1.5 stays above the 1.2 that verdicts ask")));
    return claims;
}

json convergence_scene() { return tube_level("2K", 64, 28, 1).scene(1); }

std::vector<Claim> reproduce_convergence(ExperimentContext& bench) {
    std::vector<Claim> claims;
    for (Study study : {twist_study(bench.size()), crumple_study(bench.size()), press_study(bench.size())}) {
        run(bench, study);
        show(bench, study);
        for (Claim& claim : claims_of(study)) claims.push_back(std::move(claim));
    }
    return claims;
}

}  // namespace

Experiment convergence_experiment() {
    return {"convergence",
            "twist, crumple and press on finer meshes, with half the step, with Newton converged",
            "8 min",
            convergence_scene,
            reproduce_convergence,
            "The paper does not say how its pictures depend on the mesh; its ablation varies the time step. "
            "(Supplement, "
            "Ablation study, figure 19.)",
            "The reference twist of cotton, the crumple without a weight and the pressed strip of cotton, "
            "brief (the steps "
            "of the hold without material time) and held, on meshes from coarse to fine; the twist with half "
            "the step and "
            "with Newton's method to convergence. Five seeds each; the twist of 110,000 vertices (paper size "
            "only) once. "
            "Says where absolute numbers settle, and whether the draft mesh predicts the ratio of held to "
            "brief."};
}

}  // namespace rumple
