// Checks of the CUDA backend against the CPU's. Ends with status 77 where there is no device.
//   test_cuda [NAME ...]: groups of checks; none: all but `long`. `quick` and `one` are for the sanitizer.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple_cuda/backend.hpp>

#include "checks.hpp"
#include "twist_case.hpp"

using namespace rumple;
using namespace rumple::checks;
using cuda::CudaStepper;

namespace {

// The estimate that stops the iteration bounds the error of the default tolerance.
void check_estimate(const Model& model, const State& state, const StepInput& in, const std::string& name) {
    CudaStepper loose(model, {}), tight(model, {.tolerance = 1e-9});
    State a = state, b = state;
    const StepReport ra = loose.step(a, in), rb = tight.step(b, in);
    const double error = distance(a.x, b.x) / model.mean_edge_length;
    expect(ra.accepted && rb.accepted && (ra.solves != rb.solves || error <= 1e-5 * ra.solves),
           fmt::format(
               "{}: error at tolerance 1e-5 is {:.1e} edges, {} iterations in {} solves (1e-9: {} in {})",
               name, error, ra.iterations, ra.solves, rb.iterations, rb.solves));
}

void check_determinism(TwistCase& twist, const TwistState& from, const std::string& name) {
    constexpr int kSteps = kEmulated ? 3 : 10;
    State end[2];
    for (State& state : end) {
        CudaStepper device(twist.model(), {});
        device.set_resident(true);
        state = from.state;
        for (int n = 0; n < kSteps; ++n) device.step(state, twist.input(from.step + n));
        device.fetch(state);
    }
    expect(end[0] == end[1], name + ": some steps give the same bits twice");
    CudaStepper device(twist.model(), {});
    State state = from.state;
    for (int n = 0; n < kSteps; ++n) device.step(state, twist.input(from.step + n));
    expect(state == end[0], name + ": and the same where the state goes to the host after each");
}

// A whole twist on either backend, and on both in turn.
void check_whole_twist() {
    double content[3];
    for (int way = 0; way < 3; ++way) {
        TwistCase twist({.size = twist_size("2K")});
        CudaStepper device(twist.model(), {});
        const auto cpu = make_stepper(twist.model(), {.threads = 4});
        State state = twist.initial_state();
        bool accepted = true;
        for (int n = 0; n < twist.step_count(); ++n) {
            Stepper& stepper = way == 0 || (way == 2 && n % 40 < 20) ? *cpu : device;
            accepted = stepper.step(state, twist.input(n)).accepted && accepted;
        }
        content[way] = twist.bending_content(state);
        expect(accepted && std::isfinite(content[way]),
               fmt::format("a whole twist {}: bending content {:.1f}",
                           way == 0 ? "on the CPU" : (way == 1 ? "on the device" : "on both in turn"),
                           content[way]));
    }
    // one seed's spread is about a tenth
    expect(std::abs(content[1] / content[0] - 1) < 0.1 && std::abs(content[2] / content[0] - 1) < 0.1,
           "bending contents agree within the seeds' spread");
}

// Cloth let go crushed, which springs out further than a linear solve can follow: the step is subdivided
// alike on both backends.
void check_subdivision(const Model& model, const State& from, StepInput in) {
    State here = from;
    for (Vec3d& x : here.x) x = 0.3 * x;
    in.handles = {};
    State there = here;
    const auto cpu = make_stepper(model, {.threads = 4, .tolerance = 1e-8});
    CudaStepper device(model, {.tolerance = 1e-8});
    const StepReport a = cpu->step(here, in), b = device.step(there, in);
    const double apart = distance(here.x, there.x) / model.mean_edge_length;
    expect(a.accepted && b.accepted && a.contact.substeps > 1 && a.contact.substeps == b.contact.substeps &&
               apart <= 1e-5,
           fmt::format("crushed cloth: {} and {} parts of a step end within {:.1e} edges {} {}",
                       a.contact.substeps, b.contact.substeps, apart, a.failure, b.failure));
}

// Ten thousand steps take no more memory than ten.
void check_endurance(TwistCase& twist, const TwistState& from) {
    CudaStepper device(twist.model(), {});
    device.set_resident(true);
    State state;
    std::size_t first = 0, free = 0, total = 0;
    bool accepted = true;
    const int last = twist.step_count() - from.step;
    for (int n = 0; n < 10000; ++n) {
        if (n % last == 0) state = from.state;
        accepted = device.step(state, twist.input(from.step + n % last)).accepted && accepted;
        if (n == 2 * last) cudaMemGetInfo(&first, &total);
    }
    cudaMemGetInfo(&free, &total);
    expect(accepted && free >= first,
           fmt::format("10,000 steps: free memory {} bytes after {} steps, {} at the end", first, 2 * last,
                       free));
}

void check_refusals(const Model& model) {
    cuda::register_cuda_backend();
    const auto refusal = [](const Model& m, const StepperOptions& options) {
        try {
            make_stepper(m, options);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    expect(!refusal(model, {.backend = Backend::cuda, .solver = SolverChoice::direct}).empty(),
           "a direct solver is refused");
    expect(refusal(model, {.backend = Backend::cuda}).empty(), "a model without contact is taken");
}

void check_failure(TwistCase& twist, const TwistState& from) {
    CudaStepper device(twist.model(), {});
    StepInput in = twist.input(from.step);
    std::vector<Vec3d> targets(in.handles.targets.begin(), in.handles.targets.end());
    targets[0].x = std::nan("");
    in.handles.targets = targets;
    State state = from.state;
    StepReport report = device.step(state, in);
    expect(!report.accepted && state == from.state,
           "a target that is not a number is refused: " + report.failure);
    targets[0].x = 1e6;
    report = device.step(state, in);
    expect(!report.accepted && state == from.state,
           "an absurd step leaves the state as it was: " + report.failure);
    expect(device.step(state, twist.input(from.step)).accepted, "and the next step is taken");
}

// A buckled twist: of 2K vertices, in emulation of fewer.
struct Buckled {
    TwistCase twist{{.size = kEmulated ? TwistSize{"448", 32, 14} : twist_size("2K")}};
    std::vector<TwistState> states;
    std::vector<double> stiffness;

    explicit Buckled(int count = 2) : states(buckled_states(twist, count, 2)) { states.back().step -= 1; }
    const Model& model() const { return twist.model(); }
    const TwistState& first() const { return states.front(); }
    StepInput input() { return twist.input(first().step); }
    // With springs as handles, gravity and both dampings.
    StepInput pulled() {
        StepInput in = input();
        stiffness.assign(in.handles.vertices.size(), 50.0);
        for (std::size_t i = 0; i < stiffness.size(); i += 2) stiffness[i] = 0;
        in.handles.stiffness = stiffness;
        in.gravity = {0, 0, -9.81};
        in.mass_damping = 0.5;
        in.stiffness_damping = 1e-3;
        return in;
    }
};

void check_assemblies() {
    Buckled b;
    check_assembly(b.model(), b.first().state, b.input(), "twist");
    check_assembly(b.model(), b.first().state, b.pulled(), "springs, gravity, damping");
}

void check_steps() {
    Buckled b(5);
    check_step_agrees(b.model(), b.first().state, b.pulled(), "springs, gravity, damping");
    for (const TwistState& s : b.states)
        check_step_agrees(b.model(), s.state, b.twist.input(s.step), fmt::format("twist, step {}", s.step));
}

// Other sizes; in emulation also the kernels and the cycle of the largest meshes.
void check_sizes() {
    Buckled b;
    for (const char* name : {"2K", "7K", "27K"}) {
        TwistCase twist({.size = twist_size(name)});
        const State state = twist.carried_over(b.twist, b.first().state);
        check_step_agrees(twist.model(), state, twist.input(b.first().step), name);
        if (kEmulated) break;
        check_estimate(twist.model(), state, twist.input(b.first().step), name);
        check_determinism(twist, {b.first().step, state}, name);
    }
    check_step_agrees(b.model(), b.first().state, b.pulled(), "as if it were large", {}, {{14, 7}, true});
    check_step_agrees(b.model(), b.first().state, b.input(), "W cycle", {}, {{7, 2, 2, 2}, true});
}

void check_estimates() {
    Buckled b;
    check_estimate(b.model(), b.first().state, b.input(), "twist");
}

void check_repeats() {
    Buckled b;
    check_determinism(b.twist, b.first(), "twist");
}

#ifdef RUMPLE_CUDA_EMULATED
// The order in which thread blocks and threads run does not matter.
void check_order() {
    Buckled b;
    for (const bool large : {false, true}) {
        State end[3];
        for (unsigned seed = 0; seed < 3; ++seed) {
            emulation::shuffle_order(seed);
            CudaStepper device(b.model(), {}, {{}, large});
            end[seed] = b.first().state;
            device.step(end[seed], b.pulled());
        }
        emulation::shuffle_order(0);
        expect(end[0] == end[1] && end[0] == end[2] && !(end[0] == b.first().state),
               fmt::format("threads in three orders give the same bits{}",
                           large ? ", as if it were large" : ""));
    }
}
#endif

void check_failures() {
    Buckled b;
    check_refusals(b.model());
    check_failure(b.twist, b.first());
}

void check_crushed() {
    Buckled b;
    check_subdivision(b.model(), b.first().state, b.input());
}

// Under the sanitizer, whose slowest tools take `one`.
void check_one() {
    Buckled b;
    check_step_agrees(b.model(), b.first().state, b.input(), "one step");
}
void check_quick() {
    check_assemblies();
    Buckled b;
    check_step_agrees(b.model(), b.first().state, b.pulled(), "springs, gravity, damping");
    check_determinism(b.twist, b.first(), "twist");
}
void check_long() {
    Buckled b;
    check_endurance(b.twist, b.first());
}

struct Group {
    const char* name;
    void (*run)();
    bool by_default = true;
};
constexpr Group kGroups[] = {
    {"assembly", check_assemblies},
    {"steps", check_steps},
    {"sizes", check_sizes},
    {"estimate", check_estimates},
    {"determinism", check_repeats},
#ifdef RUMPLE_CUDA_EMULATED
    {"order", check_order},
    {"faults", check_faults},
#endif
    {"subdivision", check_crushed},
    {"failures", check_failures},
    {"laws", check_laws},
    {"more_laws", check_more_laws},
    {"newton", check_newton},
    {"runs", check_runs},
    {"contact", check_contact},
    {"contact_variants", check_contact_variants},
    {"contact_domains", check_contact_domains},
    {"contact_scenes", check_contact_scenes},
    {"twist", check_whole_twist, !kEmulated},
    {"quick", check_quick, false},
    {"one", check_one, false},
    {"contact_one", check_contact_one, false},
    {"long", check_long, false},
};

}  // namespace

int main(int argc, char** argv) {
    if (const std::string fault = cuda::unavailable(); !fault.empty()) {
        fmt::print("skipped: {}\n", fault);
        return 77;
    }
    const std::span<char*> names(argv + 1, argv + argc);
    for (const char* name : names)
        if (std::ranges::none_of(kGroups, [&](const Group& g) { return std::strcmp(g.name, name) == 0; }))
            expect(false, fmt::format("there are checks named {}", name));
    for (const Group& group : kGroups) {
        const bool named =
            std::ranges::any_of(names, [&](const char* name) { return std::strcmp(group.name, name) == 0; });
        if (names.empty() ? group.by_default : named) group.run();
    }
    fmt::print("{} failures, {:.0f} MB on the device at the end\n", failures(),
               1e-6 * static_cast<double>(cuda::allocated_bytes()));
    return failures() > 0;
}
