// Curves and bars with axes, units and legends, as SVG (for pages: it follows the reader's dark mode) or as a
// picture. One layout feeds both.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple_render/text.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

struct PlotAxis {
    std::string title, unit;
    bool logarithmic = false;                             // values that are not positive are left out
    std::optional<std::pair<double, double>> range = {};  // none: from the data
    std::vector<std::string> names = {};                  // written at 0, 1, 2, ... instead of numbers
};

struct Series {
    std::string name;          // in the legend; empty: not there
    std::vector<double> x, y;  // NaN breaks the line
    bool dashed = false;
    bool dots = false;  // measured points rather than a curve
};

struct Plot {
    std::string title;
    PlotAxis x, y;
    std::vector<Series> series;
    int width = 640, height = 420;  // of the SVG, in CSS pixels
};

// Parts of a whole, one bar for each row: seconds by part, for example.
struct BarPlot {
    std::string title, unit;
    std::vector<std::string> parts;  // the colours
    struct Row {
        std::string name;
        std::vector<double> values;  // one a part, >= 0
    };
    std::vector<Row> rows;
    int width = 640;
};

// InputError: no series, lengths of x and y that differ, nothing to draw, an empty range.
std::string plot_svg(const Plot& plot);
std::string plot_svg(const BarPlot& plot);
Picture plot_picture(const Plot& plot, const Font& font, double scale = 1);
Picture plot_picture(const BarPlot& plot, const Font& font, double scale = 1);

// By the extension: .svg or .png (twice as many pixels as the SVG has).
template <class AnyPlot>
void write_plot(const std::filesystem::path& path, const AnyPlot& plot);

}  // namespace rumple
