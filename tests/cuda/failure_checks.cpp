// What goes wrong outside: no device, an old driver, too little memory, a device that is lost. Only in
// emulation, which can pretend it.
#ifdef RUMPLE_CUDA_EMULATED
#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <rumple/scene/scene_builder.hpp>
#include <rumple/sim/run.hpp>
#include <rumple_cuda/backend.hpp>

#include "checks.hpp"
#include "dynamics/contact_cloths.hpp"
#include "dynamics/sample_cloth.hpp"

namespace rumple::checks {

using cuda::CudaStepper;

namespace {

bool is_one_sentence(const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos && text.find(". ") == std::string::npos;
}

std::string refusal(const Model& model) {
    try {
        make_stepper(model, {.backend = Backend::cuda, .threads = 1});
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

struct Case {
    const char* what;
    emulation::Machine machine;
    const char* says;
};

void check_machines(const Model& model) {
    const Case cases[] = {
        {"no driver", {.driver = 0}, "no NVIDIA driver is installed"},
        {"an old driver", {.driver = 12040}, "supports CUDA 12.4 and this build needs 13"},
        {"no device", {.devices = 0}, "no CUDA device can be used"},
        {"an old device", {.capability = 8}, "compute capability 8"},
        {"too little memory", {.memory = 100000}, "too little memory"},
        {"memory for a part of it", {.memory = 1500000}, "too little memory"},
    };
    const std::size_t before = cuda::allocated_bytes();
    for (const Case& c : cases) {
        emulation::pretend(c.machine);
        const std::string said = refusal(model);
        emulation::pretend({});
        expect(is_one_sentence(said) && said.find(c.says) != std::string::npos &&
                   said.find("CPU backend") != std::string::npos && cuda::allocated_bytes() == before,
               fmt::format("{}: {}", c.what, said));
    }
    expect(refusal(model).empty(), "and then a device is used again");
}

// Wherever in a step the device is lost, the step says so and leaves the state as it was.
void check_loss(const Model& model, const State& state, const StepInput& in, const std::string& name) {
    int lost = 0;
    bool sound = true;
    for (long work = 1; work < 4000; work = 2 * work + 1) {
        CudaStepper device(model, {.threads = 1});
        State there = state;
        emulation::lose_device_after(work);
        const StepReport report = device.step(there, in);
        emulation::lose_device(false);
        if (report.accepted) break;
        ++lost;
        sound = sound && there == state && is_one_sentence(report.failure) &&
                report.failure.find("the device is lost") != std::string::npos;
    }
    expect(lost > 3 && sound,
           fmt::format("{}: lost at {} places in a step, the state is as it was", name, lost));
}

// Contacts need more memory in one step than in the one before.
void check_memory_in_step() {
    const TriMesh sheet = make_grid(9, 9, 0.04, 0.04, Layout::alternating);
    const ContactCloths cloths({moved(sheet, {0, 0, 0.004}), moved(sheet, {0.001, 0.002, 0.0047})},
                               *find_preset("cotton"), {floor_part()});
    CudaStepper device(cloths.model, {.threads = 1});
    const auto cpu = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    emulation::pretend({.memory = cuda::allocated_bytes()});
    StepReport report;
    State before;
    for (int n = 0; n < 20; ++n) {
        before = state;
        report = device.step(state, in);
        if (!report.accepted) break;
    }
    emulation::pretend({});
    expect(
        !report.accepted && report.failure.find("too little memory") != std::string::npos && state == before,
        "memory that runs out in a step: " + report.failure);
    expect(device.step(state, in).accepted, "with memory the step is taken");
    State on_cpu = before;
    expect(cpu->step(on_cpu, in).accepted, "and the CPU continues from there too");
}

// A run on a device that is lost continues on the CPU from its last checkpoint.
void check_run() {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("rumple-lost-{}", getpid());
    Material cotton = *find_preset("cotton");
    const Scene scene = SceneBuilder("sheet")
                            .gravity({0, 0, -9.81})
                            .output(100)
                            .cloth("sheet", make_grid(9, 9, 0.04, 0.04, Layout::alternating), cotton)
                            .handle("side", BoxSelector{{-1, 0.019, -1}, {1, 1, 1}})
                            .phase("fall", {.duration = 0.05, .motions = {{"side", {}}}})
                            .phase("swing", {.duration = 0.1, .motions = {{"side", {}}}})
                            .build();
    RunResult lost;
    for (long work = 4000; lost.failure.empty(); work = work * 3 / 4) {
        std::filesystem::remove_all(folder);
        emulation::lose_device_after(work);
        lost = run_scenes({&scene, 1},
                          {.out = folder, .threads = 1, .backend = Backend::cuda, .checkpoint_seconds = 1e9})
                   .front();
        emulation::lose_device(false);
    }
    expect(lost.failure.find("the device is lost") != std::string::npos &&
               lost.failure.find("resume from the last checkpoint") != std::string::npos &&
               lost.last.state.step > 0,
           fmt::format("a run is lost after step {}: {}", lost.last.state.step, lost.failure));
    const RunResult end =
        run_scenes({&scene, 1}, {.out = folder, .resume = true, .threads = 1, .backend = Backend::cpu})
            .front();
    expect(end.failure.empty() && end.last.state.step == 15 && end.backend == Backend::cpu,
           "and is resumed on the CPU to its end " + end.failure);
    std::filesystem::remove_all(folder);
}

}  // namespace

void check_faults() {
    cuda::register_cuda_backend();
    const SampleCloth cloth(make_grid(15, 19, 0.07, 0.09, Layout::alternating), *find_preset("cotton"));
    check_machines(cloth.model);
    const Held held(cloth.mesh.positions, [](Vec3d p) { return p.y > 0.04; });
    StepInput in;
    in.gravity = {0, 0, -9.81};
    in.handles = held.handles();
    check_loss(cloth.model, cloth.at_rest(), in, "a sheet");
    check_memory_in_step();
    check_run();
}

}  // namespace rumple::checks
#endif
