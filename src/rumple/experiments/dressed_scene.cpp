#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/experiments/dressed_scene.hpp>
#include <rumple/measure/measure.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kExtreme = 1.5;                                                      // s of every clip
constexpr double kSettle = 0.6, kMove = 1.5, kRest = 0.2, kStand = 0.4, kBare = 0.8;  // s
// m: rest hinge height of the paper's trousers (24 000 vertices); there the published angles hold
constexpr double kHingeHeight = 0.006;

// Skips these phases.
json without(std::initializer_list<const char*> phases) {
    json set = json::object();
    for (const char* phase : phases) {
        const std::string name = phase;
        set["phases." + name + (name == "hold" ? ".steps" : ".duration")] = 0;
    }
    return set;
}

}  // namespace

json dressed_scene(const DressedScene& o) {
    const bool trousers = o.garment == "trousers";
    const std::string held = trousers ? "waistband" : "collar";
    json scene{{"rumple", 1},
               {"name", o.garment},
               {"step", {{"h", o.h}}},
               {"output", {{"rate", 15}}},
               {"contact", {{"self", o.self_contact}}},
               {"cloths",
                {{{"name", o.garment},
                  {"mesh", {{"garment", o.garment}, {"body", "body"}, {"edge", o.edge}}},
                  {"material", {{"preset", o.material}, {"H_ref", kHingeHeight}}}}}},
               {"obstacles",
                {{{"name", "body"}, {"body", {{"mannequin", {{"edge", o.body_edge}}}, {"clip", o.clip}}}}}}};
    // A T-shirt hangs from the shoulders; only bare does somebody have to hold it.
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
        {{"name", "bare"}, {"duration", o.pace * kBare}, {"obstacles", stands}, {"vanish", {"body"}}}};
    if (!trousers) scene["phases"][6]["grab"] = {held};
    scene["variants"] = {
        {{"name", "settled"}, {"set", without({"move", "rest", "hold", "back", "stand", "bare"})}},
        {{"name", "settled-bare"}, {"set", without({"move", "rest", "hold", "back", "stand"})}},
        {{"name", "brief"}, {"set", without({"hold", "bare"})}},
        {{"name", "brief-bare"}, {"set", without({"hold"})}},
        {{"name", "held"}, {"set", without({"bare"})}},
        {{"name", "held-bare"}}};
    return scene;
}

DressedRun run_dressed(const Workbench& bench, const DressedScene& options, const std::string& folder) {
    const json document = dressed_scene(options);
    const std::vector<RunResult> results = bench.run(document, folder);
    const std::vector<std::string> one{"settled"};
    const Scene scene = std::move(build_variants({document, folder, {}}, one).front());
    const SceneCloth& cloth = scene.cloths.front();
    const auto positions = [&](const std::string& variant) -> const std::vector<Vec3d>& {
        return std::find_if(results.begin(), results.end(),
                            [&](const RunResult& r) { return r.variant == variant; })
            ->last.state.x;
    };
    DressedRun run;
    std::vector<int> all(cloth.mesh.positions.size());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    for (const std::string bare : {"", "-bare"}) {
        const std::vector<double> reference = hinge_angles(cloth.rest, positions("settled" + bare));
        for (const std::string variant : {"brief", "held"}) {
            const std::vector<Vec3d>& x = positions(variant + bare);
            const auto content = [&](const std::vector<int>& vertices) {
                return measure_region(cloth.rest, cloth.mesh.triangles, x, reference, vertices)
                    .bending_content;
            };
            auto& by_region = run.content[variant + bare];
            for (const auto& [name, vertices] : cloth.sets) by_region[name] = content(vertices);
            by_region["all"] = content(all);
        }
    }
    for (const RunResult& r : results) {
        run.inside_steps += r.counts.contact.inside;
        run.steps += r.counts.steps;
    }
    return run;
}

}  // namespace rumple
