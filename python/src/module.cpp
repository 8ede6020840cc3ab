// The extension module rumple._rumple: the library for Python. The package's __init__.py is what users see.
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

// Types of exceptions live as long as the interpreter.
struct ErrorTypes {
    PyObject *base = nullptr, *input = nullptr, *simulation = nullptr;
};
ErrorTypes types;

PyObject* make_error_type(py::module_& module, const char* name, const char* doc, PyObject* bases) {
    const std::string full = std::string("rumple.") + name;
    PyObject* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases, nullptr);
    if (type == nullptr) throw py::error_already_set();
    module.add_object(name, py::reinterpret_borrow<py::object>(type));
    return type;
}

void raise_error(PyObject* type, const char* what, const ErrorPlace& place) {
    const py::object error = py::reinterpret_borrow<py::object>(type)(what);
    error.attr("cloth") = place.cloth.empty() ? py::object(py::none()) : py::object(py::str(place.cloth));
    error.attr("vertices") = py::cast(place.vertices);
    PyErr_SetObject(type, error.ptr());
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
        raise_error(types.input, error.what(), error.place());
    } catch (const SimulationError& error) {
        raise_error(types.simulation, error.what(), error.place());
    }
}

}  // namespace

void add_errors(py::module_& module) {
    types.base = make_error_type(
        module, "Error", "Base of all errors of Rumple. `cloth` and `vertices` say where it is, if known.",
        PyExc_Exception);
    const auto bases = [](PyObject* other) {
        return py::make_tuple(py::handle(types.base), py::handle(other));
    };
    types.input = make_error_type(module, "InputError",
                                  "Bad input: a file, a scene, a mesh, an argument. Nothing was run.",
                                  bases(PyExc_ValueError).ptr());
    types.simulation =
        make_error_type(module, "SimulationError",
                        "The simulation could not continue: a step failed, or a file could not be "
                        "written.",
                        bases(PyExc_RuntimeError).ptr());
    py::register_exception_translator(&translate);
}

}  // namespace rumple::python

PYBIND11_MODULE(_rumple, module) {
    using namespace rumple::python;
    module.doc() = "The C++ library of Rumple. Import the package `rumple` instead.";
    module.attr("__version__") = rumple::version();
    module.attr("source_hash") = rumple::source_hash();
    add_errors(module);
    add_mesh(module);
    add_material(module);
    add_scene(module);
    add_run(module);
    add_simulator(module);
    add_stepper(module);
#ifdef RUMPLE_HAS_RENDER
    add_render(module);
#endif
#ifdef RUMPLE_HAS_EXPERIMENTS
    add_experiments(module);
#endif
}
