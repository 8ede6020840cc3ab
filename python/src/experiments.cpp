// The paper's experiments and the scenes that come with the program.
#include <experiments/contact_scenes.hpp>
#include <experiments/experiment.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

Size size_by_name(const std::string& name) {
    for (const Size size : {Size::smoke, Size::draft, Size::paper})
        if (name == to_string(size)) return size;
    throw InputError("reproduce: size", "\"" + name + "\" is unknown",
                     "known are \"smoke\", \"draft\" and \"paper\"");
}

std::vector<std::string> builtin_scenes() {
    std::vector<std::string> names;
    for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
    for (const ContactScene& scene : contact_scenes()) names.push_back(scene.name);
    return names;
}

nlohmann::json builtin_scene(const std::string& name) {
    if (const Experiment* experiment = find_experiment(name)) return experiment->scene();
    for (const ContactScene& scene : contact_scenes())
        if (scene.name == name) return scene.scene();
    throw InputError(name, "there is no built-in scene of that name", suggestion(name, builtin_scenes()));
}

py::list reproduce_for_python(const std::string& name, const std::string& size,
                              const std::filesystem::path& out, int threads, const py::object& progress) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr)
        throw InputError(name, "there is no experiment of that name", suggestion(name, builtin_scenes()));
    const auto report = [&](const std::string& what, double fraction) {
        const py::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!progress.is_none()) progress(what, fraction);
    };
    std::vector<Claim> claims;
    {
        const py::gil_scoped_release unlocked;
        claims = reproduce(*experiment, ExperimentContext(size_by_name(size), out, threads, report));
    }
    py::list list;
    for (const Claim& claim : claims) list.append(to_python(to_json(claim)));
    return list;
}

}  // namespace

void add_experiments(py::module_& module) {
    module.def("builtin_scenes", &builtin_scenes, "Names of the scenes that come with the program.");
    module.def(
        "builtin_scene", [](const std::string& name) { return to_python(builtin_scene(name)); },
        py::arg("name"), "A scene that comes with the program, as a dict to change and to load.");
    module.def(
        "reproduce", &reproduce_for_python, py::arg("experiment"), py::arg("size") = "draft",
        py::arg("out") = "", py::arg("threads") = 0, py::arg("progress") = py::none(),
        "Runs an experiment of the paper and judges its claims. Returns a list of dicts: statement, values,\n"
        "bound, verdict. Its files go into `out`; without one nothing is written.\n"
        "progress(what, fraction) is called as it runs.");
}

}  // namespace rumple::python
