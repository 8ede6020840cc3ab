#include "contact_case.hpp"

#include <fmt/format.h>

#include <chrono>
#include <experiments/contact_scenes.hpp>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/scene/scene_builder.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/simulator.hpp>

#include "contact_cases.hpp"
#include "samples.hpp"

namespace rumple {

namespace {

ContactCase wring_case() {
    ContactCase found{build_variants({wring_cylinder_scene(), "wring-cylinder", {}}).front()};
    found.step = found.scene.phases.front().steps / 2;
    return found;
}

ContactCase trousers_case(double edge, int steps) {
    const Mannequin mannequin = make_mannequin();
    TriMesh body = mannequin.mesh;
    body.positions = mannequin.positions(Clip::stand, 0);
    const double h = 0.001;
    const int settle = 60;  // steps ten times as long, after which the garment lies on the body
    Scene scene = SceneBuilder("trousers")
                      .cloth("trousers", make_trousers(body, {.edge_length = edge}).mesh, "cotton-garment",
                             {.rest = {.source = RestSource::mesh}})
                      .obstacle("body", body)
                      .contact({})
                      .phase("settle", {.duration = 10 * h * settle, .h = 10 * h})
                      .phase("timed", {.duration = h * (steps + 1), .h = h})
                      .build();
    return {std::move(scene), 1, 0};
}

ContactCase make_case(const std::string& name, int steps) {
    if (name == "crumple-5K") return crumple_case(71);
    if (name == "crumple-20K") return crumple_case(141);
    if (name == "wring-cylinder") return wring_case();
    if (name == "trousers") return trousers_case(0.0077, steps);
    if (name == "trousers-3K") return trousers_case(0.02, steps);
    throw InputError("bench_cuda", fmt::format("there is no case '{}' of contact", name),
                     "crumple-5K, crumple-20K, wring-cylinder, trousers and trousers-3K are known");
}

nlohmann::json time_steps(const ContactCase& at, const SimState& from, Backend backend,
                          const CudaContactOptions& options) {
    Simulator sim(at.scene, options.threads, backend);
    sim.restore(from);
    Samples seconds, solves, iterations, touching;
    StepTiming timing;
    int direct = 0, rolled_back = 0;
    sim.step();  // warms up
    for (int n = 0; n < options.steps && !sim.done(); ++n) {
        const auto start = std::chrono::steady_clock::now();
        const StepReport report = sim.step();
        seconds.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        solves.add(report.solves);
        iterations.add(report.iterations);
        touching.add(report.contact.touching);
        timing += report.timing;
        direct += report.direct_fallbacks;
        rolled_back += report.contact.rolled_back;
    }
    nlohmann::json parts;
    for (const StepTimingPart& part : kStepTimingParts)
        parts[part.name] = timing.*part.seconds / options.steps;
    return {{"backend", backend == Backend::cuda ? "cuda" : "cpu"},
            {"threads", options.threads},
            {"vertices", sim.model().vertex_count()},
            {"seconds_per_step", to_json(seconds)},
            {"seconds_per_solve", seconds.mean() / std::max(1.0, solves.mean())},
            {"solves_per_step", to_json(solves)},
            {"iterations_per_step", to_json(iterations)},
            {"touching", to_json(touching)},
            {"direct_fallbacks", direct},
            {"rolled_back", rolled_back},
            {"mean_seconds_by_part", parts}};
}

}  // namespace

nlohmann::json bench_cuda_contact(const std::string& name, const CudaContactOptions& options) {
    const ContactCase at = make_case(name, options.steps);
    std::optional<Simulator> walker(std::in_place, at.scene, options.threads, Backend::cpu);
    while (walker->phase_index() < at.phase ||
           (walker->phase_index() == at.phase && walker->step_in_phase() < at.step))
        walker->step();
    const SimState from = walker->sim_state();
    walker.reset();
    nlohmann::json results = nlohmann::json::array();
    for (const Backend backend : {Backend::cuda, Backend::cpu}) {
        nlohmann::json e = time_steps(at, from, backend, options);
        e["case"] = name;
        fmt::print(
            "{:<14} {:>6} {:<4} {:>9.2f} ms/step {:>4.1f} solves {:>6.1f} iterations {:>7.0f} touching, {} "
            "direct\n",
            name, e["vertices"].get<int>(), e["backend"].get<std::string>(),
            1e3 * e["seconds_per_step"]["median"].get<double>(), e["solves_per_step"]["median"].get<double>(),
            e["iterations_per_step"]["median"].get<double>(), e["touching"]["median"].get<double>(),
            e["direct_fallbacks"].get<int>());
        std::fflush(stdout);
        results.push_back(std::move(e));
    }
    return results;
}

}  // namespace rumple
