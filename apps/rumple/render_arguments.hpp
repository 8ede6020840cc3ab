// The options of `rumple render`, by what they are about.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <rumple_render/sheet_renderer.hpp>
#include <string>
#include <vector>

namespace rumple {

struct CameraArguments {
    std::string views, from, fit = "all", eye, target, up;
    double field_of_view = 0;
    bool follow = false;
};

struct TileArguments {
    std::string light = "studio", look, size, labels, title, ground;
    std::vector<std::string> bodies, hidden;
    int samples = RenderSettings{}.samples, columns = 0;
    bool no_labels = false, captions = false;
};

struct ColourArguments {
    std::string by, range;
    bool minus_first = false;
};

struct MomentArguments {
    std::optional<int> frame;
    std::string at;
};

struct FilmArguments {
    double fps = 0;
    int every = 1;
    std::string align = "phase";
};

struct PlotArguments {
    std::string columns, over = "material_time";
};

struct RenderArguments {
    std::vector<std::string> inputs;
    std::string out;
    int threads = 0;
    bool quiet = false;
    CameraArguments camera;
    TileArguments tile;
    ColourArguments colour;
    MomentArguments moment;
    FilmArguments film;
    PlotArguments plot;
};

void add_render_options(CLI::App& command, RenderArguments& arguments);

std::vector<std::string> split_at_commas(const std::string& text);

// What the options ask for. InputError, naming the option: it cannot be read, or does not go with others.
PictureRequest request_of(const RenderArguments& arguments, const std::vector<RenderSource>& sources);
// The moment that a picture shows: the last frames, unless the options name another.
Moment moment_of(const MomentArguments& arguments, const std::vector<RenderSource>& sources);

}  // namespace rumple
