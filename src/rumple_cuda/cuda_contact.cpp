// CudaStepper: contact in a step, as dynamics/cpu_stepper.cpp and newton.cpp.
#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_rules.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <rumple_cuda/step_contact.hpp>

namespace rumple::cuda {

namespace {

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
    c.potential_at_begin = only_handles_do_work(model_.contact, in) ? c.potential() : HUGE_VAL;
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

StepOutcome CudaStepper::update_contacts(Attempt& attempt, int solves) {
    if (!contact_) return {};
    return rumple::update_contacts(contact_->system, contact_->x, work(threads_, attempt.report),
                                   {solves, attempt.at_min_step}, contact_->found);
}

// Does what changed in solve number `solves` call for another?
bool CudaStepper::solve_again(int solves) const {
    const FlagChanges flags{sums_[0].changed, static_cast<double>(state_->view().flag_count)};
    const std::size_t vertices = model_.mass.size();
    return contact_ ? calls_for_solve(&contact_->system, contact_->found, flags, vertices, solves)
                    : calls_for_solve(nullptr, {}, flags, vertices, solves);
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
    return judge_response(c.response, c.memory, model_.mass.size(), attempt.bisections);
}

bool CudaStepper::is_impact(const StepOutcome& outcome) const {
    return contact_ && is_impact_of_slider(contact_->system, outcome);
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
    return contact_ ? rumple::contact_fault(contact_->system, state) : "";
}

std::vector<Vec3d> CudaStepper::obstacle_positions(const State& state, std::span<const Vec3d> given) const {
    return rumple::obstacle_positions(model_.contact, contact_ ? &contact_->system : nullptr, state, given);
}

}  // namespace rumple::cuda
