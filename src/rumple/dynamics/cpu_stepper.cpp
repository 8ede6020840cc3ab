#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/cpu_stepper.hpp>
#include <rumple/dynamics/diagnosis.hpp>
#include <rumple/dynamics/weight.hpp>

namespace rumple {

namespace {

constexpr int kMaxBisections = 4;       // a step is cut into at most 2^4
constexpr double kMaxRolledBack = 0.2;  // share of the vertices; beyond, smaller steps are tried

}  // namespace

CpuStepper::CpuStepper(const Model& m, const StepperOptions& o)
    : model(m), options(o), threads(o.threads), elements(m), solver(m.pattern, m.initial) {
    const std::size_t n = m.mass.size();
    matrix = BlockMatrix(m.pattern);
    if (o.solver == SolverChoice::direct) direct.analyze(m.pattern);
    for (auto* a : {&x, &rhs, &delta, &target}) a->resize(n);
    spring.resize(n);
    constrained.resize(n);
    if (m.contact.enabled) contact.emplace(m);
}

StepReport CpuStepper::step(State& state, const StepInput& input) {
    StepReport report;
    report.contact.substeps = 0;
    report.failure = check(state, input);
    if (report.failure.empty() && !finite_everywhere(state)) {
        const StepFault fault = find_fault(model, state, input, state.x);
        report.failure = "the cloth it begins with is not sound: " + fault.what;
        report.fault_vertex = fault.vertex;
    }
    if (!report.failure.empty()) return report;
    const std::int64_t step = state.step;
    report.failure = advance(state, input, 0, report);
    report.accepted = report.failure.empty();
    if (report.accepted)
        state.step = step + 1;
    else
        explain(state, input, report);
    return report;
}

// The step failed at its full length and at every shorter one: says what is wrong where, if that can be
// found.
void CpuStepper::explain(const State& state, const StepInput& in, StepReport& report) const {
    report.failure = report.retry_reason.empty() ? report.failure : report.retry_reason;
    if (const StepFault fault = find_fault(model, state, in, state.x); !fault.what.empty()) {
        report.failure += "; " + fault.what;
        report.fault_vertex = fault.vertex;
    }
    if (report.retries > 0)
        report.failure +=
            fmt::format("; steps down to {:.3g} s were tried", std::ldexp(in.h, -kMaxBisections));
}

// A step, or where it fails two of half its length, and so on.
std::string CpuStepper::advance(State& state, const StepInput& in, int halvings, StepReport& report) {
    CollisionOutcome outcome;
    last_resort = halvings >= kMaxBisections;
    std::string failure = solve_step(state, in, report, outcome);
    if (torn) return advance_halves(state, in, halvings + 1, report);
    const bool clean = outcome.given_up == 0 && outcome.handles_late == 0 &&
                       outcome.held_back <= kMaxRolledBack * static_cast<double>(x.size());
    // where it is cloth that is caught already, cutting the step finely helps no more
    const bool caught =
        !state.contact.inside.empty() && outcome.given_up <= static_cast<int>(state.contact.inside.size());
    const int most = caught && failure.empty() ? 1 : kMaxBisections;
    if (halvings >= most || (failure.empty() && clean)) {
        if (!failure.empty()) return failure;
        report.contact.held_back += outcome.held_back;
        commit(state, in, report);
        ++report.contact.substeps;
        return "";
    }
    if (!failure.empty() && report.retries++ == 0) report.retry_reason = failure;
    return advance_halves(state, in, halvings + 1, report);
}

std::string CpuStepper::advance_halves(State& state, const StepInput& in, int halvings, StepReport& report) {
    const State before = state;
    std::vector<Vec3d> half_way(in.handles.vertices.size());
    for (std::size_t i = 0; i < half_way.size(); ++i)
        half_way[i] =
            0.5 * (state.x[static_cast<std::size_t>(in.handles.vertices[i])] + in.handles.targets[i]);
    std::vector<Vec3d> middle(in.obstacles.begin.size());
    for (std::size_t i = 0; i < middle.size(); ++i)
        middle[i] = 0.5 * (in.obstacles.begin[i] + in.obstacles.end[i]);
    StepInput half = in;
    half.h *= 0.5;
    half.material_dt *= 0.5;
    half.handles.targets = half_way;
    half.obstacles.end = middle;
    std::string failure = advance(state, half, halvings, report);
    if (failure.empty()) {
        half.handles.targets = in.handles.targets;
        half.obstacles.begin = middle;
        half.obstacles.end = in.obstacles.end;
        failure = advance(state, half, halvings, report);
    }
    if (!failure.empty()) state = before;
    return failure;
}

// Leaves in x where the cloth will be.
std::string CpuStepper::solve_step(State& state, const StepInput& in, StepReport& report,
                                   CollisionOutcome& outcome) {
    // from where the cloth is, with the handles' targets and what is near known
    set_handles(in);
    x = state.x;
    first_solve = true;
    contact_meets = false;
    torn = false;
    if (contact) contact->begin(threads, state, in, constrained, target, report);
    evaluate_cloth(state, x, in, report);  // contacts were evaluated as they began
    const double potential_of_cloth = contact ? incremental_potential(state, x, in) : 0;
    potential_before = left_alone(in) ? potential_of_cloth + contact_potential(in) : HUGE_VAL;
    if (contact) contact->evaluate_moving(threads, x, in.h * in.h);

    // solve for where it will be
    std::string failure =
        options.newton_iterations > 0 ? newton(state, in, report) : auto_rule(state, in, report);
    if (torn) return failure;
    if (failure.empty() && contact && contact_meets) {  // what still meets is kept apart without a solve
        const double wanted = std::max(incremental_potential(state, x, in), potential_of_cloth);
        outcome = contact->resolve(threads, x, report);
        evaluate(state, x, in, report);
        torn = !last_resort && incremental_potential(state, x, in) > kOvershoot * wanted;
        if (torn) return failure;
    }
    if (!failure.empty()) return failure;
    report.potential_energy = elements.energy();
    StepFault fault = absurd_result(model, state, in, x, constrained);
    if (fault.what.empty() && !std::isfinite(report.potential_energy)) {
        fault = find_fault(model, state, in, x);
        fault.what = "the energy of the cloth would not be a finite number; " + fault.what;
    }
    if (fault.what.empty() && contact && !contact->weights_are_finite())
        fault.what = "a weight would be nowhere";
    report.fault_vertex = fault.vertex;
    return fault.what;
}

std::string CpuStepper::check(const State& state, const StepInput& in) const {
    const std::size_t strains = model.membrane_has_history() ? 3 * model.triangles.size() : 0;
    if (state.x.size() != model.mass.size() || state.v.size() != model.mass.size() ||
        !state.bending.fits(model.hinges.size(), model.bending_history) ||
        !state.membrane.fits(strains, model.membrane_history))
        return "the state does not belong to the model";
    if (contact && !contact->knows(state)) return "the contacts of the state do not belong to the model";
    if (!(in.h > 0) || !(in.material_dt >= 0) || !std::isfinite(in.h) || !std::isfinite(in.material_dt))
        return fmt::format("step sizes h = {} s, material_dt = {} s are not usable", in.h, in.material_dt);
    return check_handles(in.handles);
}

std::string CpuStepper::check_handles(const HandleTargets& handles) const {
    const std::size_t n = handles.vertices.size();
    if (handles.targets.size() != n || (!handles.stiffness.empty() && handles.stiffness.size() != n))
        return fmt::format("{} handle vertices have {} targets and {} stiffnesses", n, handles.targets.size(),
                           handles.stiffness.size());
    for (std::size_t i = 0; i < n; ++i) {
        const int v = handles.vertices[i];
        if (v < 0 || v >= model.vertex_count())
            return fmt::format("a handle holds vertex {} of {}", v, model.vertex_count());
        if (!finite(handles.targets[i]))
            return fmt::format("the target of vertex {} is not a finite number", model.source_vertex(v));
        if (handles.stiffness.empty()) continue;
        if (const double k = handles.stiffness[i]; !(k >= 0) || !std::isfinite(k))
            return fmt::format("the handle of vertex {} has stiffness {} N/m", model.source_vertex(v), k);
    }
    return "";
}

void CpuStepper::set_handles(const StepInput& in) {
    std::fill(spring.begin(), spring.end(), 0.0);
    std::fill(constrained.begin(), constrained.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < in.handles.vertices.size(); ++i) {
        const auto v = static_cast<std::size_t>(in.handles.vertices[i]);
        const double k = in.handles.stiffness.empty() ? 0.0 : in.handles.stiffness[i];
        target[v] = in.handles.targets[i];
        spring[v] = k;
        constrained[v] = k == 0.0;
    }
}

void CpuStepper::commit(State& state, const StepInput& in, StepReport& report) {
    const Stopwatch watch(report.timing.advance);
    reactions_.resize(in.handles.vertices.size());
    for (std::size_t i = 0; i < reactions_.size(); ++i) {
        const auto v = static_cast<std::size_t>(in.handles.vertices[i]);
        const Vec3d velocity = (1 / in.h) * (x[v] - state.x[v]);
        const Vec3d inertia =
            (model.mass[v] / in.h) * (velocity - state.v[v]) + (in.mass_damping * model.mass[v]) * velocity;
        reactions_[i] = constrained[v] ? inertia - force_on(v, in) : spring[v] * (target[v] - x[v]);
    }
    report.slipping = elements.count(kSlipping);
    report.yielding = elements.count(kYielding);

    if (contact) contact->commit(threads, state, x, in, report);
    elements.advance(threads, state, x, times(in));
    for_vertices([&](std::size_t v) { state.v[v] = (1 / in.h) * (x[v] - state.x[v]); });
    state.x.swap(x);
    report.kinetic_energy = threads.sum(state.v.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) sum += 0.5 * model.mass[v] * dot(state.v[v], state.v[v]);
        return sum;
    });
    state.time += in.h;
    state.material_time += in.material_dt;
    ++state.step;
}

std::vector<Vec3d> CpuStepper::obstacle_positions(const State& state, std::span<const Vec3d> given) const {
    std::vector<Vec3d> all;
    std::size_t weight = 0;
    for (const ObstaclePart& obstacle : model.contact.obstacles) {
        const std::size_t begin = all.size();
        if (obstacle.mass > 0) {
            place_weight(obstacle, state.rigid_bodies[weight++], all);
        } else {
            const auto& from = given.empty() ? std::span<const Vec3d>(obstacle.vertices)
                                             : given.subspan(begin, obstacle.vertices.size());
            all.insert(all.end(), from.begin(), from.end());
        }
    }
    return all;
}

double CpuStepper::potential_energy(const State& state, const StepInput& input) {
    elements.evaluate(threads, state, state.x, times(input));
    return elements.energy();
}

std::vector<Vec3d> CpuStepper::internal_forces(const State& state, const StepInput& input) {
    elements.evaluate(threads, state, state.x, times(input));
    std::vector<Vec3d> f(state.x.size());
    for (std::size_t v = 0; v < f.size(); ++v) f[v] = elements.gather_force(v);
    return f;
}

}  // namespace rumple
