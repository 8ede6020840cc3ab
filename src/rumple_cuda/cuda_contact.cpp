// CudaStepper: what contact asks of a step, as dynamics/cpu_stepper.cpp and newton.cpp.
#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <rumple_cuda/step_contact.hpp>

namespace rumple::cuda {

namespace {

// Then the potential of the cloth may rise by what the handles do and no more.
bool only_handles_do_work(const Model& model, const StepInput& in) {
    const auto& obstacles = model.contact.obstacles;
    for (std::size_t o = 0; o < obstacles.size(); ++o)
        if (obstacles[o].mass > 0 && (in.obstacles.present.empty() || in.obstacles.present[o])) return false;
    return std::ranges::equal(in.obstacles.begin, in.obstacles.end);
}

contact::ContactWork work(const Threads& threads, StepReport& report) {
    return {threads, report.contact, report.timing};
}

}  // namespace

// From where the cloth is, with the handles' targets and what is near known.
void CudaStepper::begin_contact(const StepInput& in, Attempt& attempt) {
    StepContact& c = *contact_;
    c.handles.set(in.handles);
    c.x = c.x_begin = state_->download(stream_, state_->view().x_begin);
    c.velocity = state_->download(stream_, state_->view().v);
    c.found = {};
    c.response = {};
    c.system.begin({in.h, in.gravity, in.obstacles, c.x_begin, c.velocity, c.memory, c.bodies, c.first_step,
                    c.handles.constrained, c.handles.target, attempt.slider_speed},
                   work(threads_, attempt.report));
    if (c.system.rigid_bodies().slider_count() > 0 && !c.sliders)
        c.sliders = std::make_unique<SliderSolve>(*multigrid_);
    c.potential_at_begin = only_handles_do_work(model_, in) ? c.potential() : HUGE_VAL;
    c.system.evaluate_first(threads_, c.x);
}

void CudaStepper::evaluate_contacts(const Vec3d* at) {
    if (!contact_) return;
    contact_->trial = state_->download(stream_, at);
    contact_->system.evaluate(threads_, contact_->trial);
}

double CudaStepper::contact_potential() const { return contact_ ? contact_->potential() : 0; }

void CudaStepper::assemble_contacts(const StepInput& in) {
    if (!contact_) return;
    stream_.synchronize();  // the device may still read what is written now
    if (!contact_->assemble(threads_, stream_, hierarchy_.number, in.h * in.h)) return;
    solve_graphs_.clear();
    record_pair();
}

// Contacts follow the iterate of solve number `solves`. To subdivide: the first passes through far too much;
// or a later one, which knew of the contacts, through hardly less than the one before.
StepOutcome CudaStepper::update_contacts(Attempt& attempt, int solves) {
    if (!contact_) return {};
    StepContact& c = *contact_;
    const double before = static_cast<double>(c.found.collisions.size());
    c.found = c.system.update(c.x, work(threads_, attempt.report));
    const double collisions = static_cast<double>(c.found.collisions.size());
    if (attempt.at_min_step) return {};
    if (solves == 1 && collisions > limit(kImpactTuning.max_collisions))
        return StepOutcome::subdivide(SubdivideReason::impact);
    if (solves > 1 && collisions > limit(kStepTuning.max_collisions) &&
        collisions > kStepTuning.stalled_collisions * before)
        return StepOutcome::subdivide(SubdivideReason::too_many_collisions);
    return {};
}

// Does what changed in solve number `solves` call for another?
bool CudaStepper::solve_again(int solves) const {
    const double changed = sums_[0].changed;
    if (!contact_) return solves < kStepTuning.max_solves && changed > 0;
    const double active_set_changes = contact_->found.active_set_changes;
    const double collisions = static_cast<double>(contact_->found.collisions.size());
    const bool many_collisions = collisions > limit(kStepTuning.few_collisions);
    if (solves >= (many_collisions ? kStepTuning.max_solves_colliding : kStepTuning.max_solves)) return false;
    if (active_set_changes <= kStepTuning.few_active_set_changes && collisions == 0 && changed == 0)
        return false;
    if (solves > 1 && collisions == 0 && !contact_->system.contacts().list().empty() &&
        active_set_changes <= kContactSolveTuning.settled_active_set_changes &&
        changed <= kContactSolveTuning.settled_flag_changes * static_cast<double>(state_->view().flag_count))
        return false;
    const bool few_flags =
        changed <= kStepTuning.few_flag_changes_dense * static_cast<double>(state_->view().flag_count);
    const bool dense =
        static_cast<double>(contact_->system.contacts().list().size()) > limit(kStepTuning.dense_contact);
    return !dense || !few_flags || many_collisions ||
           active_set_changes >= kStepTuning.few_active_set_changes_dense;
}

// What still collides is kept apart without a solve.
StepOutcome CudaStepper::respond(const StepInput& in, Attempt& attempt) {
    if (!contact_ || contact_->found.collisions.empty()) return {};
    StepContact& c = *contact_;
    const double wanted = std::max(potential(in), potential(in, 1));
    c.response = c.system.resolve(c.x, std::move(c.found), work(threads_, attempt.report));
    state_->upload(stream_, c.x, state_->view().trial);
    state_->accept(stream_);
    evaluate(state_->view().x);
    stream_.synchronize();
    c.system.evaluate(threads_, c.x);
    if (!attempt.at_min_step && potential(in) > kStepTuning.overshoot * wanted)
        return StepOutcome::subdivide(SubdivideReason::response_overshoot);
    return {};
}

// Did contact come out clean?
StepOutcome CudaStepper::judge_contact(const Attempt& attempt) {
    if (!contact_) return {};
    const StepContact& c = *contact_;
    if (!c.system.rigid_bodies().finite())
        return StepOutcome::faulty({"the position of a rigid body would not be a finite number"},
                                   attempt.at_min_step);
    if (c.response.unresolved == 0 && c.response.constraints_violated == 0 &&
        c.response.rolled_back <= limit(kStepTuning.max_rolled_back))
        return {};
    const auto inside = static_cast<int>(c.memory.inside.size());
    const bool penetrating = inside > 0 && c.response.unresolved <= inside;
    if (attempt.bisections >=
        (penetrating ? kStepTuning.max_bisections_penetrating : kStepTuning.max_bisections))
        return {};
    return StepOutcome::subdivide(SubdivideReason::unresolved_contact);
}

// A stack of layers is hit by a body on a slider, faster than its layers can follow.
bool CudaStepper::is_impact_of_slider(const StepOutcome& outcome) const {
    return outcome.kind == StepOutcome::Kind::subdivide &&
           (outcome.reason == SubdivideReason::impact ||
            outcome.reason == SubdivideReason::too_many_collisions) &&
           contact_ && contact_->system.sliders_press();
}

void CudaStepper::commit_contact(const StepInput& in, StepReport& report) {
    if (!contact_) return;
    StepContact& c = *contact_;
    stream_.synchronize();
    for (std::size_t i = 0; i < in.handles.vertices.size(); ++i)
        if (const std::size_t v = at(in.handles.vertices[i]); c.handles.constrained[v])
            handles_.reactions[i] -= c.system.contacts().gather_force(v);
    report.contact.rolled_back += c.response.rolled_back;
    c.system.commit(c.x, c.memory, c.bodies, work(threads_, report));
    c.first_step = false;
}

std::string CudaStepper::contact_fault(const State& state) const {
    if (contact_ && (!contact_->system.geometry().matches(state.contact) ||
                     state.rigid_bodies.size() != contact_->system.rigid_bodies().count()))
        return "the contacts of the state do not belong to the model";
    return "";
}

std::vector<Vec3d> CudaStepper::obstacle_positions(const State& state, std::span<const Vec3d> given) const {
    std::vector<Vec3d> all;
    std::size_t body = 0;
    for (const ObstaclePart& obstacle : model_.contact.obstacles) {
        if (obstacle.mass > 0) {
            contact_->system.rigid_bodies().positions(body, state.rigid_bodies[body], all);
            ++body;
            continue;
        }
        const auto from = given.empty() ? std::span<const Vec3d>(obstacle.vertices)
                                        : given.subspan(all.size(), obstacle.vertices.size());
        all.insert(all.end(), from.begin(), from.end());
    }
    return all;
}

}  // namespace rumple::cuda
