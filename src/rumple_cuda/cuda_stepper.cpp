// CudaStepper: states in and out, steps and their bisection, commit. cuda_solve.cpp has the Newton steps.
#include <fmt/format.h>

#include <rumple/core/index.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/diagnosis.hpp>
#include <rumple/dynamics/step_check.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <rumple_cuda/step_contact.hpp>
#include <tuple>

namespace rumple::cuda {

namespace {

Clocks clocks(const State& state) { return {state.step, state.time, state.material_time}; }

}  // namespace

CudaStepper::CudaStepper(const Model& model, const StepperOptions& options, const HierarchyOptions& hierarchy)
    : model_(model),
      options_(options),
      threads_(options.threads),
      hierarchy_(make_hierarchy(threads_, model.pattern, model.initial, hierarchy)),
      elements_(std::make_unique<DeviceElements>(model, hierarchy_.number, hierarchy_.levels[0].graph,
                                                 hierarchy_.levels[0].layout)),
      state_(std::make_unique<DeviceState>(model, elements_->view(), hierarchy_.number)),
      contact_(model.contact.enabled ? std::make_unique<StepContact>(model, hierarchy_) : nullptr),
      multigrid_(std::make_unique<Multigrid>(hierarchy_, state_->view().x, state_->view().constrained,
                                             contact_ ? &contact_->matrix : nullptr)),
      solver_(std::make_unique<ConjugateGradients>(*multigrid_, &state_->rhs()->x, &state_->delta()->x)),
      sums_(2),
      move_(1) {
    // what only the device needs is no longer needed here
    for (LevelStructure& level : hierarchy_.levels) {
        level.ap = {};
        level.galerkin = {};
        level.p_items = {};
        level.p_transposed = {};
    }
    handles_.of = DeviceArray<int>(std::vector<int>(model.mass.size(), -1));
    solver_->set_tolerance(stream_, options.tolerance * model.mean_edge_length);
    record_pair();
    std::fill(std::begin(expected_), std::end(expected_), 12);
}

CudaStepper::~CudaStepper() = default;

void CudaStepper::load(const State& state) {
    if (is_loaded(state)) return;
    state_->upload(stream_, state);
    elements_->align_strains(stream_, state_->view());
    residence_.state = &state;
    residence_.clocks = residence_.fetched = clocks(state);
}

// With contact the host has positions in each solve anyway, and a state whose parts are of different steps
// could not go back to where it was looked at last.
bool CudaStepper::is_loaded(const State& state) const {
    return residence_.wanted && !contact_ && residence_.state == &state && residence_.clocks == clocks(state);
}

void CudaStepper::fetch(State& state) {
    if (!is_loaded(state) || residence_.fetched == residence_.clocks) return;
    state_->download(stream_, state);
    residence_.fetched = residence_.clocks;
}

StepReport CudaStepper::step(State& state, const StepInput& input) {
    StepReport report;
    report.contact.substeps = 0;
    report.failure = check_step(model_, state, input);
    if (report.failure.empty()) report.failure = contact_fault(state);
    if (report.failure.empty() && !is_loaded(state) && !finite_everywhere(state)) {
        const StepFault fault = find_fault(model_, state, input, state.x);
        report.failure = "the cloth it begins with is not sound: " + fault.what;
        report.fault_vertex = fault.vertex;
    }
    if (!report.failure.empty()) return report;
    try {
        take_step(state, input, report);
    } catch (const DeviceError& error) {
        report.accepted = false;
        report.failure = error.what();
        graphs_are_stale_ = true;
        cudaStreamSynchronize(stream_);  // what is still queued reads what the next step writes
        if (is_loaded(state)) {
            state.step = residence_.fetched.step;
            state.time = residence_.fetched.time;
            state.material_time = residence_.fetched.material_time;
        }
        residence_.state = nullptr;
    }
    return report;
}

void CudaStepper::take_step(State& state, const StepInput& input, StepReport& report) {
    if (graphs_are_stale_) {
        solve_graphs_.clear();
        record_pair();
        graphs_are_stale_ = false;
    }
    load(state);
    if (contact_) {
        contact_->memory = state.contact;
        contact_->bodies = state.rigid_bodies;
        contact_->first_step = state.step == 0;
    }
    Attempt attempt{report, input.h};
    StepOutcome outcome = advance(input, 0, attempt);
    report.accepted = outcome.accepted();
    if (report.accepted) {
        if ((handles_.is_kept = report.contact.substeps > 1))
            handles_.kept = std::move(attempt.mean_reactions);
        state.time += input.h;
        state.material_time += input.material_dt;
        ++state.step;
        residence_.clocks = clocks(state);
        if (!is_loaded(state)) state_->download(stream_, state);
        if (contact_) {
            state.contact = contact_->memory;
            state.rigid_bodies = contact_->bodies;
        }
        return;
    }
    handles_.is_kept = true;
    fetch(state);
    const StepFault fault = report.retries > 0 ? attempt.first_fault : outcome.fault;
    report.failure = fault.what;
    report.fault_vertex = fault.vertex;
    if (const StepFault cause = find_fault(model_, state, input, state.x); !cause.what.empty()) {
        report.failure += "; " + cause.what;
        report.fault_vertex = cause.vertex;
    }
    if (report.retries > 0)
        report.failure += fmt::format("; steps down to {:.3g} s were tried",
                                      std::ldexp(input.h, -kStepTuning.max_bisections));
}

// A step, or where it is to be subdivided two of half its length, and so on.
StepOutcome CudaStepper::advance(const StepInput& in, int bisections, Attempt& attempt) {
    attempt.bisections = bisections;
    attempt.at_min_step = bisections >= kStepTuning.max_bisections;
    attempt.slider_speed = 1;
    StepOutcome outcome = solve_step(in, attempt);
    for (int slowed = 0; slowed < kImpactTuning.max_slowed && is_impact(outcome); ++slowed) {
        attempt.slider_speed *= kImpactTuning.slowed_share;
        outcome = solve_step(in, attempt);
    }
    if (outcome.accepted()) commit(in, attempt);
    if (outcome.kind != StepOutcome::Kind::subdivide) return outcome;
    if (outcome.reason == SubdivideReason::fault && attempt.report.retries++ == 0) {
        attempt.report.retry_reason = outcome.fault.what;
        attempt.first_fault = std::move(outcome.fault);
    }
    return advance_halves(in, bisections + 1, attempt);
}

StepOutcome CudaStepper::advance_halves(const StepInput& in, int bisections, Attempt& attempt) {
    if (bisections == 1) keep_reactions();
    while (snapshots_.size() < at(bisections))
        snapshots_.push_back(std::make_unique<DeviceState::Snapshot>());
    DeviceState::Snapshot& before = *snapshots_[at(bisections - 1)];
    state_->save(stream_, before);
    const std::vector<Vec3d> x = state_->download(stream_, state_->view().x_begin);
    std::vector<Vec3d> half_way(in.handles.vertices.size()), middle(in.obstacles.begin.size());
    for (std::size_t i = 0; i < half_way.size(); ++i)
        half_way[i] = 0.5 * (x[at(in.handles.vertices[i])] + in.handles.targets[i]);
    for (std::size_t i = 0; i < middle.size(); ++i)
        middle[i] = 0.5 * (in.obstacles.begin[i] + in.obstacles.end[i]);
    ContactMemory memory;
    std::vector<RigidBodyState> bodies;
    if (contact_) std::tie(memory, bodies) = std::tie(contact_->memory, contact_->bodies);
    StepInput half = in;
    half.h *= 0.5;
    half.material_dt *= 0.5;
    half.handles.targets = half_way;
    half.obstacles.end = middle;
    StepOutcome outcome = advance(half, bisections, attempt);
    if (outcome.accepted()) {
        half.handles.targets = in.handles.targets;
        half.obstacles.begin = middle;
        half.obstacles.end = in.obstacles.end;
        outcome = advance(half, bisections, attempt);
    }
    if (outcome.accepted()) return outcome;
    state_->restore(stream_, before);
    if (contact_) std::tie(contact_->memory, contact_->bodies) = std::tie(memory, bodies);
    return outcome;
}

// A step that fails leaves the reactions of the last one that did not.
void CudaStepper::keep_reactions() {
    if (handles_.is_kept) return;
    stream_.synchronize();
    handles_.kept.assign(handles_.reactions.data(), handles_.reactions.data() + handles_.reaction_count);
    handles_.is_kept = true;
}

StepParameters CudaStepper::parameters(const StepInput& in) const {
    StepParameters p;
    p.h = in.h;
    p.times = {in.material_dt, in.stiffness_damping / in.h};
    p.gravity = in.gravity;
    p.mass_damping = in.mass_damping;
    p.max_distance = kFastest * in.h;
    p.max_stretch = kMaxStretch;
    p.first_solve = 1;
    p.forces = !in.forces.empty();
    return p;
}

// Handles and parameters of a step; x is where it begins.
void CudaStepper::begin(const StepInput& in) {
    const std::size_t count = in.handles.vertices.size();
    if (!std::ranges::equal(in.handles.vertices, handles_.vertices)) {
        keep_reactions();
        stream_.synchronize();
        std::vector<int> of(model_.mass.size(), -1), vertex(count);
        for (std::size_t i = 0; i < count; ++i) {
            vertex[i] = hierarchy_.number[at(in.handles.vertices[i])];
            of[at(vertex[i])] = static_cast<int>(i);
        }
        DeviceArray<int> on_device(vertex);  // all of this or, where memory is short, nothing
        PinnedArray<HandleTarget> targets(count);
        PinnedArray<Vec3d> reactions(count);
        handles_.of.upload(of);
        handles_.vertex = std::move(on_device);
        handles_.targets = std::move(targets);
        handles_.reactions = std::move(reactions);
        handles_.vertices.assign(in.handles.vertices.begin(), in.handles.vertices.end());
    }
    for (std::size_t i = 0; i < count; ++i)
        handles_.targets[i] = {in.handles.targets[i],
                               in.handles.stiffness.empty() ? 0.0 : in.handles.stiffness[i]};
    if (!in.forces.empty()) state_->upload(stream_, in.forces, state_->view().force);
    state_->begin_step(stream_, parameters(in), handles_.of.data(), handles_.targets.data());
    state_->set_material_time(stream_, in.material_dt);
    elements_->begin_step(stream_, state_->view());
}

void CudaStepper::evaluate(const Vec3d* at, std::size_t slot) {
    elements_->evaluate(stream_, state_->view(), at, sums_.data() + slot);
}

// Leaves in x where the cloth will be.
StepOutcome CudaStepper::solve_step(const StepInput& in, Attempt& attempt) {
    begin(in);
    if (contact_) begin_contact(in, attempt);
    evaluate(state_->view().x, 1);
    attempt.converged = true;
    StepOutcome outcome = options_.newton_iterations > 0 ? newton(in, attempt) : auto_rule(in, attempt);
    if (outcome.accepted()) outcome = respond(in, attempt);
    if (!outcome.accepted()) return outcome;
    attempt.report.potential_energy = sums_[0].energy;
    if (sums_[0].absurd > 0 || !std::isfinite(sums_[0].energy))
        return StepOutcome::faulty(absurd_end(in), attempt.at_min_step);
    return judge_contact(attempt);
}

// Finds out on the host what is wrong with the end of a step.
StepFault CudaStepper::absurd_end(const StepInput& in) {
    State state;
    state.bending.resize(model_.hinges.size(), model_.bending_history);
    state.membrane.resize(model_.membrane_has_history() ? 3 * model_.triangles.size() : 0,
                          model_.membrane_history);
    state_->download(stream_, state);
    const std::vector<Vec3d> x = state_->download(stream_, state_->view().x);
    std::vector<std::uint8_t> driven(x.size(), 0);
    for (std::size_t i = 0; i < handles_.vertices.size(); ++i)
        driven[at(handles_.vertices[i])] = handles_.targets[i].stiffness == 0;
    StepFault fault = absurd_result(model_, state, in, x, driven);
    if (fault.what.empty()) {
        fault = find_fault(model_, state, in, x);
        fault.what = "the energy of the cloth would not be a finite number; " + fault.what;
    }
    return fault;
}

void CudaStepper::commit(const StepInput& in, Attempt& attempt) {
    StepReport& report = attempt.report;
    const Stopwatch watch(report.timing.advance);
    report.newton_converged = report.newton_converged && attempt.converged;
    report.slipping = static_cast<int>(sums_[0].slipping);
    report.yielding = static_cast<int>(sums_[0].yielding);
    report.kinetic_energy = sums_[0].kinetic;
    ++report.contact.substeps;
    const std::size_t count = handles_.reaction_count = in.handles.vertices.size();
    elements_->reactions(stream_, state_->view(), handles_.vertex.data(), static_cast<int>(count),
                         handles_.reactions.data());
    commit_contact(in, report);
    elements_->commit(stream_, state_->view());
    if (in.h == attempt.h) return;
    stream_.synchronize();
    attempt.mean_reactions.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        attempt.mean_reactions[i] += (in.h / attempt.h) * handles_.reactions[i];
}

std::span<const Vec3d> CudaStepper::reactions() const {
    if (handles_.is_kept) return handles_.kept;
    stream_.synchronize();
    return {handles_.reactions.data(), handles_.reaction_count};
}

double CudaStepper::potential_energy(const State& state, const StepInput& input) {
    load(state);
    begin(input);
    evaluate(state_->view().x);
    stream_.synchronize();
    return sums_[0].energy;
}

std::vector<Vec3d> CudaStepper::internal_forces(const State& state, const StepInput& input) {
    load(state);
    begin(input);
    evaluate(state_->view().x);
    elements_->forces(stream_, state_->view(), state_->rhs());
    return state_->download(stream_, state_->rhs());
}

}  // namespace rumple::cuda
