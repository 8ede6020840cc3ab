// Simulator: the steps of a scene one by one, with everything there is to look at in between.
#include <fmt/format.h>

#include <rumple/scene/place.hpp>
#include <rumple/sim/cloth_measures.hpp>
#include <rumple/sim/simulator.hpp>

#include "bindings.hpp"
#include "history.hpp"

namespace rumple::python {
namespace {

class PySimulator {
  public:
    PySimulator(ScenePtr scene, int threads, const std::optional<std::string>& backend)
        : scene_(std::move(scene)), simulator_(*scene_, threads, backend_by_name(backend)) {}

    StepReport step(const py::object& given) {
        const InUse use(in_use_, "Simulator");
        const std::vector<Vec3d> forces = forces_of(given, state().x.size());
        const py::gil_scoped_release unlocked;
        return simulator_.step(forces);
    }
    void restore(const SimState& state) {
        const InUse use(in_use_, "Simulator");
        simulator_.restore(state);
    }
    void restart() {
        const InUse use(in_use_, "Simulator");
        simulator_.restart();
    }
    // For what reads more than arrays that never move.
    template <class Read>
    auto read(Read&& read) {
        const InUse use(in_use_, "Simulator");
        return read(simulator_);
    }

    // The same without the interpreter's lock.
    template <class Compute>
    auto compute(Compute&& compute) {
        const InUse use(in_use_, "Simulator");
        const py::gil_scoped_release unlocked;
        return compute(simulator_);
    }

    const Scene& scene() const { return *scene_; }
    const State& state() const { return simulator_.sim_state().state; }
    const Simulator& simulator() const { return simulator_; }

  private:
    ScenePtr scene_;
    Simulator simulator_;
    std::atomic<bool> in_use_ = false;
};

std::string phase_name(const PySimulator& self) {
    const auto phase = static_cast<std::size_t>(self.simulator().sim_state().phase);
    return phase < self.scene().phases.size() ? self.scene().phases[phase].name : "";
}

py::array positions_of(PySimulator& self, const std::string& name) {
    const Scene& scene = self.scene();
    const std::size_t i = index_of(Place(scene.name), name, scene.cloths, "cloth");
    const auto begin = static_cast<std::size_t>(self.simulator().model().parts.vertex_begin[i]);
    const auto x =
        std::span<const Vec3d>(self.state().x).subspan(begin, scene.cloths[i].mesh.positions.size());
    return copy_rows(in_old_order(x, scene.cloths[i].numbering.vertices));
}

py::tuple reaction(PySimulator& self, const std::string& handle, const py::object& about) {
    const Scene& scene = self.scene();
    const auto i = static_cast<int>(index_of(Place(scene.name), handle, scene.handles, "handle"));
    const Vec3d point = three_numbers(about, "reaction: about");
    const Wrench wrench = self.read([&](const Simulator& sim) { return sim.reaction(i, point); });
    return py::make_tuple(to_array(wrench.force), to_array(wrench.torque));
}

py::dict contacts(PySimulator& self) {
    return self.read([](const Simulator& sim) { return contact_dict(sim.sim_state().state.contact); });
}

py::dict measures(PySimulator& self) {
    py::dict dict;
    for (const ClothMeasures& cloth :
         self.compute([](const Simulator& sim) { return measure_cloths(sim, sim.sim_state().state); }))
        dict[py::str(cloth.cloth)] = measures_dict(cloth.measures);
    return dict;
}

py::dict obstacle_positions(PySimulator& self) {
    const std::vector<Vec3d> all = self.compute([](Simulator& sim) { return sim.obstacle_positions(); });
    py::dict dict;
    std::size_t first = 0;
    for (const SceneObstacle& obstacle : self.scene().obstacles) {
        const std::size_t count = obstacle.mesh.positions.size();
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        dict[py::str(obstacle.name)] =
            copy_rows(std::vector<Vec3d>(begin, begin + static_cast<std::ptrdiff_t>(count)));
        first += count;
    }
    return dict;
}

void add_state_class(py::module_& module) {
    py::class_<SimState>(module, "State", "Everything that a simulation is at one moment: Simulator.save().")
        .def_property_readonly(
            "time", [](const SimState& s) { return s.state.time; }, "dynamic time [s]")
        .def_property_readonly(
            "material_time", [](const SimState& s) { return s.state.material_time; }, "[s]")
        .def_property_readonly(
            "steps", [](const SimState& s) { return s.state.step; }, "taken so far")
        .def("__eq__", [](const SimState& a, const SimState& b) { return a == b; });
}

void add_clock(py::class_<PySimulator>& simulator) {
    simulator
        .def_property_readonly(
            "done", [](const PySimulator& s) { return s.simulator().done(); }, "no step is left")
        .def_property_readonly(
            "time", [](const PySimulator& s) { return s.state().time; }, "dynamic time [s]")
        .def_property_readonly(
            "material_time", [](const PySimulator& s) { return s.state().material_time; },
            "material time [s]: it also runs in a hold")
        .def_property_readonly(
            "steps", [](const PySimulator& s) { return s.state().step; }, "taken so far")
        .def_property_readonly("phase", &phase_name, "of the next step; empty at the end")
        .def_property_readonly(
            "scene", [](const PySimulator& s) { return s.scene().name; }, "name of the scene");
}

void add_views(py::class_<PySimulator>& simulator) {
    simulator
        .def_property_readonly(
            "positions",
            [](const py::object& self) {
                return view_rows(self.cast<const PySimulator&>().state().x, self, Access::read);
            },
            "(n, 3) view of all cloths, one after the other [m]; it follows the steps. Cloths that come from "
            "files\n"
            "may be numbered in another order: positions_of() has the order of the file.")
        .def_property_readonly(
            "velocities",
            [](const py::object& self) {
                return view_rows(self.cast<const PySimulator&>().state().v, self, Access::read);
            },
            "(n, 3) view [m/s]")
        .def_property_readonly(
            "history",
            [](const py::object& self) {
                return history_dict(self.cast<const PySimulator&>().state().bending, self);
            },
            "what each hinge remembers, as views: anchor [rad], stick_time [s], plastic [rad], ...")
        .def_property_readonly(
            "membrane_history",
            [](const py::object& self) {
                return history_dict(self.cast<const PySimulator&>().state().membrane, self);
            },
            "the same of the membrane, three components a triangle; empty arrays where no law needs it")
        .def_property_readonly(
            "hinges",
            [](const py::object& self) {
                return view_rows(self.cast<const PySimulator&>().simulator().model().hinges, self,
                                 Access::read);
            },
            "(h, 4) view: the two vertices of each hinge's edge, then its two wings")
        .def_property_readonly(
            "masses",
            [](const py::object& self) {
                return view_numbers(self.cast<const PySimulator&>().simulator().model().mass, self,
                                    Access::read);
            },
            "(n,) view [kg]");
}

}  // namespace

void add_simulator(py::module_& module) {
    add_report_classes(module);
    add_state_class(module);
    py::class_<PySimulator> simulator(
        module, "Simulator",
        "Takes the steps of a scene one by one. The scene says what its handles do;\n"
        "for handles that you move yourself there is Stepper.");
    simulator
        .def(py::init([](const std::shared_ptr<Scene>& scene, int threads,
                         const std::optional<std::string>& backend) {
                 return std::make_unique<PySimulator>(scene, threads, backend);
             }),
             py::arg("scene"), py::arg("threads") = 0, py::arg("backend") = py::none(),
             "threads 0: as many as the machine has cores. backend: \"cpu\", \"cuda\" or \"auto\".")
        .def("step", &PySimulator::step, py::arg("forces") = py::none(),
             "Takes one step. SimulationError if it fails; the state is then as it was before.\n"
             "forces: (n, 3), beside gravity, on each row of `positions` [N].")
        .def(
            "save",
            [](PySimulator& s) { return s.read([](const Simulator& sim) { return sim.sim_state(); }); },
            "A copy of the state, for restore().")
        .def("restore", &PySimulator::restore, py::arg("state"), "Goes to another moment of this scene.")
        .def("restart", &PySimulator::restart, "Goes to the beginning of the scene.")
        .def("positions_of", &positions_of, py::arg("cloth"),
             "(n, 3) copy for one cloth [m], in the order of the mesh or file that it came from.")
        .def(
            "forces",
            [](PySimulator& s) {
                return copy_rows(s.compute([](Simulator& sim) { return sim.internal_forces(); }));
            },
            "(n, 3): force of the cloth on each vertex now, without gravity and contact [N].")
        .def("reaction", &reaction, py::arg("handle"), py::arg("about") = py::make_tuple(0, 0, 0),
             "Force [N] and torque [N m] about a point that a handle exerted in the last step.")
        .def("contacts", &contacts,
             "Pairs that touch: kind (0 vertex-face, 1 edge-edge), a, b, tangential_displacement [m]; and "
             "the\n"
             "vertices inside obstacles.")
        .def("measures", &measures, "By cloth: wrinkle measures now, by name.")
        .def(
            "memory",
            [](PySimulator& s) {
                return copy_rows(
                    s.compute([](const Simulator& sim) { return cloth_memory(sim, sim.sim_state().state); }));
            },
            "(n, 3): plastic strain [rad], anchor [rad] and stick time [s] at each vertex.")
        .def(
            "potential_energy",
            [](PySimulator& s) { return s.compute([](Simulator& sim) { return sim.potential_energy(); }); },
            "Now, without gravity [J].")
        .def("obstacle_positions", &obstacle_positions, "By obstacle: where its vertices are now [m].");
    add_clock(simulator);
    add_views(simulator);
}

}  // namespace rumple::python
