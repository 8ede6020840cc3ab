#include "history.hpp"

#include <fmt/format.h>

namespace rumple::python {
namespace {

py::dict timing_dict(const StepTiming& timing) {
    py::dict dict;
    for (const auto& [name, seconds] : kStepTimingParts) dict[name] = timing.*seconds;
    return dict;
}

template <class Number>
py::array copy_numbers(const std::vector<Number>& numbers) {
    return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

}  // namespace

py::dict history_dict(const HistoryArrays& history, const py::object& owner) {
    py::dict dict;
    const auto add = [&](const char* name, const auto& column) {
        if (!column.empty()) dict[name] = view_numbers(column, owner, Access::read);
    };
    add("anchor", history.anchor);
    add("stick_time", history.stick_time);
    add("plastic", history.plastic);
    add("accumulated", history.accumulated);
    add("clock", history.clock);
    add("direction", history.direction);
    add("loaded", history.loaded);
    add("dahl_stress", history.dahl_stress);
    add("strain", history.strain);
    add("branch", history.branch);
    return dict;
}

py::dict contact_dict(const ContactMemory& memory) {
    py::dict dict;
    dict["kind"] = copy_numbers(memory.kind);
    dict["a"] = copy_numbers(memory.a);
    dict["b"] = copy_numbers(memory.b);
    dict["tangential_displacement"] = copy_rows(memory.tangential_displacement);
    dict["inside"] = copy_numbers(memory.inside);
    return dict;
}

void add_report_classes(py::module_& module) {
    py::class_<ContactReport>(module, "ContactReport", "What contact did in a step.")
        .def_readonly("pairs", &ContactReport::pairs, "within reach of each other")
        .def_readonly("touching", &ContactReport::touching, "of them, that press on each other")
        .def_readonly("sliding", &ContactReport::sliding, "of them, that slip")
        .def_readonly("collisions", &ContactReport::collisions, "found on the way and resolved")
        .def_readonly("substeps", &ContactReport::substeps, "the step was divided into so many")
        .def_readonly("rolled_back", &ContactReport::rolled_back, "vertices returned to where the step began")
        .def_readonly("inside", &ContactReport::inside, "vertices inside an obstacle")
        .def_readonly("deepest", &ContactReport::deepest, "of those behind its surface [m]")
        .def_readonly("closest", &ContactReport::closest, "smallest distance of a touching pair [m]");
    py::class_<StepReport>(module, "StepReport", "What happened in a step.")
        .def_readonly("retries", &StepReport::retries,
                      "times that a part of the step was tried again as two halves")
        .def_readonly("solves", &StepReport::solves, "linear solves")
        .def_readonly("iterations", &StepReport::iterations, "of conjugate gradients")
        .def_readonly("newton_converged", &StepReport::newton_converged)
        .def_readonly("slipping", &StepReport::slipping, "components that slip at the end of the step")
        .def_readonly("yielding", &StepReport::yielding, "components that yield at the end of the step")
        .def_readonly("kinetic_energy", &StepReport::kinetic_energy, "[J]")
        .def_readonly("potential_energy", &StepReport::potential_energy, "without gravity [J]")
        .def_readonly("contact", &StepReport::contact)
        .def_property_readonly(
            "timing", [](const StepReport& r) { return timing_dict(r.timing); }, "seconds by part")
        .def("__repr__", [](const StepReport& r) {
            return fmt::format("<rumple.StepReport: {} solves, {} slipping, {} yielding>", r.solves,
                               r.slipping, r.yielding);
        });
}

}  // namespace rumple::python
