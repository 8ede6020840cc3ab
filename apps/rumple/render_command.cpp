// rumple render: pictures, sheets and films of meshes, caches and runs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <experiments/curves.hpp>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include <sstream>
#include <thread>

#include "commands.hpp"
#include "progress.hpp"

namespace rumple {
namespace {

struct RenderArguments {
    std::vector<std::string> inputs, bodies, hidden;
    std::string out, views, light = "studio", look, size, labels, title, colour_by, range, ground;
    std::string eye, target, up, at, align = "phase", plot, over = "material_time";
    double field_of_view = 0, fps = 0;
    int samples = 16, threads = 0, columns = 0, every = 1;
    std::optional<int> frame;
    bool no_labels = false, captions = false, quiet = false, minus_first = false;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t count) {
    std::vector<double> values;
    for (const std::string& part : split(text)) {
        double value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size())
            throw InputError(option, fmt::format("'{}' is not a number", part), "write numbers as 0.5,-1,2");
        values.push_back(value);
    }
    if (values.size() != count)
        throw InputError(option, fmt::format("{} numbers are expected, not {}", count, values.size()));
    return values;
}

Vec3d point(const std::string& option, const std::string& text) {
    const std::vector<double> v = numbers(option, text, 3);
    return {v[0], v[1], v[2]};
}

void set_size(RenderSettings& settings, const std::string& text) {
    const std::size_t cross = text.find('x');
    int* const sides[] = {&settings.width, &settings.height};
    const std::string parts[] = {text.substr(0, cross),
                                 cross == std::string::npos ? "" : text.substr(cross + 1)};
    for (std::size_t i = 0; i < 2; ++i) {
        const char* end = parts[i].data() + parts[i].size();
        const auto [stop, error] = std::from_chars(parts[i].data(), end, *sides[i]);
        if (error != std::errc() || stop != end)
            throw InputError("--size", fmt::format("'{}' is not a size", text), "write it as 960x720");
    }
}

std::vector<Shot> shots_of(const RenderArguments& a, const std::vector<RenderSource>& sources) {
    if (a.eye.empty() && a.target.empty()) {
        if (!a.up.empty() || a.field_of_view != 0)
            throw InputError(a.up.empty() ? "--fov" : "--up", "it needs --eye and --target");
        std::vector<Shot> shots;
        for (const std::string& name : split(a.views)) shots.push_back(shot_by_name(name, sources));
        if (shots.empty()) shots.push_back(default_shot(sources));
        return shots;
    }
    if (!a.views.empty()) throw InputError("--view", "--eye and --target already say where the camera is");
    if (a.eye.empty() || a.target.empty())
        throw InputError(a.eye.empty() ? "--target" : "--eye", "a camera needs both --eye and --target");
    Camera camera;
    camera.eye = point("--eye", a.eye);
    camera.target = point("--target", a.target);
    if (!a.up.empty()) camera.up = point("--up", a.up);
    if (a.field_of_view != 0) camera.field_of_view = a.field_of_view;
    return {Shot{"camera", View::three_quarter, camera}};
}

RenderObject body_from(const std::string& path) {
    RenderObject body;
    body.name = path;
    body.mesh = read_mesh(path);
    body.look = look_by_name("body");
    body.is_cloth = false;
    return body;
}

PictureRequest request_of(const RenderArguments& a, const std::vector<RenderSource>& sources) {
    PictureRequest request;
    request.shots = shots_of(a, sources);
    request.light = a.light == "raking" ? LightKind::raking : LightKind::studio;
    if (sources.size() > 1 || request.shots.size() > 1)
        request.settings.width = request.settings.height = 560;
    if (!a.size.empty()) set_size(request.settings, a.size);
    request.settings.samples = a.samples;
    request.has_ground = a.ground != "none";
    if (request.has_ground && !a.ground.empty()) request.ground = numbers("--ground", a.ground, 1)[0];
    request.colour_by = a.colour_by;
    request.minus_first = a.minus_first;
    if (!a.range.empty()) {
        const std::vector<double> ends = numbers("--range", a.range, 2);
        request.range = FieldRange{ends[0], ends[1]};
    }
    request.labels = split(a.labels);
    request.words = !a.no_labels;
    request.captions = a.captions;
    request.columns = a.columns;
    request.title = a.title;
    for (const std::string& path : a.bodies) request.bodies.push_back(body_from(path));
    return request;
}

// What a picture shows: the last frames, unless somebody says otherwise.
Moment chosen_moment(const RenderArguments& a, const std::vector<RenderSource>& sources, std::size_t frames) {
    if (!a.at.empty()) return at_end_of(sources, a.at);
    if (!a.frame) return at_frame(sources, frames - 1);
    const auto count = static_cast<long>(frames), frame = *a.frame < 0 ? count + *a.frame : long{*a.frame};
    if (frame < 0 || frame >= count)
        throw InputError("--frame", fmt::format("there is no frame {}", *a.frame),
                         fmt::format("the inputs have frames 0 to {}", count - 1));
    return at_frame(sources, static_cast<std::size_t>(frame));
}

void render_film(const RenderArguments& a, const std::vector<RenderSource>& sources, PictureRequest request,
                 std::size_t frames, const Threads& threads) {
    const std::filesystem::path ffmpeg = find_ffmpeg();
    if (frames < 2)
        throw InputError(a.inputs.front(), "a film needs a point cache or a run's folder",
                         "for a mesh ask for a .png");
    request.captions = !a.no_labels;
    const auto every = static_cast<std::size_t>(a.every);
    const std::vector<Moment> moments =
        thinned(a.align == "frame" ? frame_by_frame(sources) : phase_by_phase(sources), every);
    const SheetRenderer studio(sources, std::move(request), moments, threads);
    const double rate = a.fps > 0 ? a.fps : sources.front().frame_rate() / double(every);
    Progress progress(a.quiet);
    studio.shoot(moments, ffmpeg, a.out, rate, [&](std::size_t done) {
        progress.show(double(done) / double(moments.size()),
                      fmt::format("picture {} of {}", done, moments.size()));
    });
    progress.finish();
}

void plot_inputs(RenderArguments a, const std::vector<RenderSource>& sources) {
    if (a.out.empty()) a.out = a.plot + ".svg";
    if (a.plot == "timing") {
        BarPlot plot = timing_plot(sources);
        if (!a.title.empty()) plot.title = a.title;
        write_plot(a.out, plot);
    } else {
        Plot plot = metrics_plot(sources, split(a.plot), a.over);
        plot.title = a.title;
        write_plot(a.out, plot);
    }
    if (!a.quiet) fmt::print("{}\n", a.out);
}

void render_inputs(RenderArguments a) {
    // More threads than cores would only make TBB complain.
    const Threads threads(std::min(a.threads, static_cast<int>(std::thread::hardware_concurrency())));
    std::vector<RenderSource> sources = open_sources(a.inputs);
    if (!a.plot.empty()) return plot_inputs(a, sources);
    for (RenderSource& source : sources) source.hide(a.hidden);
    if (!a.look.empty())
        for (RenderSource& source : sources) source.set_look(look_by_name(a.look));
    if (a.out.empty()) a.out = sources.front().label() + ".png";
    const std::string extension = std::filesystem::path(a.out).extension().string();
    if (extension != ".png" && extension != ".mp4")
        throw InputError(a.out, "pictures are written as .png and films as .mp4");
    PictureRequest request = request_of(a, sources);
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    if (extension == ".mp4") {
        render_film(a, sources, std::move(request), frames, threads);
    } else {
        const Moment moment = chosen_moment(a, sources, frames);
        write_png(a.out, SheetRenderer(sources, std::move(request), {moment}, threads).take(moment));
    }
    if (!a.quiet) fmt::print("{}\n", a.out);
}

}  // namespace

void add_render_command(CLI::App& program) {
    auto a = std::make_shared<RenderArguments>();
    CLI::App* command = program.add_subcommand("render", "Make a picture, a sheet or a film");
    command->add_option("INPUT", a->inputs, "meshes (.obj, .ply), caches (.pc2, .mdd) or folders of runs")
        ->required();
    command->add_option("--out", a->out,
                        "PNG or MP4 file (default: the first input's name, .png); of a plot: SVG or PNG");
    command->add_option(
        "--view", a->views,
        "front, back, left, right, top, three-quarter, or a camera of the scene; several with "
        "commas (default: the scene's first camera, or three-quarter)");
    command->add_option("--light", a->light, "studio, or raking: from the side, shows every wrinkle")
        ->check(CLI::IsMember({"studio", "raking"}))
        ->capture_default_str();
    command->add_option("--look", a->look,
                        "cotton, denim, polyester, rose, clay (default: by the run's material)");
    command->add_option("--colour-by", a->colour_by,
                        "curvature, angle, angle-change, sharpness, plastic, anchor, stick-time, gap, "
                        "displacement");
    command->add_flag("--minus-first", a->minus_first,
                      "colours show how much more there is than in the first input");
    command->add_option("--range", a->range, "ends of the colour scale, e.g. 0,50");
    command->add_option("--size", a->size, "of one tile in pixels (default: 960x720, or 560x560 in a sheet)");
    command->add_option("--samples", a->samples, "a pixel; a power of two")->capture_default_str();
    command->add_option("--body", a->bodies, "a mesh to show in every tile");
    command->add_option("--hide", a->hidden, "a cloth or obstacle of the runs to leave out (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--labels", a->labels, "one a tile, with commas (default: names of the inputs)");
    command->add_option("--title", a->title, "over the sheet");
    command->add_option("--columns", a->columns, "tiles in a row (default: as fits)")
        ->check(CLI::Range(0, 100));
    command->add_flag("--captions", a->captions, "phase and material time on a picture, as in films");
    command->add_flag("--no-labels", a->no_labels, "no words at all");
    command->add_option("--frame", a->frame, "of caches; negative from the end (default: the last)");
    command->add_option("--at", a->at, "of runs: the last frame of this phase");
    command->add_option("--eye", a->eye, "camera x,y,z in m (default: framed automatically)");
    command->add_option("--target", a->target, "point the camera looks at");
    command->add_option("--up", a->up, "up direction of the camera (default: 0,0,1)");
    command->add_option("--fov", a->field_of_view, "vertical field of view in degrees (default: 24)");
    command->add_option("--ground", a->ground,
                        "height in m, or none (default: the run's level plane, or the lowest point)");
    command->add_option("--fps", a->fps, "frames a second of a film (default: the run's own, real time)");
    command->add_option("--every", a->every, "of a film: only each so many frames")
        ->check(CLI::Range(1, 100000));
    command
        ->add_option("--align", a->align,
                     "of a film of several runs: phase (who skips one waits) or frame (numbers alone)")
        ->check(CLI::IsMember({"phase", "frame"}))
        ->capture_default_str();
    command->add_option("--plot", a->plot,
                        "instead of a picture, a curve: columns of metrics.csv, with commas; or timing");
    command->add_option("--over", a->over, "column along the plot's x axis")->capture_default_str();
    command->add_option("--threads", a->threads, "threads; the picture does not depend on it (0: all cores)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--quiet", a->quiet, "no progress, no file name");
    command->callback([a] { render_inputs(*a); });
}

}  // namespace rumple
