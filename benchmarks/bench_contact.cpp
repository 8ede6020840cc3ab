#include "bench_contact.hpp"

#include <fmt/format.h>

#include <chrono>
#include <experiments/contact_scenes.hpp>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/simulator.hpp>

#include "contact_cases.hpp"

namespace rumple {

namespace {

void add(ContactBenchResult& result, double seconds, const StepReport& report) {
    result.seconds.add(seconds);
    const StepTiming& t = report.timing;
    result.evaluate.add(t.evaluate);
    result.assemble.add(t.assemble);
    result.solve.add(t.solve);
    result.broad.add(t.contact_broad);
    result.narrow.add(t.contact_narrow);
    result.response.add(t.contact_response);
    result.advance.add(t.advance);
    result.solves.add(report.solves);
    result.iterations.add(report.iterations);
    result.touching.add(report.contact.touching);
    result.trouble += report.contact.rolled_back > 0 || report.contact.inside > 0;
}

void time_steps(Simulator& sim, const ContactBenchOptions& options, ContactBenchResult& result) {
    for (int i = 0; i < options.steps && !sim.done(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const StepReport report = sim.step();
        add(result, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), report);
    }
}

void say(const ContactBenchOptions& options, const std::string& line) {
    if (options.progress) options.progress(line);
}

// To the middle of the phase in which the weight comes to rest on the crumpled sheet.
ContactBenchResult bench_crumple(const std::string& name, int across, const ContactBenchOptions& options) {
    const ContactCase at = crumple_case(across);
    const Scene& scene = at.scene;
    Simulator sim(scene, options.threads, options.backend);
    ContactBenchResult result;
    result.name = name;
    result.vertices = sim.model().vertex_count();
    for (int said = -1; !sim.done(); sim.step()) {
        const Phase& phase = scene.phases[static_cast<std::size_t>(sim.sim_state().phase)];
        result.h = phase.h;
        if (sim.sim_state().phase == at.phase && sim.sim_state().step_in_phase == at.step) break;
        if (sim.sim_state().phase != said)
            say(options, fmt::format("{}: walking through '{}'", name, phase.name));
        said = sim.sim_state().phase;
    }
    say(options, fmt::format("{}: timing {} steps", name, options.steps));
    time_steps(sim, options, result);
    return result;
}

ContactBenchResult bench_wringing(const ContactBenchOptions& options) {
    const Scene scene = build_variants({wring_cylinder_scene(), "wring-cylinder", {}}).front();
    Simulator sim(scene, options.threads, options.backend);
    ContactBenchResult result;
    result.name = "wring-cylinder";
    result.vertices = sim.model().vertex_count();
    result.h = scene.phases.front().h;
    ContactBenchOptions part = options;
    part.steps = 50;
    while (!sim.done()) {
        say(options, fmt::format("wring-cylinder: timing from step {} on", sim.sim_state().step_in_phase));
        time_steps(sim, part, result);
    }
    return result;
}

ContactBenchResult bench_garment(const ContactBenchOptions& options) {
    if (options.garment.empty() || options.body.empty())
        throw InputError("bench contact", "the case 'garment' needs the meshes of a garment and of a body");
    const double h = 0.001;
    const int settle = 60;  // steps ten times as long, after which the garment lies on the body
    const nlohmann::json scene_document{
        {"rumple", 1},
        {"name", "garment"},
        {"cloths",
         {{{"name", "garment"},
           {"material", "cotton"},
           {"mesh", {{"file", std::filesystem::absolute(options.garment).string()}}},
           {"rest", "mesh"}}}},
        {"obstacles",
         {{{"name", "body"}, {"mesh", {{"file", std::filesystem::absolute(options.body).string()}}}}}},
        {"contact", nlohmann::json::object()},
        {"phases",
         {{{"name", "settle"}, {"h", 10 * h}, {"duration", 10 * h * settle}},
          {{"name", "timed"}, {"h", h}, {"duration", h * options.steps}}}}};
    const Scene scene = build_variants({scene_document, "garment", {}}).front();
    Simulator sim(scene, options.threads, options.backend);
    ContactBenchResult result;
    result.name = "garment";
    result.vertices = sim.model().vertex_count();
    result.h = h;
    say(options, fmt::format("garment: settling, {} steps", settle));
    for (int i = 0; i < settle; ++i) sim.step();
    say(options, fmt::format("garment: timing {} steps", options.steps));
    time_steps(sim, options, result);
    return result;
}

}  // namespace

ContactBenchResult bench_contact(const std::string& name, const ContactBenchOptions& options) {
    if (name == "crumple-5K") return bench_crumple(name, 71, options);
    if (name == "crumple-20K") return bench_crumple(name, 141, options);
    if (name == "wring-cylinder") return bench_wringing(options);
    if (name == "garment") return bench_garment(options);
    throw InputError(
        "bench contact",
        fmt::format("there is no case '{}'; there are crumple-5K, crumple-20K, wring-cylinder, garment",
                    name));
}

nlohmann::json to_json(const ContactBenchResult& r) {
    return {{"case", r.name},
            {"vertices", r.vertices},
            {"h", r.h},
            {"seconds_per_step", to_json(r.seconds)},
            {"seconds_per_step_mean", r.seconds.mean()},
            {"solves_per_step", to_json(r.solves)},
            {"iterations_per_step", to_json(r.iterations)},
            {"touching", to_json(r.touching)},
            {"steps_with_trouble", r.trouble},
            {"seconds_by_part",
             {{"evaluate", r.evaluate.median()},
              {"assemble", r.assemble.median()},
              {"solve", r.solve.median()},
              {"contact_broad", r.broad.median()},
              {"contact_narrow", r.narrow.median()},
              {"contact_response", r.response.median()},
              {"advance", r.advance.median()}}}};
}

std::string to_table(const std::vector<ContactBenchResult>& results) {
    std::string out =
        fmt::format("{:<14} {:>8} {:>7} {:>8} {:>8} {:>6} {:>5} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}\n",
                    "case", "vertices", "h", "ms/step", "mean", "solves", "iter", "touch", "eval", "assem",
                    "solve", "broad", "narrow", "respon");
    for (const ContactBenchResult& r : results)
        out += fmt::format(
            "{:<14} {:>8} {:>7} {:>8.1f} {:>8.1f} {:>6.0f} {:>5.0f} {:>7.0f} {:>6.1f} {:>6.1f} {:>6.1f} "
            "{:>6.1f} "
            "{:>6.1f} {:>6.1f}\n",
            r.name, r.vertices, r.h, 1e3 * r.seconds.median(), 1e3 * r.seconds.mean(), r.solves.median(),
            r.iterations.median(), r.touching.median(), 1e3 * r.evaluate.median(), 1e3 * r.assemble.median(),
            1e3 * r.solve.median(), 1e3 * r.broad.median(), 1e3 * r.narrow.median(),
            1e3 * r.response.median());
    return out;
}

}  // namespace rumple
