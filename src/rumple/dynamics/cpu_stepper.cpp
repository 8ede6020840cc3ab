#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/contact_rules.hpp>
#include <rumple/dynamics/cpu_stepper.hpp>
#include <rumple/dynamics/diagnosis.hpp>
#include <rumple/dynamics/step_check.hpp>
#include <rumple/dynamics/step_tuning.hpp>

namespace rumple {

CpuStepper::CpuStepper(const Model& model, const StepperOptions& options)
    : model_(model),
      options_(options),
      threads_(options.threads),
      elements_(model),
      handles_(model.mass.size()),
      contact_(model.contact.enabled
                   ? std::optional<contact::ContactSystem>(std::in_place, model.contact, cloth_of(model))
                   : std::nullopt),
      system_(model, options, threads_, elements_, handles_, contact_ ? &contact_->contacts() : nullptr),
      x_(model.mass.size()),
      delta_(model.mass.size()),
      trial_(model.mass.size()) {}

StepReport CpuStepper::step(State& state, const StepInput& input) {
    StepTotals totals{input.h};
    StepReport& report = totals.report;
    report.contact.substeps = 0;
    report.failure = check(state, input);
    if (report.failure.empty() && !finite_everywhere(state, threads_)) {
        const StepFault fault = find_fault(model_, state, input, state.x);
        report.failure = "the cloth it begins with is not sound: " + fault.what;
        report.fault_vertex = fault.vertex;
    }
    if (!report.failure.empty()) return report;
    const std::int64_t step = state.step;
    const StepOutcome outcome = advance(state, input, 0, totals);
    report.accepted = outcome.accepted();
    if (report.accepted) {
        state.step = step + 1;
        reactions_ = std::move(totals.reactions);
    } else {
        explain(state, input, outcome.fault, totals);
    }
    return report;
}

// The step failed at its full length and at every shorter one: reports what is wrong where, if that can be
// found.
void CpuStepper::explain(const State& state, const StepInput& in, StepFault fault, StepTotals& totals) const {
    StepReport& report = totals.report;
    if (report.retries > 0) fault = totals.first_fault;
    report.failure = fault.what;
    report.fault_vertex = fault.vertex;
    if (const StepFault cause = find_fault(model_, state, in, state.x); !cause.what.empty()) {
        report.failure += "; " + cause.what;
        report.fault_vertex = cause.vertex;
    }
    if (report.retries > 0)
        report.failure +=
            fmt::format("; steps down to {:.3g} s were tried", std::ldexp(in.h, -kStepTuning.max_bisections));
}

// A step, or where it is to be subdivided two of half its length, and so on.
StepOutcome CpuStepper::advance(State& state, const StepInput& in, int bisections, StepTotals& totals) {
    StepContext step{state, in, totals.report, bisections >= kStepTuning.max_bisections};
    StepOutcome outcome = attempt(step, bisections);
    for (int slowed = 0;
         slowed < kImpactTuning.max_slowed && contact_ && is_impact_of_slider(*contact_, outcome); ++slowed) {
        step.slider_speed *= kImpactTuning.slowed_share;
        outcome = attempt(step, bisections);
    }
    if (outcome.accepted()) commit(state, step, totals);
    if (outcome.kind != StepOutcome::Kind::subdivide) return outcome;
    if (outcome.reason == SubdivideReason::fault && totals.report.retries++ == 0) {
        totals.report.retry_reason = outcome.fault.what;
        totals.first_fault = std::move(outcome.fault);
    }
    return advance_halves(state, in, bisections + 1, totals);
}

StepOutcome CpuStepper::advance_halves(State& state, const StepInput& in, int bisections,
                                       StepTotals& totals) {
    const State before = state;
    std::vector<Vec3d> half_way(in.handles.vertices.size());
    for (std::size_t i = 0; i < half_way.size(); ++i)
        half_way[i] = 0.5 * (state.x[at(in.handles.vertices[i])] + in.handles.targets[i]);
    std::vector<Vec3d> middle(in.obstacles.begin.size());
    for (std::size_t i = 0; i < middle.size(); ++i)
        middle[i] = 0.5 * (in.obstacles.begin[i] + in.obstacles.end[i]);
    StepInput half = in;
    half.h *= 0.5;
    half.material_dt *= 0.5;
    half.handles.targets = half_way;
    half.obstacles.end = middle;
    StepOutcome outcome = advance(state, half, bisections, totals);
    if (outcome.accepted()) {
        half.handles.targets = in.handles.targets;
        half.obstacles.begin = middle;
        half.obstacles.end = in.obstacles.end;
        outcome = advance(state, half, bisections, totals);
    }
    if (!outcome.accepted()) state = before;
    return outcome;
}

// Leaves in x_ where the cloth will be.
StepOutcome CpuStepper::attempt(StepContext& step, int bisections) {
    begin_attempt(step);
    StepOutcome outcome = options_.newton_iterations > 0 ? newton(step) : auto_rule(step);
    if (outcome.accepted() && !step.contact.collisions.empty()) outcome = respond(step);
    return outcome.accepted() ? judge(step, bisections) : outcome;
}

// From where the cloth is, with the handles' targets and what is near known.
void CpuStepper::begin_attempt(StepContext& step) {
    const State& state = step.state;
    const StepInput& in = step.in;
    handles_.set(in.handles);
    for_vertices([&](std::size_t v) { x_[v] = state.x[v]; });
    elements_.begin_step(threads_, state, step.times());
    if (contact_)
        contact_->begin({in.h, in.gravity, in.obstacles, state.x, state.v, state.contact, state.rigid_bodies,
                         state.step == 0, handles_.constrained, handles_.target, step.slider_speed},
                        step.contact_work(threads_));
    evaluate_cloth(step, x_);  // contacts were evaluated as they began
    step.cloth_potential = cloth_potential(step, x_);
    if (only_handles_do_work(model_.contact, in))
        step.potential_bound = step.cloth_potential + contact_potential();
    if (contact_) contact_->evaluate_first(threads_, x_);
}

// What still collides is kept apart without a solve.
StepOutcome CpuStepper::respond(StepContext& step) {
    const double wanted = std::max(cloth_potential(step, x_), step.cloth_potential);
    step.response = contact_->resolve(x_, std::move(step.contact), step.contact_work(threads_));
    evaluate(step, x_);
    if (!step.at_min_step && cloth_potential(step, x_) > kStepTuning.overshoot * wanted)
        return StepOutcome::subdivide(SubdivideReason::response_overshoot);
    return {};
}

// Is this an end that cloth can come to, and did contact come out clean?
StepOutcome CpuStepper::judge(const StepContext& step, int bisections) {
    step.report.potential_energy = elements_.energy();
    StepFault fault = absurd_result(model_, step.state, step.in, x_, handles_.constrained, threads_);
    if (fault.what.empty() && !std::isfinite(step.report.potential_energy)) {
        fault = find_fault(model_, step.state, step.in, x_);
        fault.what = "the energy of the cloth would not be a finite number; " + fault.what;
    }
    if (fault.what.empty() && contact_ && !contact_->rigid_bodies().finite())
        fault.what = "the position of a rigid body would not be a finite number";
    if (!fault.what.empty()) return StepOutcome::faulty(std::move(fault), step.at_min_step);
    return judge_response(step.response, step.state.contact, x_.size(), bisections);
}

std::string CpuStepper::check(const State& state, const StepInput& in) const {
    if (std::string fault = check_step(model_, state, in); !fault.empty()) return fault;
    return contact_ ? contact_fault(*contact_, state) : "";
}

void CpuStepper::commit(State& state, const StepContext& step, StepTotals& totals) {
    const StepInput& in = step.in;
    StepReport& report = totals.report;
    const Stopwatch watch(report.timing.advance);
    totals.reactions.resize(in.handles.vertices.size());
    for (std::size_t i = 0; i < totals.reactions.size(); ++i) {
        const std::size_t v = at(in.handles.vertices[i]);
        const double mass = model_.mass[v];
        const Vec3d velocity = (1 / in.h) * (x_[v] - state.x[v]);
        const Vec3d inertia = (mass / in.h) * (velocity - state.v[v]) + (in.mass_damping * mass) * velocity;
        const Vec3d reaction = handles_.constrained[v] ? inertia - system_.force_on(v, x_, in)
                                                       : handles_.spring[v] * (handles_.target[v] - x_[v]);
        totals.reactions[i] += (in.h / totals.h) * reaction;
    }
    report.newton_converged = report.newton_converged && step.converged;
    report.slipping = elements_.count(threads_, kSlipping);
    report.yielding = elements_.count(threads_, kYielding);
    report.contact.rolled_back += step.response.rolled_back;
    ++report.contact.substeps;

    if (contact_) contact_->commit(x_, state.contact, state.rigid_bodies, step.contact_work(threads_));
    elements_.advance(threads_, state, x_, step.times());
    for_vertices(
        [&](std::size_t v) {  // copied, not swapped: callers may look at state.x while steps are taken
            state.v[v] = (1 / in.h) * (x_[v] - state.x[v]);
            state.x[v] = x_[v];
        });
    report.kinetic_energy = threads_.sum(state.v.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) sum += 0.5 * model_.mass[v] * dot(state.v[v], state.v[v]);
        return sum;
    });
    state.time += in.h;
    state.material_time += in.material_dt;
    ++state.step;
}

std::vector<Vec3d> CpuStepper::obstacle_positions(const State& state, std::span<const Vec3d> given) const {
    return rumple::obstacle_positions(model_.contact, contact_ ? &*contact_ : nullptr, state, given);
}

double CpuStepper::potential_energy(const State& state, const StepInput& input) {
    StepReport unused;
    const StepContext step{state, input, unused};
    elements_.begin_step(threads_, state, step.times());
    evaluate_cloth(step, state.x);
    return elements_.energy();
}

std::vector<Vec3d> CpuStepper::internal_forces(const State& state, const StepInput& input) {
    StepReport unused;
    const StepContext step{state, input, unused};
    elements_.begin_step(threads_, state, step.times());
    evaluate_cloth(step, state.x);
    std::vector<Vec3d> f(state.x.size());
    for (std::size_t v = 0; v < f.size(); ++v) f[v] = elements_.gather_force(v);
    return f;
}

}  // namespace rumple
