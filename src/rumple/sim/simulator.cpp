#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/sim/forget.hpp>
#include <rumple/sim/simulator.hpp>
#include <rumple/sim/step_to_rest.hpp>
#include <tuple>

namespace rumple {
namespace {

StepperOptions with(StepperOptions options, int threads, std::optional<Backend> backend) {
    if (threads > 0) options.threads = threads;
    if (backend) options.backend = *backend;
    return options;
}

std::vector<double> angles_of_reference(const Scene& scene) {
    std::vector<double> angles;
    for (const SceneCloth& cloth : scene.cloths) {
        const std::vector<double> own = hinge_angles(cloth.rest, cloth.reference);
        angles.insert(angles.end(), own.begin(), own.end());
    }
    return angles;
}

std::vector<Vec3d> gather(std::span<const int> vertices, std::span<const Vec3d> x) {
    std::vector<Vec3d> some;
    some.reserve(vertices.size());
    for (int i : vertices) some.push_back(x[static_cast<std::size_t>(i)]);
    return some;
}

// Where another run ended: its clocks start anew here.
void begin_from(const RunStart& start, const Model& model, State& state) {
    const std::size_t vertices = state.x.size(), hinges = state.bending.size(),
                      strains = state.membrane.size();
    if ((!start.x.empty() && (start.x.size() != vertices || start.v.size() != vertices)) ||
        !start.bending.fits(hinges, model.bending_history) ||
        !start.membrane.fits(strains, model.membrane_history))
        throw InputError("from", "the state of that run does not fit this scene");
    if (!start.x.empty()) {
        state.x = start.x;
        state.v = start.v;
    }
    state.bending = start.bending;
    state.membrane = start.membrane;
}

}  // namespace

SimState initial_state(const Scene& scene, const Model& model) {
    SimState sim;
    sim.state = make_state(model, model.initial);
    if (scene.start) begin_from(*scene.start, model, sim.state);
    for (const SceneHandle& handle : scene.handles)
        sim.grab_positions.push_back(gather(handle.vertices, sim.state.x));
    return sim;
}

Simulator::Simulator(const Scene& scene, int threads, std::optional<Backend> backend)
    : scene_(scene),
      timeline_(scene),
      obstacle_timeline_(scene),
      model_(make_model(scene)),
      stepper_(make_stepper(model_, with(scene.stepper, threads, backend))),
      sim_(initial_state(scene, model_)),
      reference_angles_(angles_of_reference(scene)),
      handle_ranges_(scene.handles.size()),
      attachments_(scene.handles.size()) {}

void Simulator::restore(const SimState& state) {
    const auto require = [](bool fits, const char* what) {
        if (!fits) throw InputError("state", fmt::format("its {} are not those of this scene", what));
    };
    const std::size_t vertices = static_cast<std::size_t>(model_.vertex_count());
    require(state.state.x.size() == vertices && state.state.v.size() == vertices, "vertices");
    require(state.state.bending.fits(sim_.state.bending.size(), model_.bending_history), "hinges");
    require(state.state.membrane.fits(sim_.state.membrane.size(), model_.membrane_history), "triangles");
    require(state.state.rigid_bodies.size() == sim_.state.rigid_bodies.size(), "rigid bodies");
    const ContactMemory& contact = state.state.contact;
    const std::size_t pairs = contact.tangential_displacement.size();
    require(contact.kind.size() == pairs && contact.a.size() == pairs && contact.b.size() == pairs,
            "contacts");
    require(model_.contact.enabled || pairs == 0, "contacts");
    require(state.grab_positions.size() == scene_.handles.size(), "handles");
    for (std::size_t i = 0; i < scene_.handles.size(); ++i)
        require(state.grab_positions[i].size() == scene_.handles[i].vertices.size(), "handles");
    const int phases = static_cast<int>(scene_.phases.size());
    require(state.phase >= 0 && state.phase <= phases, "phases");
    const int steps = state.phase < phases ? scene_.phases[static_cast<std::size_t>(state.phase)].steps : 0;
    require(state.step_in_phase == 0 || (state.step_in_phase > 0 && state.step_in_phase < steps), "steps");
    sim_ = state;  // copied: positions and history stay where they are in memory
    stepper_->release();
    handle_ranges_.assign(scene_.handles.size(), {0, 0});  // no step has been taken from here yet
    for (auto& attachment : attachments_) attachment.reset();
}

void Simulator::set_resident(bool resident) {
    sim_state();
    stepper_->release();
    stepper_->set_resident(resident);
    resident_ = resident;
}

void Simulator::restart() { restore(initial_state(scene_, model_)); }

bool Simulator::done() const {
    for (std::size_t k = static_cast<std::size_t>(sim_.phase); k < scene_.phases.size(); ++k)
        if (scene_.phases[k].steps > 0) return false;
    return true;
}

StepReport Simulator::step(std::span<const Vec3d> forces) {
    if (done()) throw SimulationError("the timeline has ended: there is no further step to take");
    const int phase_before = sim_.phase;
    const auto grabbed_before = sim_.grab_positions;
    const auto bodies_before = sim_.state.rigid_bodies;
    const std::int64_t step_before = sim_.state.step;
    std::optional<std::pair<HistoryArrays, HistoryArrays>> history_before;  // where some is forgotten
    while (skip_empty_phase()) {
    }
    if (sim_.step_in_phase == 0) {
        grab_for_this_phase();
        reset_activated_bodies();
        if (!phase().forget.empty()) history_before.emplace(sim_state().state.bending, sim_.state.membrane);
        forget_for_this_phase();
    }
    place_obstacles();
    place_handles();

    StepReport report = take_step(forces);
    if (!report.accepted) {
        const std::string place = fmt::format("phase '{}', step {} of {} (time {:.6g} s)", phase().name,
                                              sim_.step_in_phase + 1, phase().steps, sim_.state.time);
        sim_.phase = phase_before;
        sim_.grab_positions = grabbed_before;
        sim_.state.rigid_bodies = bodies_before;
        if (history_before) std::tie(sim_.state.bending, sim_.state.membrane) = *std::move(history_before);
        handle_ranges_.assign(scene_.handles.size(), {0, 0});
        stepper_->release();
        if (sim_.state.step < step_before) return_to_fetched();
        throw SimulationError(place + ": the step failed: " + report.failure + describe(report.fault_vertex),
                              place_of(report.fault_vertex));
    }
    if (history_before) sim_state();  // a lost device must not lead back to where some was forgotten already
    if (++sim_.step_in_phase == phase().steps) {
        ++sim_.phase;
        sim_.step_in_phase = 0;
    }
    return report;
}

StepReport Simulator::take_step(std::span<const Vec3d> forces) {
    if (!phase().recovery) return stepper_->step(sim_.state, step_input(forces));
    const bool resident = resident_;
    set_resident(false);  // it looks at every small step
    StepReport report =
        step_to_rest(*stepper_, model_.mean_edge_length, sim_.state, step_input(forces), phase().h);
    set_resident(resident);
    return report;
}

// A device was lost, and with it the steps since the state was last brought from there.
void Simulator::return_to_fetched() {
    std::int64_t steps = sim_.state.step;
    sim_.phase = 0;
    while (steps > 0 && steps >= phase().steps)
        steps -= scene_.phases[static_cast<std::size_t>(sim_.phase++)].steps;
    sim_.step_in_phase = static_cast<int>(steps);
}

void Simulator::forget_for_this_phase() {
    if (phase().forget.empty()) return;
    for (const Forget& some : phase().forget) forget(model_, some, sim_.state);
    stepper_->release();
}

ErrorPlace Simulator::place_of(int vertex) const {
    if (vertex < 0) return {};
    std::size_t cloth = 0;
    while (vertex >= model_.parts.vertex_begin[cloth + 1]) ++cloth;
    return {scene_.cloths[cloth].name, {model_.source_vertex(vertex) - model_.parts.vertex_begin[cloth]}};
}

// The stepper counts vertices over all cloths; the author of a scene counts those of one.
std::string Simulator::describe(int vertex) const {
    if (vertex < 0 || scene_.cloths.size() < 2) return "";
    const ErrorPlace place = place_of(vertex);
    return fmt::format("; vertex {} is vertex {} of '{}'", model_.source_vertex(vertex),
                       place.vertices.front(), place.cloth);
}

bool Simulator::skip_empty_phase() {
    if (sim_.phase >= static_cast<int>(scene_.phases.size()) || phase().steps > 0) return false;
    grab_for_this_phase();
    ++sim_.phase;
    return true;
}

StepInput Simulator::step_input(std::span<const Vec3d> forces) const {
    StepInput input;
    input.h = phase().recovery ? phase().recovery->h : phase().h;
    input.material_dt = phase().material_dt_of(sim_.step_in_phase);
    input.gravity = scene_.gravity;
    input.mass_damping = scene_.mass_damping;
    input.stiffness_damping = scene_.stiffness_damping;
    input.handles = {handle_vertices_, handle_targets_, handle_stiffness_};
    input.obstacles = {obstacles_begin_, obstacles_end_, obstacle_timeline_.present(sim_.phase),
                       sim_.step_in_phase == 0};
    input.forces = forces;
    return input;
}

std::vector<Vec3d> Simulator::internal_forces() { return stepper_->internal_forces(sim_.state, StepInput{}); }

double Simulator::potential_energy() { return stepper_->potential_energy(sim_.state, StepInput{}); }

// At the first step of a phase rather than at the end of the phase before: what a handle grabs then depends
// on its own phase only, and runs that part here can share everything before.
void Simulator::grab_for_this_phase() {
    for (int handle : phase().grab) {
        const std::size_t i = static_cast<std::size_t>(handle);
        sim_.grab_positions[i] = gather(scene_.handles[i].vertices, sim_state().state.x);
        attachments_[i].reset();
    }
}

void Simulator::place_handles() {
    handle_vertices_.clear();
    handle_targets_.clear();
    handle_stiffness_.clear();
    for (std::size_t i = 0; i < scene_.handles.size(); ++i) {
        const SceneHandle& handle = scene_.handles[i];
        const int begin = static_cast<int>(handle_vertices_.size());
        if (timeline_.active(sim_.phase, static_cast<int>(i))) {
            const Pose pose = timeline_.pose(sim_.phase, sim_.step_in_phase + 1, static_cast<int>(i));
            handle_vertices_.insert(handle_vertices_.end(), handle.vertices.begin(), handle.vertices.end());
            if (handle.attach >= 0 && obstacle_timeline_.anything_moves())
                add_attached(i);
            else
                for (Vec3d grabbed : sim_.grab_positions[i]) handle_targets_.push_back(pose.apply(grabbed));
            handle_stiffness_.resize(handle_vertices_.size(), handle.stiffness);
        }
        handle_ranges_[i] = {begin, static_cast<int>(handle_vertices_.size())};
    }
}

// The place to which its obstacle carries a handle. The attachment follows from the moment of the grab, so a
// checkpoint need not store it.
void Simulator::add_attached(std::size_t handle) {
    const auto obstacle = static_cast<std::size_t>(scene_.handles[handle].attach);
    const TriMesh& mesh = scene_.obstacles[obstacle].mesh;
    std::size_t first = 0;
    for (std::size_t i = 0; i < obstacle; ++i) first += scene_.obstacles[i].mesh.positions.size();
    const auto own = [&](const std::vector<Vec3d>& all) {
        return std::span<const Vec3d>(all).subspan(first, mesh.positions.size());
    };
    if (!attachments_[handle]) {
        std::vector<Vec3d> then;
        obstacle_timeline_.positions(timeline_.grab_phase(sim_.phase, static_cast<int>(handle)), 0, then);
        attachments_[handle].emplace(sim_.grab_positions[handle], own(then), mesh.triangles);
    }
    attachments_[handle]->add_targets(own(obstacles_end_), handle_targets_);
}

// A rigid body starts from its place, at rest, each time it is activated.
void Simulator::reset_activated_bodies() {
    for (int activated : phase().activate) {
        std::size_t body = 0;
        for (int i = 0; i < activated; ++i)
            body += scene_.obstacles[static_cast<std::size_t>(i)].mass > 0 ? 1 : 0;
        if (scene_.obstacles[static_cast<std::size_t>(activated)].mass > 0)
            sim_.state.rigid_bodies[body] = RigidBodyState{};
    }
}

void Simulator::place_obstacles() {
    if (!obstacle_timeline_.anything_moves()) return;
    try {
        obstacle_timeline_.positions(sim_.phase, sim_.step_in_phase, obstacles_begin_);
        obstacle_timeline_.positions(sim_.phase, sim_.step_in_phase + 1, obstacles_end_);
    } catch (const InputError& error) {  // a cache that was there when the scene was built
        throw SimulationError(error.what());
    }
}

std::vector<Vec3d> Simulator::obstacle_positions() {
    if (scene_.obstacles.empty()) return {};
    // After the last step of a phase: where that step left them, whatever the next phase does.
    const bool between = sim_.step_in_phase == 0 && sim_.phase > 0;
    const int phase = between ? sim_.phase - 1 : sim_.phase;
    const int step = between ? scene_.phases[static_cast<std::size_t>(phase)].steps : sim_.step_in_phase;
    std::vector<Vec3d> given;
    obstacle_timeline_.positions(phase, step, given);
    return stepper_->obstacle_positions(sim_.state, given);
}

Wrench Simulator::reaction(int handle, Vec3d about) const {
    const auto [begin, end] = handle_ranges_[static_cast<std::size_t>(handle)];
    if (begin == end) return {};
    const std::size_t first = static_cast<std::size_t>(begin), count = static_cast<std::size_t>(end - begin);
    return total_reaction(std::span(handle_vertices_).subspan(first, count),
                          stepper_->reactions().subspan(first, count), sim_state().state.x, about);
}

}  // namespace rumple
