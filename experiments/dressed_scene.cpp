#include <fmt/format.h>

#include <algorithm>
#include <experiments/dressed_scene.hpp>
#include <numeric>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>
#include <set>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kExtreme = 1.5;                                                      // s of every clip
constexpr double kSettle = 0.8, kMove = 1.5, kRest = 0.4, kStand = 0.6, kBare = 0.8;  // s
// 1/s. Stands for the air: without it legs swing on for seconds, and what is measured is not at rest.
constexpr double kDamping = 5;
constexpr double kImperfection = 2e-5;  // m, as in the reference twist

// Skips these phases.
json without(std::initializer_list<const char*> phases) {
    json set = json::object();
    for (const char* phase : phases) {
        const std::string name = phase;
        set["phases." + name + (name == "hold" ? ".steps" : ".duration")] = 0;
    }
    return set;
}

// The steps of the hold without material time, and without another phase.
json at_once(const std::string& skipped) {
    json set = skipped.empty() ? json::object() : without({skipped.c_str()});
    set["phases.hold.hold"] = 0;
    return set;
}

// The garment's regions, the halves of those in the middle, and all of it.
std::map<std::string, std::vector<int>> regions_of(const SceneCloth& cloth) {
    std::map<std::string, std::vector<int>> regions = cloth.sets;
    for (const auto& [name, vertices] : cloth.sets) {
        if (name.ends_with("_left") || name.ends_with("_right")) continue;
        for (const int v : vertices)
            regions[name + (cloth.mesh.positions[std::size_t(v)].x > 0 ? "_left" : "_right")].push_back(v);
    }
    std::vector<int>& all = regions["all"];
    all.resize(cloth.mesh.positions.size());
    std::iota(all.begin(), all.end(), 0);
    return regions;
}

// Hinges inside a region whose plastic strain is not 0, as a share.
double yielding_share(const RestShape& rest, const std::vector<double>& plastic,
                      const std::vector<int>& region) {
    const std::set<int> in(region.begin(), region.end());
    double inside = 0, yielding = 0;
    for (std::size_t h = 0; h < std::min(plastic.size(), rest.hinges.size()); ++h) {
        if (!in.contains(rest.hinges[h].x0) || !in.contains(rest.hinges[h].x1)) continue;
        ++inside;
        yielding += plastic[h] != 0;
    }
    return inside > 0 ? yielding / inside : 0;
}

}  // namespace

json dressed_scene(const DressedScene& o) {
    const bool trousers = o.garment == "trousers";
    const std::string held = trousers ? "waistband" : "collar";
    json scene{{"rumple", 1},
               {"name", o.garment},
               {"step", {{"h", o.h}}},
               {"output", {{"rate", 15}}},
               {"damping", {{"mass", kDamping}}},
               {"contact", {{"self", o.self_contact}}},
               {"cloths",
                {{{"name", o.garment},
                  {"mesh", {{"garment", o.garment}, {"body", "body"}, {"edge", o.edge}}},
                  {"material", {{"preset", o.cloth + "-garment"}, {"friction", {{"gate", o.gate}}}}}}}},
               {"obstacles",
                {{{"name", "body"}, {"body", {{"mannequin", {{"edge", o.body_edge}}}, {"clip", o.clip}}}}}}};
    if (o.seed > 0)
        scene["cloths"][0]["imperfection"] = {
            {"amplitude", kImperfection}, {"seed", o.seed}, {"direction", "normal"}};
    const bool chair = o.clip == "sit_chair";
    if (chair) scene["obstacles"].push_back({{"name", "chair"}, {"body", {{"chair", json::object()}}}});
    // A T-shirt hangs from the shoulders; only without a body it must be held.
    scene["handles"] = {{{"name", held}, {"select", {{"set", held}}}, {"attach", "body"}}};
    if (!trousers) scene["handles"][0]["from_start"] = false;
    const json stands{{"body", "fixed"}};
    const auto to = [](double time) { return json{{"body", {{"to", time}}}}; };
    scene["phases"] = {
        {{"name", "settle"}, {"duration", o.pace * kSettle}, {"obstacles", stands}},
        {{"name", "move"}, {"duration", o.pace * kMove}, {"obstacles", to(kExtreme)}},
        {{"name", "rest"}, {"duration", o.pace * kRest}, {"obstacles", stands}},
        {{"name", "hold"}, {"hold", o.hold}, {"steps", o.hold_steps}},
        {{"name", "back"}, {"duration", o.pace * kMove}, {"obstacles", to(0)}},
        {{"name", "stand"}, {"duration", o.pace * kStand}, {"obstacles", stands}},
        {{"name", "bare"}, {"duration", o.pace * kBare}, {"obstacles", stands}, {"deactivate", {"body"}}}};
    if (chair) scene["phases"][6]["deactivate"].push_back("chair");
    if (!trousers) scene["phases"][6]["grab"] = {held};
    json& phases = scene["phases"];
    if (o.wait) phases.insert(phases.begin() + 1, json{{"name", "wait"}, {"hold", *o.wait}, {"steps", 50}});
    scene["variants"] = {
        {{"name", "settled"}, {"set", without({"move", "rest", "hold", "back", "stand", "bare"})}},
        {{"name", "settled-bare"}, {"set", without({"move", "rest", "hold", "back", "stand"})}},
        {{"name", "posed"}, {"set", without({"hold", "back", "stand", "bare"})}},
        {{"name", "brief"}, {"set", at_once("bare")}},
        {{"name", "brief-bare"}, {"set", at_once("")}},
        {{"name", "held"}, {"set", without({"bare"})}},
        {{"name", "held-bare"}}};
    std::erase_if(scene["variants"].get_ref<json::array_t&>(), [&](const json& variant) {
        const std::string name = variant["name"];
        return (!o.brief && name.starts_with("brief")) || (!o.bare && name.ends_with("-bare"));
    });
    return scene;
}

DressedRun run_dressed(const ExperimentContext& bench, const DressedScene& options,
                       const std::string& folder) {
    const json document = dressed_scene(options);
    const std::vector<RunResult> results = bench.run(document, folder);
    const std::vector<std::string> one{"settled"};
    const Scene scene = std::move(build_variants({document, folder, {}}, one).front());
    const SceneCloth& cloth = scene.cloths.front();
    const auto state_of = [&](const std::string& variant) -> const State& {
        const auto found = std::find_if(results.begin(), results.end(),
                                        [&](const RunResult& r) { return r.variant == variant; });
        return found->last.state;
    };
    const auto angles = [&](const std::string& variant) {
        return hinge_angles(cloth.rest, state_of(variant).x);
    };
    const std::map<std::string, std::vector<int>> regions = regions_of(cloth);
    DressedRun run;
    PoseAngles a;
    a.cut = hinge_angles(cloth.rest, cloth.mesh.positions);
    a.posed = angles("posed");
    for (const std::string bare : {"", "-bare"}) {
        if (!bare.empty() && !options.bare) continue;
        a.before = angles("settled" + bare);
        for (const std::string variant : {"brief", "held"}) {
            if (variant == "brief" && !options.brief) continue;
            a.after = angles(variant + bare);
            const std::vector<double>& plastic = state_of(variant + bare).bending.plastic;
            for (const auto& [name, vertices] : regions) {
                run.memory[variant + bare][name] = pose_memory(cloth.rest, cloth.mesh.triangles, a, vertices);
                run.yielding[variant + bare][name] = yielding_share(cloth.rest, plastic, vertices);
            }
        }
    }
    for (const RunResult& r : results) {
        run.content[r.variant] = r.regions.at(0);
        run.sharpness[r.variant] = r.at_end[0].measures.sharpness;
        run.inside_steps += r.counts.contact.inside;
        run.steps += r.counts.steps;
    }
    return run;
}

DressedRuns run_dressed_seeds(const ExperimentContext& bench, DressedScene options, const std::string& folder,
                              int seeds) {
    DressedRuns runs;
    for (options.seed = 1; options.seed <= seeds; ++options.seed)
        runs.push_back(run_dressed(bench, options, fmt::format("{}-seed{}", folder, options.seed)));
    return runs;
}

}  // namespace rumple
