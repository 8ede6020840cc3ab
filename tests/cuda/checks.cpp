#include "checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/elements.hpp>

namespace rumple::checks {

using cuda::CudaStepper;

namespace {

int failed = 0;

}  // namespace

int failures() { return failed; }

void expect(bool holds, const std::string& claim) {
    fmt::print("{} {}\n", holds ? "ok  " : "FAIL", claim);
    std::fflush(stdout);
    failed += !holds;
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

namespace {

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

}  // namespace

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
void check_step_agrees(const Model& model, const State& state, const StepInput& in, const std::string& name,
                       const StepperOptions& options, const cuda::HierarchyOptions& hierarchy) {
    StepperOptions tight = options;
    tight.tolerance = 1e-8;
    const auto cpu = make_stepper(model, tight);
    CudaStepper device(model, tight, hierarchy);
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

}  // namespace rumple::checks
