// States that stay on the device between steps: the same as with copies, in scenes and runs.
#include <fmt/format.h>

#include <rumple/scene/scene_builder.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/simulator.hpp>
#include <rumple_cuda/backend.hpp>

#include "checks.hpp"

namespace rumple::checks {

namespace {

// A tube that is twisted, let go of some of its memory, grabbed again, held, and recovers.
Scene twist_scene() {
    constexpr int kAround = 16, kUp = 9;
    Material cotton = *find_preset("cotton");
    cotton.H_ref = 0.004;
    cotton.relaxation = {.share = 0.3, .tau_min = 0.01, .tau_max = 100};
    return SceneBuilder("twist")
        .gravity({0, 0, 0})
        .output(50)
        .cloth("tube", TubeOptions{.radius = 0.02, .height = 0.06, .around = kAround, .up = kUp}, cotton,
               {.imperfection = {.amplitude = 2e-5, .direction = ImperfectionDirection::radial}})
        .handle("top", ring_top())
        .handle("bottom", ring_bottom())
        .phase("twist",
               {.duration = 0.05, .motions = {{"top", rotate_z(-40, {0, 0, -0.01})}, {"bottom", {}}}})
        .phase("back", {.duration = 0.03, .release = {"top"}, .forget = {{.friction = 0.5, .plasticity = 0}}})
        .phase("hold", {.hold = 20, .steps = 3, .grab = {"top"}})
        .phase("recover", {.recover = 100, .steps = 2})
        .phase("settle", {.duration = 0.02, .release = {"top"}})
        .build();
}

SimState at_end(const Scene& scene, Backend backend, bool resident, bool look) {
    Simulator sim(scene, 1, backend);
    sim.set_resident(resident);
    while (!sim.done()) {
        sim.step();
        if (look) sim.sim_state();
    }
    return sim.sim_state();
}

// The first half on one backend, the second on the other, with a checkpoint in between.
SimState in_turn(const Scene& scene, Backend first, Backend second) {
    Simulator sim(scene, 1, first);
    sim.set_resident(true);
    while (sim.phase_index() < 2) sim.step();
    const std::string bytes = encode_checkpoint({.scene_hash = "", .record = {}, .sim = sim.sim_state()});
    Simulator other(scene, 1, second);
    other.set_resident(true);
    other.restore(decode_checkpoint(bytes, "checkpoint").sim);
    while (!other.done()) other.step();
    return other.sim_state();
}

#ifdef RUMPLE_CUDA_EMULATED
void check_lost_device(const Scene& scene) {
    Simulator sim(scene, 1, Backend::cuda);
    sim.set_resident(true);
    sim.step();
    const SimState seen = sim.sim_state();
    for (int n = 0; n < 3; ++n) sim.step();
    emulation::lose_device(true);
    std::string failure;
    try {
        sim.step();
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    expect(!failure.empty() && sim.sim_state() == seen,
           "where the device is lost, the state is the one that was looked at last: " + failure);
    emulation::lose_device(false);
    Simulator other(scene, 1, Backend::cpu);
    other.restore(sim.sim_state());
    other.step();
    expect(other.steps_taken() == 2, "and the run continues from there on the CPU");
}
#endif

}  // namespace

void check_runs() {
    cuda::register_cuda_backend();
    const Scene scene = twist_scene();
    const SimState copied = at_end(scene, Backend::cuda, false, false);
    expect(at_end(scene, Backend::cuda, true, false) == copied,
           "a scene whose state stays on the device ends at the same bits");
    expect(at_end(scene, Backend::cuda, true, true) == copied, "and so where somebody looks at every step");
    const SimState cpu = at_end(scene, Backend::cpu, true, false);
    expect(cpu == at_end(scene, Backend::cpu, false, false), "the CPU's end is the same either way");
    fmt::print("     {:.1e} m between the backends\n", distance(cpu.state.x, copied.state.x));
    for (const Backend first : {Backend::cpu, Backend::cuda}) {
        const bool on_cpu = first == Backend::cpu;
        const SimState end = in_turn(scene, first, on_cpu ? Backend::cuda : Backend::cpu);
        const double apart = distance(cpu.state.x, end.state.x);
        expect(end.state.step == cpu.state.step && apart <= 1e-5,
               fmt::format("a checkpoint of the {} continues on the {}: {:.1e} m from the CPU's end",
                           on_cpu ? "CPU" : "device", on_cpu ? "device" : "CPU", apart));
    }
    const std::vector<RunResult> run =
        run_scenes({&scene, 1}, {.out = {}, .threads = 1, .backend = Backend::cuda});
    expect(run.front().failure.empty() && run.front().last == copied && run.front().backend == Backend::cuda,
           "a run ends there too " + run.front().failure);
#ifdef RUMPLE_CUDA_EMULATED
    check_lost_device(scene);
#endif
}

}  // namespace rumple::checks
