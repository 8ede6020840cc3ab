// CpuStepper: the Newton steps of one time step.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/find_first.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/contact_rules.hpp>
#include <rumple/dynamics/cpu_stepper.hpp>
#include <rumple/dynamics/step_tuning.hpp>

namespace rumple {

// Energy, flags, forces and matrix blocks at a configuration are then in elements and contacts.
void CpuStepper::evaluate(const StepContext& step, std::span<const Vec3d> x) {
    evaluate_cloth(step, x);
    const Stopwatch watch(step.report.timing.evaluate);
    if (contact_) contact_->evaluate(threads_, x);
}

void CpuStepper::evaluate_cloth(const StepContext& step, std::span<const Vec3d> x) {
    const Stopwatch watch(step.report.timing.evaluate);
    elements_.evaluate(threads_, step.state, x, step.times());
}

StepOutcome CpuStepper::update_contacts(StepContext& step, int solves) {
    if (!contact_) return {};
    return rumple::update_contacts(*contact_, x_, step.contact_work(threads_), {solves, step.at_min_step},
                                   step.contact);
}

// Linearises at x_, leaves the step in delta_, to a tolerance in mean edge lengths. The guess of the first is
// the motion so far.
StepFault CpuStepper::newton_step(const StepContext& step, bool first, double tolerance) {
    system_.assemble(step, x_);
    for_vertices([&](std::size_t v) {
        delta_[v] = first && !handles_.constrained[v] ? step.in.h * step.state.v[v] : Vec3d{};
    });
    if (!system_.solve(step, x_, system_.rhs(), delta_, tolerance * model_.mean_edge_length) ||
        !solve_sliders(step, first))
        return {"the linear system could not be solved"};
    return check_newton_step();
}

// Solves the system of the last Newton step again, from there, to the tolerance of the caller.
StepFault CpuStepper::refine_newton_step(const StepContext& step) {
    if (!system_.solve_again(step, system_.rhs(), delta_, options_.tolerance * model_.mean_edge_length))
        return {"the linear system could not be solved"};
    return check_newton_step();
}

// Puts exact handles where they go.
StepFault CpuStepper::check_newton_step() {
    for_vertices([&](std::size_t v) {
        if (handles_.constrained[v]) delta_[v] = handles_.target[v] - x_[v];
    });
    const std::size_t bad =
        find_first(threads_, delta_.size(), kGrain, [&](std::size_t v) { return !finite(delta_[v]); });
    if (bad == delta_.size()) return {};
    const auto vertex = static_cast<int>(bad);
    return {fmt::format("vertex {} would move to a place that is not finite", model_.source_vertex(vertex)),
            vertex};
}

// Rigid bodies on sliders, by elimination: with A y = B, d = (s - B.x) / (C - B.y), and x becomes x - d y.
// One body after the other: that they touch the same cloth is seen in the next Newton step. `first` of the
// step: later solves begin with the last response.
bool CpuStepper::solve_sliders(const StepContext& step, bool first) {
    sliders_.slope = 0;
    const std::size_t count = contact_ ? contact_->rigid_bodies().slider_count() : 0;
    if (count == 0) return true;
    std::vector<Vec3d>& coupling = sliders_.coupling;
    if (first) sliders_.response.assign(count, {});
    coupling.resize(x_.size());
    const auto dot_coupling = [&](std::span<const Vec3d> y) {
        double sum = 0;
        for (std::size_t v = 0; v < y.size(); ++v) sum += dot(coupling[v], y[v]);
        return sum;
    };
    for (std::size_t s = 0; s < count; ++s) {
        const contact::RigidBodies::SchurTerm term = contact_->rigid_bodies().schur_term(
            s, contact_->contacts(), step.in.h * step.in.h, handles_.constrained, coupling);
        const bool coupled =
            std::any_of(coupling.begin(), coupling.end(), [](Vec3d b) { return dot(b, b) > 0; });
        std::vector<Vec3d>& response = sliders_.response[s];
        if (response.empty()) response.assign(delta_.size(), Vec3d{});
        // The response must be known the better the further the slider goes, which is known once the response
        // is, roughly.
        constexpr double kRough = kStepTuning.rough_response;
        const double pull = term.force - dot_coupling(delta_);
        double displacement = pull / term.stiffness;
        for (const double best : {kRough, kStepTuning.fine_response}) {
            const double known =
                std::max(best, options_.tolerance * model_.mean_edge_length / std::abs(displacement));
            if (!coupled || (best < kRough && known >= kRough)) break;
            if (!system_.solve_again(step, coupling, response, known)) return false;
            displacement = pull / (term.stiffness - dot_coupling(response));
        }
        contact_->rigid_bodies().set_slider_step(s, displacement);
        sliders_.slope -= term.force * displacement;
        if (!coupled) continue;
        for_vertices([&](std::size_t v) { delta_[v] -= displacement * response[v]; });
    }
    return true;
}

// One Newton step; up to two more, which backtrack, where flags changed. (Without backtracking a component
// that is let go from yield, where its tangent is small, is thrown from one side to the other and gains
// energy.)
StepOutcome CpuStepper::auto_rule(StepContext& step) {
    for (int solves = 1;; ++solves) {
        flags_before_ = elements_.flags();
        bool rough = solves == 1 && first_may_be_rough();
        if (StepFault fault = newton_step(step, solves == 1, rough ? rough_tolerance() : options_.tolerance);
            !fault.what.empty())
            return StepOutcome::faulty(std::move(fault), step.at_min_step);
        if (solves == 1) {
            StepOutcome moved = first_move(step);
            if (rough && (!moved.accepted() || changed_flags() == 0)) {  // it may be the last one
                moved = finish_first_move(step);
                rough = false;
            }
            if (!moved.accepted()) return moved;
        } else {
            backtrack(step);
        }
        if (StepOutcome updated = update_contacts(step, solves); !updated.accepted()) return updated;
        if (!rough && !solve_again(step, solves)) return {};
    }
}

// Another solve is to follow, which makes its error good. Not where contact is dense (one solve is often
// enough there) or pressed hard, with bodies on sliders (their answer needs the exact step), or for a caller
// who wants solves more exact than by default.
bool CpuStepper::first_may_be_rough() const {
    const std::size_t contacts = contact_count(contact_ ? &*contact_ : nullptr);
    return contacts > 0 && !is_dense(contacts, x_.size()) && !is_pressed(*contact_) &&
           contact_->rigid_bodies().slider_count() == 0 && options_.tolerance >= StepperOptions{}.tolerance &&
           options_.tolerance < rough_tolerance();
}

double CpuStepper::rough_tolerance() const {
    return std::min(
        kContactSolveTuning.rough_tolerance,
        kContactSolveTuning.rough_gap * model_.contact.settings.thickness / model_.mean_edge_length);
}

// From where the step began, with the first Newton step solved exactly.
StepOutcome CpuStepper::finish_first_move(StepContext& step) {
    for_vertices([&](std::size_t v) { x_[v] = step.state.x[v]; });
    if (StepFault fault = refine_newton_step(step); !fault.what.empty())
        return StepOutcome::faulty(std::move(fault), step.at_min_step);
    return first_move(step);
}

bool CpuStepper::solve_again(const StepContext& step, int solves) const {
    return calls_for_solve(contact_ ? &*contact_ : nullptr, step.contact,
                           {static_cast<double>(changed_flags()), static_cast<double>(flags_before_.size())},
                           x_.size(), solves);
}

std::size_t CpuStepper::changed_flags() const {
    constexpr std::size_t kPiece = 32768;  // flags: a byte each
    const std::vector<std::uint8_t>& now = elements_.flags();
    return static_cast<std::size_t>(threads_.sum(now.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        std::size_t changed = 0;
        for (std::size_t i = begin; i < end; ++i) changed += now[i] != flags_before_[i];
        return static_cast<double>(changed);
    }));
}

StepOutcome CpuStepper::newton(StepContext& step) {
    const int most = std::min(options_.newton_iterations, kStepTuning.max_newton_iterations);
    const double tolerance = options_.newton_tolerance * model_.mean_edge_length;
    step.converged = false;
    for (int solves = 1; solves <= most && !step.converged; ++solves) {
        if (StepFault fault = newton_step(step, solves == 1, options_.tolerance); !fault.what.empty())
            return StepOutcome::faulty(std::move(fault), step.at_min_step);
        double largest = 0;
        for (const Vec3d& d : delta_) largest = std::max(largest, dot(d, d));
        step.converged = std::sqrt(largest) <= tolerance;
        bool moved = true;
        if (solves == 1) {
            if (StepOutcome first = first_move(step); !first.accepted()) return first;
        } else {
            moved = backtrack(step);
        }
        if (StepOutcome updated = update_contacts(step, solves); !updated.accepted()) return updated;
        if (!moved) break;
        if (step.contact.active_set_changes > kStepTuning.few_active_set_changes ||
            !step.contact.collisions.empty())
            step.converged = false;
    }
    return {};
}

// M |x - x~|^2/2 + h a M |x - x_n|^2/2 + h^2 (W - gravity, forces and springs): what an implicit step
// minimises, without contacts. Elements were evaluated at x.
double CpuStepper::cloth_potential(const StepContext& step, std::span<const Vec3d> x) const {
    const State& state = step.state;
    const StepInput& in = step.in;
    const double h = in.h, h2 = h * h;
    const double rest = threads_.sum(x.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3d moved = x[v] - state.x[v], off = moved - h * state.v[v],
                        stretch = x[v] - handles_.target[v];
            sum += 0.5 * model_.mass[v] * (dot(off, off) + h * in.mass_damping * dot(moved, moved)) -
                   h2 * model_.mass[v] * dot(in.gravity, moved);
            if (handles_.spring[v] > 0) sum += 0.5 * h2 * handles_.spring[v] * dot(stretch, stretch);
        }
        return sum;
    });
    return rest + h2 * (elements_.energy() - work_of_forces(step, x));
}

double CpuStepper::work_of_forces(const StepContext& step, std::span<const Vec3d> x) const {
    const std::span<const Vec3d> forces = step.in.forces;
    return threads_.sum(forces.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) sum += dot(forces[v], x[v] - step.state.x[v]);
        return sum;
    });
}

// Has the cloth itself arrived with much more than all there was, even with the handles where they go?
// (Contacts are left out: where a solve presses them together too far, the next ones correct it.)
bool CpuStepper::overshot(const StepContext& step) {
    const auto beyond = [](double after, double before) {
        return after > kStepTuning.overshoot * std::max(before, 0.0);
    };
    const double after = cloth_potential(step, x_);
    if (!beyond(after, step.potential_bound)) return false;
    const double least = kStepTuning.min_overshoot_motion * model_.mean_edge_length;
    const auto moved_far = [&](std::size_t v) {
        const Vec3d off = x_[v] - step.state.x[v] - step.in.h * step.state.v[v];
        return dot(off, off) > least * least;
    };
    std::size_t v = 0;
    while (v < x_.size() && !moved_far(v)) ++v;
    if (v == x_.size()) return false;
    for_vertices(
        [&](std::size_t i) { trial_[i] = handles_.constrained[i] ? handles_.target[i] : step.state.x[i]; });
    if (trial_ == step.state.x) return true;
    evaluate(step, trial_);
    const double before = cloth_potential(step, trial_) + contact_potential();
    evaluate(step, x_);
    return beyond(after, before);
}

// The whole first Newton step: before it exact handles are not where they go, and there is nothing to compare
// with. But cloth that is let go may turn further than a linear solve can follow, and would arrive
// overstretched.
StepOutcome CpuStepper::first_move(StepContext& step) {
    const HandleConstraints& h = handles_;
    if (contact_) contact_->accept_sliders(1);
    // exact handles are put in place: x + (target - x) may miss the last bits
    for_vertices([&](std::size_t v) { x_[v] = h.constrained[v] ? h.target[v] : x_[v] + delta_[v]; });
    evaluate(step, x_);
    if (!overshot(step)) return {};
    if (!step.at_min_step) return StepOutcome::subdivide(SubdivideReason::overshoot);
    for_vertices([&](std::size_t v) {
        x_[v] = h.constrained[v] ? h.target[v] : step.state.x[v];
        if (h.constrained[v]) delta_[v] = {};
    });
    evaluate(step, x_);
    backtrack(step);
    return {};
}

// Halves the step until the potential falls enough. Leaves x_, elements and contacts at the accepted place.
bool CpuStepper::backtrack(const StepContext& step) {
    const double before = cloth_potential(step, x_) + contact_potential();
    const double slope =
        sliders_.slope - threads_.sum(delta_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t v = begin; v < end; ++v) sum += dot(system_.rhs()[v], delta_[v]);
            return sum;
        });
    double share = 1;
    for (int i = 0; i <= kStepTuning.max_halvings; ++i, share *= 0.5) {
        for_vertices([&](std::size_t v) { trial_[v] = x_[v] + share * delta_[v]; });
        if (contact_) contact_->try_sliders(share);
        evaluate(step, trial_);
        if (cloth_potential(step, trial_) + contact_potential() <=
            before + kStepTuning.sufficient_decrease * share * slope) {
            x_.swap(trial_);
            if (contact_) contact_->accept_sliders(share);
            return true;
        }
    }
    if (contact_) contact_->accept_sliders(0);
    evaluate(step, x_);
    return step.converged;  // at round-off level nothing falls any more
}

}  // namespace rumple
