#include "render_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <sstream>

namespace rumple {
namespace {

void add_input_options(CLI::App& command, RenderArguments& a) {
    command.add_option("INPUT", a.inputs, "meshes (.obj, .ply), caches (.pc2, .mdd) or folders of runs")
        ->required();
    command.add_option("--out", a.out,
                       "PNG or MP4 file (default: the first input's name, .png); of a plot: SVG or PNG");
    command.add_option("--threads", a.threads, "threads; the picture does not depend on it (0: all cores)")
        ->check(CLI::Range(0, 1024));
    command.add_flag("--quiet", a.quiet, "no progress, no file name");
}

void add_camera_options(CLI::App& command, CameraArguments& a) {
    command.add_option("--view", a.views,
                       "front, back, left, right, top, three-quarter, or a camera of the scene; several with "
                       "commas (default: the scene's first camera, or three-quarter)");
    command.add_option("--from", a.from,
                       "view from azimuth,elevation in degrees: 0,0 is the front, 90,0 the right side");
    command.add_option("--fit", a.fit, "what fills the picture: all, or cloth (bodies may reach out of it)")
        ->check(CLI::IsMember({"all", "cloth"}))
        ->capture_default_str();
    command.add_flag("--follow", a.follow,
                     "each input in the middle of its tile: the camera shifts, direction and distance stay");
    command.add_option("--eye", a.eye, "camera x,y,z in m (default: framed automatically)");
    command.add_option("--target", a.target, "point the camera looks at");
    command.add_option("--up", a.up, "up direction of the camera (default: 0,0,1)");
    command.add_option("--fov", a.field_of_view, "vertical field of view in degrees (default: 24)");
}

void add_tile_options(CLI::App& command, TileArguments& a) {
    command
        .add_option("--light", a.light,
                    "studio, or one that shows every wrinkle: raking, from the side; overhead")
        ->check(CLI::IsMember(light_names()))
        ->capture_default_str();
    command.add_option("--look", a.look,
                       "cotton, denim, polyester, rose, clay (default: by the run's material)");
    command.add_option(
        "--size", a.size,
        "of one tile in pixels; a height alone, like 1080, chooses the width by what is shown (default: "
        "960x720, 560x560 in a sheet, 1080 in a film)");
    command.add_option("--samples", a.samples, "a pixel; a power of two")->capture_default_str();
    command.add_option("--body", a.bodies, "a mesh to show in every tile");
    command.add_option("--hide", a.hidden, "a cloth or obstacle of the runs to leave out (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command.add_option("--labels", a.labels, "one a tile, with commas (default: names of the inputs)");
    command.add_option("--title", a.title, "over the sheet");
    command
        .add_option("--columns", a.columns,
                    "tiles in a row; as many as inputs: a row for each view (default: as fits)")
        ->check(CLI::Range(0, 100));
    command.add_flag("--captions", a.captions, "phase and material time on a picture, as in films");
    command.add_flag("--no-labels", a.no_labels, "no words at all");
    command.add_option("--ground", a.ground,
                       "height in m, or none (default: the run's level plane, or the lowest point)");
}

void add_colour_options(CLI::App& command, ColourArguments& a) {
    command.add_option("--colour-by", a.by,
                       "curvature, angle, angle-change, sharpness, plastic, anchor, stick-time, gap, "
                       "displacement");
    command.add_flag("--minus-first", a.minus_first, "show how much more there is than in the first input");
    command.add_option("--range", a.range, "ends of the colour scale, e.g. 0,50");
}

void add_moment_options(CLI::App& command, MomentArguments& a) {
    command.add_option("--frame", a.frame,
                       "frame of a cache or run; negative counts from the end (default: the last)");
    command.add_option("--at", a.at, "the last frame of this phase of a run");
}

void add_film_options(CLI::App& command, FilmArguments& a) {
    command.add_option("--fps", a.fps, "frames per second of a film (default: the run's own, real time)");
    command.add_option("--every", a.every, "only every N-th frame in a film")->check(CLI::Range(1, 100000));
    command
        .add_option("--align", a.align,
                    "how a film of several runs aligns them: by phase, or by frame number")
        ->check(CLI::IsMember({"phase", "frame"}))
        ->capture_default_str();
}

void add_plot_options(CLI::App& command, PlotArguments& a) {
    command.add_option("--plot", a.columns,
                       "draw curves instead of a picture: columns of metrics.csv, with commas; or timing");
    command.add_option("--over", a.over, "column along the plot's x axis")->capture_default_str();
}

std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t count) {
    std::vector<double> values;
    for (const std::string& part : split_at_commas(text)) {
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

// "960x720", or a height alone.
void set_size(PictureRequest& request, const std::string& text) {
    RenderSettings& settings = request.settings;
    const std::size_t cross = text.find('x');
    const bool height_alone = cross == std::string::npos;
    int* const sides[] = {&settings.width, &settings.height};
    const std::string parts[] = {text.substr(0, cross), height_alone ? text : text.substr(cross + 1)};
    for (std::size_t i = 0; i < 2; ++i) {
        const char* end = parts[i].data() + parts[i].size();
        const auto [stop, error] = std::from_chars(parts[i].data(), end, *sides[i]);
        if (error != std::errc() || stop != end)
            throw InputError("--size", fmt::format("'{}' is not a size", text),
                             "write it as 960x720, or a height alone: 720");
    }
    if (height_alone) request.fit_width = settings.height / 9 * 16;
}

std::vector<Shot> shots_of(const CameraArguments& a, const std::vector<RenderSource>& sources) {
    if (!a.from.empty()) {
        if (!a.views.empty() || !a.eye.empty() || !a.target.empty())
            throw InputError("--from", "it goes with neither --view nor --eye");
        const std::vector<double> angles = numbers("--from", a.from, 2);
        if (!(angles[1] > -90 && angles[1] <= 90))
            throw InputError("--from", "the elevation lies between -90 and 90 degrees");
        Shot shot{"view"};
        shot.from = ViewAngles{angles[0], angles[1]};
        return {shot};
    }
    if (a.eye.empty() && a.target.empty()) {
        if (!a.up.empty() || a.field_of_view != 0)
            throw InputError(a.up.empty() ? "--fov" : "--up", "it needs --eye and --target");
        std::vector<Shot> shots;
        for (const std::string& name : split_at_commas(a.views)) shots.push_back(shot_by_name(name, sources));
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

// A difference needs something to subtract from, and a measure.
ColourArguments checked(const ColourArguments& a, std::size_t inputs) {
    if (a.minus_first && (inputs < 2 || a.by.empty()))
        throw InputError("--minus-first", "there is nothing to subtract",
                         "give two inputs or more, and --colour-by");
    return a;
}

void set_colours(PictureRequest& request, const ColourArguments& a) {
    request.colour_by = a.by;
    request.minus_first = a.minus_first;
    if (a.range.empty()) return;
    const std::vector<double> ends = numbers("--range", a.range, 2);
    if (!(ends[1] > ends[0])) throw InputError("--range", "the upper end is not above the lower one");
    request.range = FieldRange{ends[0], ends[1]};
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

PictureRequest request_of(const RenderArguments& arguments, const std::vector<RenderSource>& sources) {
    const TileArguments& a = arguments.tile;
    PictureRequest request;
    request.shots = shots_of(arguments.camera, sources);
    request.light = light_by_name(a.light);
    if (sources.size() > 1 || request.shots.size() > 1)
        request.settings.width = request.settings.height = 560;
    if (!a.size.empty()) set_size(request, a.size);
    request.settings.samples = a.samples;
    request.frame_cloth = arguments.camera.fit == "cloth";
    request.follow = arguments.camera.follow;
    request.has_ground = a.ground != "none";
    if (request.has_ground && !a.ground.empty()) request.ground = numbers("--ground", a.ground, 1)[0];
    set_colours(request, checked(arguments.colour, sources.size()));
    request.labels = split_at_commas(a.labels);
    request.words = !a.no_labels;
    request.captions = a.captions;
    request.columns = a.columns;
    request.title = a.title;
    for (const std::string& path : a.bodies) request.bodies.push_back(body_from(path));
    return request;
}

Moment moment_of(const MomentArguments& a, const std::vector<RenderSource>& sources) {
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    if (!a.at.empty()) return at_end_of(sources, a.at);
    if (!a.frame) return at_frame(sources, frames - 1);
    const auto count = static_cast<long>(frames), frame = *a.frame < 0 ? count + *a.frame : long{*a.frame};
    if (frame < 0 || frame >= count)
        throw InputError("--frame", fmt::format("there is no frame {}", *a.frame),
                         fmt::format("the inputs have frames 0 to {}", count - 1));
    return at_frame(sources, static_cast<std::size_t>(frame));
}

void add_render_options(CLI::App& command, RenderArguments& a) {
    add_input_options(command, a);
    add_camera_options(command, a.camera);
    add_tile_options(command, a.tile);
    add_colour_options(command, a.colour);
    add_moment_options(command, a.moment);
    add_film_options(command, a.film);
    add_plot_options(command, a.plot);
}

}  // namespace rumple
