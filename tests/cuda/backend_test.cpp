// Checks of the CUDA backend against the CPU's. Ends with status 77 where there is no device.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/elements.hpp>
#include <rumple_cuda/backend.hpp>
#include <rumple_cuda/cuda_stepper.hpp>

#include "twist_case.hpp"

using namespace rumple;
using cuda::CudaStepper;

namespace {

int failures = 0;

void expect(bool holds, const std::string& claim) {
    fmt::print("{} {}\n", holds ? "ok  " : "FAIL", claim);
    std::fflush(stdout);
    failures += !holds;
}

double distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = norm(a[i] - b[i]);
        if (!(d <= largest)) largest = d;  // a NaN stays
    }
    return largest;
}
double largest(std::span<const Vec3d> a) { return distance(a, std::vector<Vec3d>(a.size())); }

// Matrix and right-hand side of the first solve of a step, by the library's Elements.
CudaStepper::System assemble_on_cpu(const Model& model, const State& state, const StepInput& in) {
    const Threads threads(2);
    Elements elements(model);
    elements.evaluate(threads, state, state.x, {in.material_dt, in.stiffness_damping / in.h});
    const double h2 = in.h * in.h, damped = 1 + in.h * in.mass_damping;
    CudaStepper::System system{BlockMatrix(model.pattern), std::vector<Vec3d>(state.x.size())};
    std::vector<double> spring(state.x.size(), 0.0);
    std::vector<int> held(state.x.size(), -1);
    for (std::size_t i = 0; i < in.handles.vertices.size(); ++i) {
        const std::size_t v = at(in.handles.vertices[i]);
        if (in.handles.stiffness.empty() || in.handles.stiffness[i] == 0)
            held[v] = static_cast<int>(i);
        else
            spring[v] = in.handles.stiffness[i];
        if (spring[v] > 0) system.rhs[v] += h2 * spring[v] * (in.handles.targets[i] - state.x[v]);
    }
    for (std::size_t v = 0; v < state.x.size(); ++v) {
        elements.gather_row(v, h2, &system.matrix.diagonal(v));
        system.matrix.diagonal(v) += Mat3d::identity(damped * model.mass[v] + h2 * spring[v]);
        system.rhs[v] +=
            model.mass[v] * in.h * state.v[v] + h2 * (elements.gather_force(v) + model.mass[v] * in.gravity);
    }
    const BlockPattern& p = model.pattern;
    for (std::size_t j = 0; j < held.size(); ++j) {
        if (held[j] < 0) continue;
        const Vec3d way = in.handles.targets[at(held[j])] - state.x[j];
        for (int k = p.row_begin[j]; k < p.row_begin[j + 1]; ++k) {
            const std::size_t v = at(p.column[at(k)]);
            Mat3d& block = system.matrix.block[system.matrix.place(j, k)];
            if (held[v] < 0) system.rhs[v] -= v < j ? block * way : transposed(block) * way;
            block = Mat3d{};
        }
        system.matrix.diagonal(j) = Mat3d::identity();
    }
    for (std::size_t j = 0; j < held.size(); ++j)
        if (held[j] >= 0) system.rhs[j] = {};
    return system;
}

void check_assembly(const Model& model, const State& state, const StepInput& in, const std::string& name) {
    CudaStepper device(model, {});
    const auto here = assemble_on_cpu(model, state, in), there = device.assemble(state, in);
    double difference = 0, size = 0;
    for (std::size_t k = 0; k < here.matrix.block.size(); ++k)
        for (int i = 0; i < 9; ++i) {
            const double d = std::abs(here.matrix.block[k].m[i] - there.matrix.block[k].m[i]);
            if (!(d <= difference)) difference = d;
            size = std::max(size, std::abs(here.matrix.block[k].m[i]));
        }
    expect(difference <= 1e-13 * size,
           fmt::format("{}: matrix differs by {:.1e} of its largest entry", name, difference / size));
    const double rhs = distance(here.rhs, there.rhs) / largest(here.rhs);
    expect(rhs <= 1e-11, fmt::format("{}: right-hand side differs by {:.1e}", name, rhs));
    const auto cpu = make_stepper(model, {.threads = 2});
    const double force = distance(cpu->internal_forces(state, in), device.internal_forces(state, in)) /
                         largest(cpu->internal_forces(state, in));
    expect(force <= 1e-11, fmt::format("{}: forces differ by {:.1e}", name, force));
    const double energy = cpu->potential_energy(state, in);
    expect(std::abs(device.potential_energy(state, in) / energy - 1) <= 1e-12,
           fmt::format("{}: energies agree", name));
}

// One step at a tight linear tolerance: both backends end at the same place.
void check_step_agrees(const Model& model, const State& state, const StepInput& in, const std::string& name) {
    const auto cpu = make_stepper(model, {.threads = 4, .tolerance = 1e-8});
    CudaStepper device(model, {.tolerance = 1e-8});
    State here = state, there = state;
    const StepReport a = cpu->step(here, in), b = device.step(there, in);
    const double apart = distance(here.x, there.x) / model.mean_edge_length;
    expect(a.accepted && b.accepted && a.solves == b.solves && apart <= 1e-7,
           fmt::format(
               "{}: a step ends within {:.1e} edges; solves {} {}, iterations {} {}, slipping {} {} {}", name,
               apart, a.solves, b.solves, a.iterations, b.iterations, a.slipping, b.slipping, b.failure));
    const double reaction = distance(cpu->reactions(), device.reactions()) / largest(cpu->reactions());
    expect(reaction <= 1e-4, fmt::format("{}: reactions differ by {:.1e}", name, reaction));
    expect(std::abs(a.kinetic_energy - b.kinetic_energy) <= 1e-5 * a.kinetic_energy &&
               std::abs(a.potential_energy - b.potential_energy) <= 1e-5 * a.potential_energy,
           fmt::format("{}: energies after the step agree", name));
}

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
    State end[2];
    for (State& state : end) {
        CudaStepper device(twist.model(), {});
        device.set_resident(true);
        state = from.state;
        for (int n = 0; n < 10; ++n) device.step(state, twist.input(from.step + n));
        device.fetch(state);
    }
    expect(end[0] == end[1], name + ": ten steps give the same bits twice");
    CudaStepper device(twist.model(), {});
    State state = from.state;
    for (int n = 0; n < 10; ++n) device.step(state, twist.input(from.step + n));
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
    Model with_contact = model;
    with_contact.contact.enabled = true;
    expect(refusal(with_contact, {.backend = Backend::cuda}).find("contact") != std::string::npos,
           "a model with contact is refused: " + refusal(with_contact, {.backend = Backend::cuda}));
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

}  // namespace

int main(int argc, char** argv) {
    if (const std::string fault = cuda::unavailable(); !fault.empty()) {
        fmt::print("skipped: {}\n", fault);
        return 77;
    }
    const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;  // under the sanitizer
    TwistCase small({.size = twist_size("2K")});
    auto states = buckled_states(small, quick ? 2 : 5, 4);
    states.back().step -= 1;
    const TwistState& first = states.front();
    StepInput pulled = small.input(first.step);
    std::vector<double> stiffness(pulled.handles.vertices.size(), 50.0);
    for (std::size_t i = 0; i < stiffness.size(); i += 2) stiffness[i] = 0;
    pulled.handles.stiffness = stiffness;
    pulled.gravity = {0, 0, -9.81};
    pulled.mass_damping = 0.5;
    pulled.stiffness_damping = 1e-3;
    if (argc > 1 && std::strcmp(argv[1], "one") == 0) {  // the slowest of the sanitizer's tools
        check_step_agrees(small.model(), first.state, small.input(first.step), "one step");
        return failures > 0;
    }
    check_assembly(small.model(), first.state, small.input(first.step), "twist 2K");
    pulled.handles.targets = small.input(first.step).handles.targets;
    check_assembly(small.model(), first.state, pulled, "springs, gravity, damping");
    check_step_agrees(small.model(), first.state, pulled, "springs, gravity, damping");
    for (const TwistState& s : states)
        check_step_agrees(small.model(), s.state, small.input(s.step),
                          fmt::format("twist 2K, step {}", s.step));
    if (!quick) {
        for (const char* name : {"7K", "27K"}) {
            TwistCase twist({.size = twist_size(name)});
            const State state = twist.carried_over(small, first.state);
            check_step_agrees(twist.model(), state, twist.input(first.step), name);
            check_estimate(twist.model(), state, twist.input(first.step), name);
            check_determinism(twist, {first.step, state}, name);
        }
        check_estimate(small.model(), first.state, small.input(first.step), "2K");
        check_subdivision(small.model(), first.state, small.input(first.step));
        check_whole_twist();
        if (argc > 1 && std::strcmp(argv[1], "long") == 0) check_endurance(small, first);
        check_refusals(small.model());
        check_failure(small, first);
    }
    check_determinism(small, first, "2K");
    fmt::print("{} failures, {:.0f} MB on the device at the end\n", failures,
               1e-6 * static_cast<double>(cuda::allocated_bytes()));
    return failures > 0;
}
