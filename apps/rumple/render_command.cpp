// rumple render: pictures, sheets and films of meshes, caches and runs.
#include <fmt/format.h>

#include <algorithm>
#include <experiments/curves.hpp>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include <thread>

#include "commands.hpp"
#include "progress.hpp"
#include "render_arguments.hpp"

namespace rumple {
namespace {

void render_film(const RenderArguments& a, const std::vector<RenderSource>& sources, const Threads& threads) {
    const std::filesystem::path ffmpeg = find_ffmpeg();
    PictureRequest request = request_of(a, sources);
    if (std::none_of(sources.begin(), sources.end(), [](const auto& s) { return s.frame_count() > 1; }))
        throw InputError(a.inputs.front(), "a film needs a point cache or a run's folder",
                         "for a mesh ask for a .png");
    request.captions = !a.tile.no_labels;
    if (a.tile.size.empty()) {  // the whole film is 1080 pixels high and at most 1920 wide
        request.settings.height = 1080;
        request.fit_width = 1920 / static_cast<int>(std::min<std::size_t>(sources.size(), 4));
    }
    const auto every = static_cast<std::size_t>(a.film.every);
    const std::vector<Moment> moments =
        thinned(a.film.align == "frame" ? frame_by_frame(sources) : phase_by_phase(sources), every);
    const SheetRenderer renderer(sources, std::move(request), moments, threads);
    const double rate = a.film.fps > 0 ? a.film.fps : sources.front().frame_rate() / double(every);
    Progress progress(a.quiet);
    renderer.shoot(moments, ffmpeg, a.out, rate, [&](std::size_t done) {
        progress.show(double(done) / double(moments.size()),
                      fmt::format("picture {} of {}", done, moments.size()));
    });
    progress.finish();
}

void render_picture(const RenderArguments& a, const std::vector<RenderSource>& sources,
                    const Threads& threads) {
    PictureRequest request = request_of(a, sources);
    const Moment moment = moment_of(a.moment, sources);
    write_png(a.out, SheetRenderer(sources, std::move(request), {moment}, threads).take(moment));
}

void plot_inputs(const RenderArguments& a, const std::vector<RenderSource>& sources) {
    if (a.plot.columns == "timing") {
        BarPlot plot = timing_plot(sources);
        if (!a.tile.title.empty()) plot.title = a.tile.title;
        write_plot(a.out, plot);
    } else {
        Plot plot = metrics_plot(sources, split_at_commas(a.plot.columns), a.plot.over);
        plot.title = a.tile.title;
        write_plot(a.out, plot);
    }
}

void render_inputs(RenderArguments a) {
    // With more threads than cores TBB prints a complaint.
    const Threads threads(std::min(a.threads, static_cast<int>(std::thread::hardware_concurrency())));
    std::vector<RenderSource> sources = open_sources(a.inputs);
    if (!a.plot.columns.empty()) {
        if (a.out.empty()) a.out = a.plot.columns + ".svg";
        plot_inputs(a, sources);
    } else {
        hide_in(sources, a.tile.hidden);
        if (!a.tile.look.empty())
            for (RenderSource& source : sources) source.set_look(look_by_name(a.tile.look));
        if (a.out.empty()) a.out = sources.front().label() + ".png";
        const std::string extension = std::filesystem::path(a.out).extension().string();
        if (extension != ".png" && extension != ".mp4")
            throw InputError(a.out, "pictures are written as .png and films as .mp4");
        if (extension == ".mp4")
            render_film(a, sources, threads);
        else
            render_picture(a, sources, threads);
    }
    if (!a.quiet) fmt::print("{}\n", a.out);
}

}  // namespace

void add_render_command(CLI::App& program) {
    auto a = std::make_shared<RenderArguments>();
    CLI::App* command = program.add_subcommand("render", "Make a picture, a sheet or a film");
    add_render_options(*command, *a);
    command->callback([a] { render_inputs(*a); });
}

}  // namespace rumple
