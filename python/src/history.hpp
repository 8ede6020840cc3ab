// What Simulator and Stepper both show of a state and of a step.
#pragma once

#include <rumple/dynamics/stepper.hpp>

#include "bindings.hpp"

namespace rumple::python {

py::dict history_dict(const HistoryArrays& history, const py::object& owner);  // views, by name
py::dict contact_dict(const ContactMemory& memory);                            // copies: their number changes
void add_report_classes(py::module_& module);

}  // namespace rumple::python
