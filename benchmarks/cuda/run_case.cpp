#include "run_case.hpp"

#include <fmt/format.h>

#include <chrono>
#include <experiments/contact_scenes.hpp>
#include <experiments/crumple_scene.hpp>
#include <rumple/contact/intersections.hpp>
#include <rumple/core/error.hpp>
#include <rumple/sim/cloth_measures.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/simulator.hpp>

namespace rumple {

namespace {

constexpr int kLookEvery = 10;  // steps: as a run that writes frames

Scene scene_of(const std::string& name) {
    if (name == "wring-cylinder")
        return build_variants({wring_cylinder_scene(), "wring-cylinder", {}}).front();
    const std::string prefix = "crumple-";
    if (name.rfind(prefix, 0) != 0)
        throw InputError("bench_cuda", fmt::format("there is no run '{}'", name),
                         "crumple-brief, crumple-held, crumple-weight-brief, crumple-weight-held and "
                         "wring-cylinder are known");
    const std::vector<std::string> only{name.substr(prefix.size())};
    return build_variants({crumple_scene(), "crumple", {}}, only).front();
}

// Pairs of the cloth's own triangles.
std::size_t crossings(const Threads& threads, const Model& model, const State& state) {
    const std::vector<contact::BodyMesh> cloth{
        {contact::BodyKind::cloth, static_cast<int>(model.mass.size()), model.triangles, true}};
    const std::vector<std::uint8_t> active{1};
    return contact::intersecting_triangles(threads, contact::make_surface(cloth), state.x, active).size();
}

nlohmann::json run(const Scene& scene, Backend backend, int threads) {
    Simulator sim(scene, threads, backend);
    sim.set_resident(true);
    const Threads pool(threads);
    double seconds = 0;
    std::int64_t solves = 0, iterations = 0, direct = 0;
    std::size_t crossed = 0;
    std::string failure;
    try {
        while (!sim.done()) {
            const auto start = std::chrono::steady_clock::now();
            const StepReport report = sim.step();
            const bool look = sim.steps_taken() % kLookEvery == 0 || sim.done();
            if (look) sim.sim_state();
            seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            solves += report.solves;
            iterations += report.iterations;
            direct += report.direct_fallbacks;
            if (look) crossed += crossings(pool, sim.model(), sim.sim_state().state);
        }
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    nlohmann::json content;
    for (const ClothMeasures& cloth : measure_cloths(sim, sim.sim_state().state))
        content[cloth.cloth] = cloth.measures.bending_content;
    return {{"backend", backend == Backend::cuda ? "cuda" : "cpu"},
            {"threads", threads},
            {"vertices", sim.model().vertex_count()},
            {"steps", sim.steps_taken()},
            {"seconds", seconds},
            {"solves", solves},
            {"iterations", iterations},
            {"direct_fallbacks", direct},
            {"crossings", crossed},
            {"bending_content", content},
            {"failure", failure}};
}

}  // namespace

nlohmann::json bench_cuda_run(const std::string& name, int threads) {
    const Scene scene = scene_of(name);
    nlohmann::json results = nlohmann::json::array();
    for (const Backend backend : {Backend::cuda, Backend::cpu}) {
        nlohmann::json e = run(scene, backend, threads);
        e["case"] = name;
        fmt::print(
            "{:<22} {:>6} {:<4} {:>8.2f} s {:>6} steps {:>7} iterations, {} crossings, content {} {}\n", name,
            e["vertices"].get<int>(), e["backend"].get<std::string>(), e["seconds"].get<double>(),
            e["steps"].get<int>(), e["iterations"].get<int>(), e["crossings"].get<int>(),
            e["bending_content"].dump(), e["failure"].get<std::string>());
        std::fflush(stdout);
        results.push_back(std::move(e));
    }
    return results;
}

}  // namespace rumple
