// run(): scenes from beginning to end, with progress and Ctrl-C.
#include <fmt/format.h>

#include <chrono>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/run_animation.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

using Clock = std::chrono::steady_clock;

// Calls Python back on the thread that runs. Ctrl-C, and what the callback throws, end the run.
class PythonObserver : public RunObserver {
  public:
    explicit PythonObserver(const py::object& progress)
        : progress_(progress), listens_(!progress.is_none()) {}

    void on_progress(const RunProgress& now) override {
        const Clock::time_point time = Clock::now();
        if (!listens_ && time - last_look_ < kLookInterval) return;
        last_look_ = time;
        const py::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (listens_) progress_(now);
    }

  private:
    static constexpr std::chrono::milliseconds kLookInterval{20};
    const py::object& progress_;
    bool listens_;
    Clock::time_point last_look_{};
};

// The result of one scene, which it keeps: positions are numbered as in the meshes that the cloths came from.
struct Result {
    RunResult run;
    std::vector<std::string> names;
    std::vector<std::vector<Vec3d>> positions;
};

Result result_of(const Scene& scene, RunResult run) {
    Result result{std::move(run), {}, {}};
    std::size_t first = 0;
    for (const SceneCloth& cloth : scene.cloths) {
        const auto x =
            std::span<const Vec3d>(result.run.last.state.x).subspan(first, cloth.mesh.positions.size());
        result.names.push_back(cloth.name);
        result.positions.push_back(in_old_order(x, cloth.numbering.vertices));
        first += x.size();
    }
    return result;
}

std::vector<Result> run_all(const std::vector<ScenePtr>& scenes, const RunOptions& options) {
    std::vector<Scene> copies;  // run_scenes() takes them side by side
    for (const ScenePtr& scene : scenes) copies.push_back(*scene);
    std::vector<RunResult> runs = run_scenes(copies, options);
    std::vector<Result> results;
    for (std::size_t i = 0; i < copies.size(); ++i)
        results.push_back(result_of(copies[i], std::move(runs[i])));
    return results;
}

std::vector<Result> run_scenes_for_python(const std::vector<std::shared_ptr<Scene>>& scenes,
                                          const std::optional<std::filesystem::path>& out,
                                          const py::object& progress, bool resume, int threads,
                                          const std::optional<std::string>& backend,
                                          double checkpoint_seconds) {
    PythonObserver observer(progress);
    RunOptions options;
    if (out) options.out = *out;
    options.resume = resume;
    options.threads = threads;
    options.backend = backend_by_name(backend);
    options.checkpoint_seconds = checkpoint_seconds;
    options.observer = &observer;
    const py::gil_scoped_release unlocked;
    return run_all({scenes.begin(), scenes.end()}, options);
}

py::dict by_cloth(const Result& result, const std::function<py::object(std::size_t)>& value) {
    py::dict dict;
    for (std::size_t i = 0; i < result.names.size(); ++i) dict[py::str(result.names[i])] = value(i);
    return dict;
}

void add_progress_class(py::module_& module) {
    py::class_<RunProgress>(module, "Progress", "What a progress callback gets after each step.")
        .def_readonly("steps_done", &RunProgress::steps_done, "since the call began")
        .def_readonly("steps_to_do", &RunProgress::steps_to_do, "at the beginning of the call")
        .def_readonly("fraction", &RunProgress::fraction, "of the whole run, 0 to 1")
        .def_readonly("phase", &RunProgress::phase, "of the step just taken")
        .def_readonly("variants", &RunProgress::variants, "that took it");
}

void add_result_class(py::module_& module) {
    py::class_<Result>(module, "Result",
                       "What a run returns. Entries by cloth are dicts with the cloths' names.")
        .def_property_readonly("variant", [](const Result& r) { return r.run.variant; })
        .def_property_readonly(
            "folder",
            [](const Result& r) -> py::object {
                return r.run.folder.empty() ? py::object(py::none()) : py::cast(r.run.folder);
            },
            "where its files are; None: in memory alone")
        .def_property_readonly(
            "failure", [](const Result& r) { return r.run.failure; }, "empty: the run is complete")
        .def_property_readonly(
            "positions",
            [](const py::object& self) {
                const Result& r = self.cast<const Result&>();
                return by_cloth(r,
                                [&](std::size_t i) { return view_rows(r.positions[i], self, Access::read); });
            },
            "by cloth: (n, 3) at the end [m], in the order of the mesh or file that it came from")
        .def_property_readonly(
            "measures",
            [](const Result& r) {
                return by_cloth(r, [&](std::size_t i) { return measures_dict(r.run.at_end[i].measures); });
            },
            "by cloth: wrinkle measures at the end, by name (docs/measures.md)")
        .def_property_readonly(
            "recovery",
            [](const Result& r) {
                return by_cloth(r, [&](std::size_t i) { return py::cast(r.run.recovery[i]); });
            },
            "by cloth: 1 when all wrinkles of the hold are gone; None: nothing to recover from")
        .def_property_readonly(
            "summary", [](const Result& r) { return parse_json(r.run.summary); },
            "the contents of summary.json, as a dict")
        .def("__repr__", [](const Result& r) {
            return fmt::format("<rumple.Result: {} steps{}{}>", r.run.counts.steps,
                               r.run.folder.empty() ? "" : ", in ", r.run.folder.string());
        });
}

}  // namespace

void add_run(py::module_& module) {
    add_progress_class(module);
    add_result_class(module);
    module.def("_run_scenes", &run_scenes_for_python, py::arg("scenes"), py::arg("out"), py::arg("progress"),
               py::arg("resume"), py::arg("threads"), py::arg("backend"), py::arg("checkpoint_seconds"));
    module.def(
        "_convert",
        [](const std::filesystem::path& source, const std::filesystem::path& out, std::optional<double> fps,
           int every) {
            if (every < 1) throw InputError("convert: every", "it is at least 1");
            const py::gil_scoped_release unlocked;
            write_animation(out,
                            open_animation(source, {.rate = fps, .every = static_cast<std::size_t>(every)}));
        },
        py::arg("source"), py::arg("out"), py::arg("fps"), py::arg("every"));
    module.def("_raise_failure", [](const Result& result) {
        if (!result.run.failure.empty()) throw SimulationError(result.run.failure, result.run.failure_place);
    });
}

}  // namespace rumple::python
