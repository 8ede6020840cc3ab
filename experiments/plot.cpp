#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/plot.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/drawing.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet.hpp>

namespace rumple {

namespace {

constexpr double kText = 13, kTitle = 15;
constexpr double kLegendShare = 0.25, kLegendRow = 20;  // of the width; px
constexpr double kNameRow = 16;                         // px
constexpr std::size_t kFewPoints = 12;

bool drawable(double v, const PlotAxis& axis) { return std::isfinite(v) && (!axis.logarithmic || v > 0); }

// An axis with its data's range made round, and where its ticks stand.
struct AxisScale {
    double low = 0, high = 1;  // of the value, or of its decimal logarithm
    bool logarithmic = false;
    std::vector<double> ticks;       // values
    std::vector<std::string> names;  // of the ticks, instead of their values

    double place(double value) const {
        return ((logarithmic ? std::log10(value) : value) - low) / (high - low);
    }
};

// Each name has a place of its own.
AxisScale named_scale(const PlotAxis& axis) {
    AxisScale scale;
    scale.low = -0.5, scale.high = static_cast<double>(axis.names.size()) - 0.5;
    scale.names = axis.names;
    for (std::size_t i = 0; i < axis.names.size(); ++i) scale.ticks.push_back(static_cast<double>(i));
    return scale;
}

AxisScale make_scale(const PlotAxis& axis, const std::vector<double>& values, const std::string& plot) {
    if (!axis.names.empty()) return named_scale(axis);
    AxisScale scale;
    scale.logarithmic = axis.logarithmic;
    double low = 1e300, high = -1e300;
    for (const double v : values)
        if (drawable(v, axis)) low = std::min(low, v), high = std::max(high, v);
    if (axis.range) {
        low = axis.range->first, high = axis.range->second;
        if (!(high > low) || !drawable(low, axis))
            throw InputError(plot, fmt::format("the range {} to {} of '{}' is empty", low, high, axis.title));
    }
    if (!(high >= low))
        throw InputError(plot, fmt::format("there is no value to draw along '{}'", axis.title));
    if (axis.logarithmic) {
        scale.low = axis.range ? std::log10(low) : std::floor(std::log10(low) + 1e-9);
        scale.high = axis.range ? std::log10(high) : std::ceil(std::log10(high) - 1e-9);
        if (!(scale.high > scale.low)) scale.high = scale.low + 1;
        const double step = std::max(1.0, std::ceil((scale.high - scale.low) / 8));
        for (double k = std::ceil(scale.low - 1e-9); k <= scale.high + 1e-9; k += step)
            for (const double digit : {1.0, 2.0, 5.0})
                if (digit == 1 || (scale.high - scale.low <= 2 && k < scale.high))
                    scale.ticks.push_back(digit * std::pow(10, k));
        return scale;
    }
    if (high == low) high += std::max(1.0, std::abs(high)) * 0.5, low -= std::max(1.0, std::abs(low)) * 0.5;
    if (!axis.range) {
        if (low > 0 && low < 0.4 * high) low = 0;
        if (high < 0 && high > 0.4 * low) high = 0;
    }
    std::vector<double> ticks = tick_values(low, high, 6);
    if (!axis.range && ticks.size() > 1) {  // ends on ticks
        const double step = ticks[1] - ticks[0];
        low = std::floor(low / step + 1e-9) * step;
        high = std::ceil(high / step - 1e-9) * step;
        ticks = tick_values(low, high, int(std::lround((high - low) / step)));
    }
    scale.low = low, scale.high = high, scale.ticks = ticks;
    return scale;
}

std::string axis_words(const PlotAxis& axis) {
    return axis.unit.empty() ? axis.title : fmt::format("{} [{}]", axis.title, printed_unit(axis.unit));
}

// A rough width, for layout: the two forms measure text differently.
double rough_width(const std::string& text, double size) { return 0.6 * size * double(text.size()); }

std::string tick_text(const AxisScale& scale, double value) {
    if (!scale.names.empty()) return scale.names[static_cast<std::size_t>(std::lround(value))];
    if (!scale.logarithmic) return short_number(value);
    const double power = std::log10(value);
    return (power >= -2.5 && power <= 4.5) || scale.high - scale.low <= 2
               ? short_number(value)
               : fmt::format("1e{}", std::lround(power));
}

// Names that would touch each other along x stand in several rows.
int rows_of_names(const AxisScale& x, double width) {
    double widest = 0;
    for (const std::string& name : x.names) widest = std::max(widest, rough_width(name, kText) + 8);
    const double place = width / std::max(1.0, static_cast<double>(x.names.size()));
    return std::clamp(static_cast<int>(std::ceil(widest / place)), 1, 4);
}

struct Box {
    double left, top, right, bottom;
    int name_rows = 1;  // under the axis
    double below_names() const { return bottom + kNameRow * (name_rows - 1); }
    Vec2d at(double u, double v) const { return {left + u * (right - left), bottom - v * (bottom - top)}; }
};

void draw_axes(Drawing& d, const Box& box, const Plot& plot, const AxisScale& x, const AxisScale& y) {
    const Pen grid{Ink::grid, 0, 1, false}, axis{Ink::axis, 0, 1, false};
    int row = 0;
    for (const double tick : x.ticks) {
        const double u = x.place(tick);
        if (u < -1e-9 || u > 1 + 1e-9) continue;
        d.strokes.push_back({{box.at(u, 0), box.at(u, 1)}, grid});
        d.words.push_back(
            {box.at(u, 0) + Vec2d{0, 18 + kNameRow * row}, tick_text(x, tick), kText, Anchor::middle, false});
        row = (row + 1) % box.name_rows;
    }
    for (const double tick : y.ticks) {
        const double v = y.place(tick);
        if (v < -1e-9 || v > 1 + 1e-9) continue;
        d.strokes.push_back({{box.at(0, v), box.at(1, v)}, grid});
        d.words.push_back({box.at(0, v) + Vec2d{-7, 4.5}, tick_text(y, tick), kText, Anchor::end, false});
    }
    d.strokes.push_back({{box.at(0, 1), box.at(0, 0), box.at(1, 0)}, axis});
    d.words.push_back({{(box.left + box.right) / 2, box.below_names() + 42},
                       axis_words(plot.x),
                       kText,
                       Anchor::middle,
                       false});
    d.words.push_back({{18, (box.top + box.bottom) / 2}, axis_words(plot.y), kText, Anchor::middle, true});
    if (!plot.title.empty())
        d.words.push_back({{d.width / 2.0, 24}, plot.title, kTitle, Anchor::middle, false});
}

// The part of a segment inside of the unit square; false when there is none.
bool clip(Vec2d& a, Vec2d& b) {
    double t0 = 0, t1 = 1;
    const Vec2d d = b - a;
    for (const auto& [from, along] : {std::pair{a.x, d.x}, std::pair{a.y, d.y}}) {
        if (along == 0) {
            if (from < 0 || from > 1) return false;
            continue;
        }
        const double enter = (along > 0 ? 0 - from : 1 - from) / along,
                     leave = (along > 0 ? 1 - from : 0 - from) / along;
        t0 = std::max(t0, enter), t1 = std::min(t1, leave);
    }
    if (t0 > t1) return false;
    b = a + t1 * d;
    a = a + t0 * d;
    return true;
}

void draw_series(Drawing& d, const Box& box, const Plot& plot, const Series& series, int colour,
                 const AxisScale& x, const AxisScale& y) {
    const Pen pen{Ink::curve, colour, 2, series.dashed};
    std::vector<Vec2d> line;
    const auto flush = [&] {
        if (line.size() > 1) d.strokes.push_back({line, pen});
        line.clear();
    };
    std::optional<Vec2d> last;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!drawable(series.x[i], plot.x) || !drawable(series.y[i], plot.y)) {
            flush();
            last.reset();
            continue;
        }
        const Vec2d p{x.place(series.x[i]), y.place(series.y[i])};
        const bool inside = p.x >= -1e-9 && p.x <= 1 + 1e-9 && p.y >= -1e-9 && p.y <= 1 + 1e-9;
        if (series.dots) {
            if (inside) d.dots.push_back({box.at(p.x, p.y), 3.5, colour});
        } else if (last) {
            Vec2d a = *last, b = p;
            if (clip(a, b)) {
                const Vec2d from = box.at(a.x, a.y);
                if (line.empty() || norm(line.back() - from) > 1e-6) flush(), line.push_back(from);
                line.push_back(box.at(b.x, b.y));
            }
        }
        last = p;
    }
    flush();
    // So few points that the reader wants to see which were measured.
    if (!series.dots && series.x.size() <= kFewPoints)
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!drawable(series.x[i], plot.x) || !drawable(series.y[i], plot.y)) continue;
            const double u = x.place(series.x[i]), v = y.place(series.y[i]);
            if (u >= 0 && u <= 1 && v >= 0 && v <= 1) d.dots.push_back({box.at(u, v), 3, colour});
        }
}

// Names of curves: at the right of the axes or, where they would take too much of the width, below.
struct LegendPlace {
    double width = 0;  // of the longest entry; 0: no legend
    int columns = 1, rows = 0;
    bool below = false;
};

LegendPlace place_legend(const Plot& plot) {
    LegendPlace place;
    int entries = 0;
    for (const Series& s : plot.series) {
        if (s.name.empty()) continue;
        place.width = std::max(place.width, 55 + rough_width(s.name, kText));
        ++entries;
    }
    place.below = place.width > kLegendShare * plot.width;
    if (place.below)
        place.columns = std::clamp(int((plot.width - 40) / place.width), 1, std::max(1, entries));
    place.rows = (entries + place.columns - 1) / place.columns;
    return place;
}

void draw_legend(Drawing& d, const Box& box, const LegendPlace& place, const std::vector<Series>& series) {
    int entry = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].name.empty()) continue;
        const int column = entry % place.columns, row = entry / place.columns;
        const double x = place.below ? 20 + column * place.width : box.right + 16,
                     y = (place.below ? box.below_names() + 64 : box.top + 8) + kLegendRow * row;
        if (series[i].dots)
            d.dots.push_back({{x + 11, y}, 3.5, int(i)});
        else
            d.strokes.push_back({{{x, y}, {x + 22, y}}, {Ink::curve, int(i), 2, series[i].dashed}});
        d.words.push_back({{x + 29, y + 4.5}, series[i].name, kText, Anchor::start, false});
        ++entry;
    }
}

Drawing layout(const Plot& plot) {
    const std::string name = plot.title.empty() ? "plot" : plot.title;
    if (plot.series.empty()) throw InputError(name, "the plot has no curves");
    std::vector<double> xs, ys;
    for (const Series& s : plot.series) {
        if (s.x.size() != s.y.size())
            throw InputError(
                name, fmt::format("curve '{}' has {} x and {} y values", s.name, s.x.size(), s.y.size()));
        for (std::size_t i = 0; i < s.x.size(); ++i)
            if (drawable(s.x[i], plot.x) && drawable(s.y[i], plot.y))
                xs.push_back(s.x[i]), ys.push_back(s.y[i]);
    }
    const AxisScale x = make_scale(plot.x, xs, name), y = make_scale(plot.y, ys, name);
    double widest = 0;
    for (const double tick : y.ticks) widest = std::max(widest, rough_width(tick_text(y, tick), kText));
    Drawing d;
    const LegendPlace legend = place_legend(plot);
    Box box{38 + widest, plot.title.empty() ? 16.0 : 42.0,
            plot.width - 22 - (legend.below ? 0 : legend.width), plot.height - 52.0};
    box.name_rows = rows_of_names(x, box.right - box.left);
    d.width = plot.width;
    d.height = int(box.below_names()) + 52 + (legend.below ? int(kLegendRow) * legend.rows + 6 : 0);
    draw_axes(d, box, plot, x, y);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        draw_series(d, box, plot, plot.series[i], int(i), x, y);
    draw_legend(d, box, legend, plot.series);
    return d;
}

Drawing layout(const BarPlot& plot) {
    const std::string name = plot.title.empty() ? "plot" : plot.title;
    double longest = 0, names = 0;
    for (const auto& row : plot.rows) {
        if (row.values.size() != plot.parts.size())
            throw InputError(name, fmt::format("row '{}' has {} values for {} parts", row.name,
                                               row.values.size(), plot.parts.size()));
        double sum = 0;
        for (const double v : row.values) sum += std::max(0.0, v);
        longest = std::max(longest, sum);
        names = std::max(names, rough_width(row.name, kText));
    }
    if (!(longest > 0)) throw InputError(name, "there is nothing to draw");
    Drawing d;
    const double top = plot.title.empty() ? 12 : 42, row_height = 30;
    d.width = plot.width;
    d.height =
        int(top + row_height * double(plot.rows.size()) + 48 + 24 * std::ceil(double(plot.parts.size()) / 4));
    const double left = 16 + names, right = plot.width - 24,
                 bottom = top + row_height * double(plot.rows.size());
    const PlotAxis axis{"", plot.unit, false, {}};
    const AxisScale scale = make_scale(axis, {0, longest}, name);
    for (const double tick : scale.ticks) {
        const double x = left + scale.place(tick) * (right - left);
        d.strokes.push_back({{{x, top}, {x, bottom}}, {Ink::grid, 0, 1, false}});
        const bool last = tick == scale.ticks.back();
        d.words.push_back({{x, bottom + 18},
                           last ? fmt::format("{} {}", short_number(tick), plot.unit) : short_number(tick),
                           kText,
                           last ? Anchor::end : Anchor::middle,
                           false});
    }
    for (std::size_t r = 0; r < plot.rows.size(); ++r) {
        const double y = top + row_height * double(r) + 5;
        double from = 0;
        for (std::size_t p = 0; p < plot.parts.size(); ++p) {
            const double value = std::max(0.0, plot.rows[r].values[p]);
            const double x0 = left + scale.place(from) * (right - left),
                         x1 = left + scale.place(from + value) * (right - left);
            if (value > 0) d.bars.push_back({{x0, y}, {x1 - x0, row_height - 10}, int(p)});
            from += value;
        }
        d.words.push_back({{left - 8, y + 15}, plot.rows[r].name, kText, Anchor::end, false});
    }
    for (std::size_t p = 0; p < plot.parts.size(); ++p) {
        const double x = 16 + double(p % 4) * (plot.width - 32) / 4.0,
                     y = bottom + 36 + 24 * std::floor(double(p) / 4);
        d.bars.push_back({{x, y}, {12, 12}, int(p)});
        d.words.push_back({{x + 18, y + 11}, plot.parts[p], kText, Anchor::start, false});
    }
    if (!plot.title.empty())
        d.words.push_back({{d.width / 2.0, 24}, plot.title, kTitle, Anchor::middle, false});
    return d;
}

}  // namespace

std::string plot_svg(const Plot& plot) { return to_svg(layout(plot), plot.title); }
std::string plot_svg(const BarPlot& plot) { return to_svg(layout(plot), plot.title); }
Picture plot_picture(const Plot& plot, const Font& font, double scale) {
    return to_picture(layout(plot), font, scale);
}
Picture plot_picture(const BarPlot& plot, const Font& font, double scale) {
    return to_picture(layout(plot), font, scale);
}

template <class AnyPlot>
void write_plot(const std::filesystem::path& path, const AnyPlot& plot) {
    if (path.extension() == ".svg") return write_atomically(path, plot_svg(plot));
    if (path.extension() == ".png") return write_png(path, plot_picture(plot, Font(), 2));
    throw InputError(path.string(), "plots are written as .svg or .png");
}
template void write_plot(const std::filesystem::path&, const Plot&);
template void write_plot(const std::filesystem::path&, const BarPlot&);

}  // namespace rumple
