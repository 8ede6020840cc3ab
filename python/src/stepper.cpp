// Stepper: a loop of one's own. The caller says at every step where handles and obstacles are.
#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/scene/place.hpp>
#include <rumple/scene/scene_model.hpp>

#include "bindings.hpp"
#include "history.hpp"

namespace rumple::python {
namespace {

// Obstacles that the caller moves.
std::shared_ptr<Scene> with_moving(const Scene& scene, const std::vector<std::string>& names) {
    auto copy = std::make_shared<Scene>(scene);
    for (const std::string& name : names)
        copy->obstacles[index_of(Place(scene.name), name, scene.obstacles, "obstacle")].moves = true;
    return copy;
}

StepperOptions options_of(const Scene& scene, int threads, const std::optional<std::string>& backend) {
    StepperOptions options = scene.stepper;
    if (threads > 0) options.threads = threads;
    if (const auto chosen = backend_by_name(backend)) options.backend = *chosen;
    return options;
}

class PyStepper {
  public:
    PyStepper(const Scene& scene, const std::vector<std::string>& moving, int threads,
              const std::optional<std::string>& backend)
        : scene_(with_moving(scene, moving)),
          model_(make_model(*scene_)),
          stepper_(make_stepper(model_, options_of(*scene_, threads, backend))),
          state_(make_state(model_, model_.initial)) {
        for (const SceneObstacle& obstacle : scene_->obstacles)
            obstacles_.insert(obstacles_.end(), obstacle.mesh.positions.begin(),
                              obstacle.mesh.positions.end());
    }

    StepReport step(const std::optional<double>& h, const std::optional<double>& material_dt,
                    const py::dict& handles, const py::dict& obstacles, const py::object& gravity,
                    bool rearranged, const py::object& forces);

    const Scene& scene() const { return *scene_; }
    const Model& model() const { return model_; }
    const State& state() const { return state_; }
    std::vector<int> handle_vertices(const std::string& name) const { return handle(name).vertices; }
    py::dict reactions() const;
    std::vector<Vec3d> forces() {
        const InUse use(in_use_, "Stepper");
        return stepper_->internal_forces(state_, StepInput{});
    }
    py::dict contacts() {
        const InUse use(in_use_, "Stepper");
        return contact_dict(state_.contact);
    }

  private:
    const SceneHandle& handle(const std::string& name) const {
        return scene_->handles[index_of(Place(scene_->name), name, scene_->handles, "handle")];
    }
    void set_handles(const py::dict& handles);
    void set_obstacles(const py::dict& obstacles);

    std::shared_ptr<Scene> scene_;
    Model model_;
    std::unique_ptr<Stepper> stepper_;
    State state_;
    std::vector<std::pair<std::string, std::size_t>> held_;  // handles of the last step, with their vertices
    std::vector<int> vertices_;
    std::vector<Vec3d> targets_;
    std::vector<double> stiffness_;
    std::vector<Vec3d> obstacles_, obstacles_end_;
    std::atomic<bool> in_use_ = false;
};

void PyStepper::set_handles(const py::dict& handles) {
    vertices_.clear();
    targets_.clear();
    stiffness_.clear();
    held_.clear();
    for (const auto& [key, value] : handles) {
        const std::string name = key.cast<std::string>();
        const SceneHandle& one = handle(name);
        const std::vector<Vec3d> rows = rows_of_three(py::reinterpret_borrow<py::object>(value),
                                                      fmt::format("step: handles[\"{}\"]", name));
        if (rows.size() != one.vertices.size())
            throw InputError(fmt::format("step: handles[\"{}\"]", name),
                             fmt::format("{} targets for {} vertices", rows.size(), one.vertices.size()),
                             "handle_vertices() lists them");
        vertices_.insert(vertices_.end(), one.vertices.begin(), one.vertices.end());
        targets_.insert(targets_.end(), rows.begin(), rows.end());
        stiffness_.resize(vertices_.size(), one.stiffness);
        held_.emplace_back(name, rows.size());
    }
}

void PyStepper::set_obstacles(const py::dict& obstacles) {
    obstacles_end_ = obstacles_;
    for (const auto& [key, value] : obstacles) {
        const std::string name = key.cast<std::string>();
        const std::size_t index = index_of(Place(scene_->name), name, scene_->obstacles, "obstacle");
        const std::string place = fmt::format("step: obstacles[\"{}\"]", name);
        const std::vector<Vec3d> rows = rows_of_three(py::reinterpret_borrow<py::object>(value), place);
        std::size_t first = 0;
        for (std::size_t i = 0; i < index; ++i) first += scene_->obstacles[i].mesh.positions.size();
        if (rows.size() != scene_->obstacles[index].mesh.positions.size())
            throw InputError(place, fmt::format("{} rows for {} vertices", rows.size(),
                                                scene_->obstacles[index].mesh.positions.size()));
        if (!scene_->obstacles[index].moves)
            throw InputError(place, "this obstacle stands still", "name it in Stepper(scene, moving=[...])");
        std::copy(rows.begin(), rows.end(), obstacles_end_.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

StepReport PyStepper::step(const std::optional<double>& h, const std::optional<double>& material_dt,
                           const py::dict& handles, const py::dict& obstacles, const py::object& gravity,
                           bool rearranged, const py::object& forces) {
    const InUse use(in_use_, "Stepper");
    set_handles(handles);
    set_obstacles(obstacles);
    StepInput input;
    input.h = h ? *h : scene_->phases.front().h;
    input.material_dt = material_dt.value_or(input.h);
    input.gravity = gravity.is_none() ? scene_->gravity : three_numbers(gravity, "step: gravity");
    input.mass_damping = scene_->mass_damping;
    input.stiffness_damping = scene_->stiffness_damping;
    input.handles = {vertices_, targets_, stiffness_};
    const std::vector<Vec3d> on_vertices = forces_of(forces, state_.x.size());
    input.forces = on_vertices;
    if (!obstacles_.empty()) input.obstacles = {obstacles_, obstacles_end_, {}, rearranged};
    StepReport report;
    {
        const py::gil_scoped_release unlocked;
        report = stepper_->step(state_, input);
    }
    if (!report.accepted)
        throw SimulationError(
            fmt::format("step {} (time {:.6g} s) failed: {}", state_.step + 1, state_.time, report.failure));
    obstacles_ = obstacles_end_;
    return report;
}

py::dict PyStepper::reactions() const {
    py::dict dict;
    const std::span<const Vec3d> all = stepper_->reactions();
    std::size_t first = 0;
    for (const auto& [name, count] : held_) {
        if (first + count > all.size()) break;  // no step was taken with them
        const auto own = all.subspan(first, count);
        dict[py::str(name)] = copy_rows(std::vector<Vec3d>(own.begin(), own.end()));
        first += count;
    }
    return dict;
}

}  // namespace

void add_stepper(py::module_& module) {
    py::class_<PyStepper>(
        module, "Stepper",
        "A loop of your own: you say at every step where handles and obstacles are, and how long the\n"
        "step is. Of the scene it uses cloths, handles, obstacles, gravity and damping; not the phases.")
        .def(py::init([](const std::shared_ptr<Scene>& scene, const std::vector<std::string>& moving,
                         int threads, const std::optional<std::string>& backend) {
                 return std::make_unique<PyStepper>(*scene, moving, threads, backend);
             }),
             py::arg("scene"), py::arg("moving") = std::vector<std::string>{}, py::arg("threads") = 0,
             py::arg("backend") = py::none(), "moving: obstacles that steps may move.")
        .def("step", &PyStepper::step, py::arg("h") = py::none(), py::arg("material_dt") = py::none(),
             py::arg("handles") = py::dict(), py::arg("obstacles") = py::dict(),
             py::arg("gravity") = py::none(), py::arg("rearranged") = false, py::arg("forces") = py::none(),
             "Takes one step of h seconds (default: those of the scene). The cloth ages by material_dt "
             "(default: h).\n"
             "handles: by name, (k, 3) places of its vertices at the end of the step; a handle that is not "
             "named holds\n"
             "nothing. obstacles: by name, where its vertices are at the end. rearranged: positions were set "
             "by hand.\n"
             "forces: (n, 3), beside gravity, on each row of `positions` [N].")
        .def_property_readonly(
            "positions",
            [](const py::object& self) {
                return view_rows(self.cast<const PyStepper&>().state().x, self, Access::write);
            },
            "(n, 3) view of all cloths [m]; it follows the steps and may be written between them")
        .def_property_readonly(
            "velocities",
            [](const py::object& self) {
                return view_rows(self.cast<const PyStepper&>().state().v, self, Access::write);
            },
            "(n, 3) view [m/s]; it may be written between steps")
        .def_property_readonly(
            "history",
            [](const py::object& self) {
                return history_dict(self.cast<const PyStepper&>().state().bending, self);
            },
            "what each hinge remembers, as views: anchor [rad], stick_time [s], plastic [rad], ...")
        .def_property_readonly(
            "masses",
            [](const py::object& self) {
                return view_numbers(self.cast<const PyStepper&>().model().mass, self, Access::read);
            },
            "(n,) view [kg]")
        .def_property_readonly(
            "time", [](const PyStepper& s) { return s.state().time; }, "dynamic time [s]")
        .def_property_readonly(
            "material_time", [](const PyStepper& s) { return s.state().material_time; }, "[s]")
        .def_property_readonly(
            "steps", [](const PyStepper& s) { return s.state().step; }, "taken so far")
        .def("handle_vertices", &PyStepper::handle_vertices, py::arg("handle"),
             "Rows of `positions` that a handle holds.")
        .def("reactions", &PyStepper::reactions,
             "By handle: (k, 3) forces that it exerted in the last step [N].")
        .def(
            "forces", [](PyStepper& s) { return copy_rows(s.forces()); },
            "(n, 3): force of the cloth on each vertex now, without gravity and contact [N].")
        .def("contacts", &PyStepper::contacts, "As Simulator.contacts().");
}

}  // namespace rumple::python
