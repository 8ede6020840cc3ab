// render(): pictures and films.
#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/core/parallel.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include <thread>

#include "bindings.hpp"

namespace rumple::python {
namespace {

struct Choices {
    std::vector<std::string> views, labels;
    std::string light, colour_by, title, at;
    std::pair<int, int> size;
    int samples = RenderSettings{}.samples;
    std::optional<long> frame;
};

PictureRequest request_of(const Choices& choices, const std::vector<RenderSource>& sources) {
    PictureRequest request;
    for (const std::string& name : choices.views) request.shots.push_back(shot_by_name(name, sources));
    if (request.shots.empty()) request.shots.push_back(default_shot(sources));
    if (!std::ranges::count(light_names(), choices.light))
        throw InputError("render: light", "\"" + choices.light + "\" is unknown",
                         "known are \"studio\", \"raking\" and \"overhead\"");
    request.light = light_by_name(choices.light);
    request.settings = {choices.size.first, choices.size.second, choices.samples};
    request.colour_by = choices.colour_by;
    request.labels = choices.labels;
    request.title = choices.title;
    return request;
}

Moment moment_of(const Choices& choices, const std::vector<RenderSource>& sources) {
    if (!choices.at.empty()) return at_end_of(sources, choices.at);
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    const auto count = static_cast<long>(frames);
    const long frame = choices.frame.value_or(-1), index = frame < 0 ? count + frame : frame;
    if (index < 0 || index >= count)
        throw InputError("render: frame", "there is no frame " + std::to_string(frame),
                         "there are frames 0 to " + std::to_string(count - 1));
    return at_frame(sources, static_cast<std::size_t>(index));
}

void render(const std::vector<std::string>& inputs, const std::filesystem::path& out, const Choices& choices,
            int threads) {
    const Threads pool(std::min(threads, static_cast<int>(std::thread::hardware_concurrency())));
    const std::vector<RenderSource> sources = open_sources(inputs);
    PictureRequest request = request_of(choices, sources);
    if (out.extension() == ".mp4") {
        const std::vector<Moment> moments = phase_by_phase(sources);
        const SheetRenderer renderer(sources, std::move(request), moments, pool);
        return renderer.shoot(moments, find_ffmpeg(), out, sources.front().frame_rate(), [](std::size_t) {});
    }
    if (out.extension() != ".png")
        throw InputError(out.string(), "pictures are written as .png and films as .mp4");
    const Moment moment = moment_of(choices, sources);
    write_png(out, SheetRenderer(sources, std::move(request), {moment}, pool).take(moment));
}

}  // namespace

void add_render(py::module_& module) {
    module.def(
        "_render",
        [](const std::vector<std::string>& inputs, const std::filesystem::path& out,
           const std::vector<std::string>& views, const std::string& light, std::pair<int, int> size,
           int samples, std::optional<long> frame, const std::string& at, const std::string& colour_by,
           const std::vector<std::string>& labels, const std::string& title, int threads) {
            const py::gil_scoped_release unlocked;
            render(inputs, out, {views, labels, light, colour_by, title, at, size, samples, frame}, threads);
        },
        py::arg("inputs"), py::arg("out"), py::arg("views"), py::arg("light"), py::arg("size"),
        py::arg("samples"), py::arg("frame"), py::arg("at"), py::arg("colour_by"), py::arg("labels"),
        py::arg("title"), py::arg("threads"));
}

}  // namespace rumple::python
