#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/curves.hpp>
#include <experiments/statistics.hpp>
#include <experiments/sweep_plot.hpp>
#include <map>
#include <rumple/material/material.hpp>
#include <string_view>
#include <unordered_set>

namespace rumple {
namespace {

constexpr std::size_t kMaxCurves = 8, kMaxNames = 12, kMaxPlots = 8;
constexpr double kWideRange = 30;  // the largest over the smallest value: a logarithmic axis

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

// The values of the key along the axis: numbers, or names that stand for 0, 1, 2...
struct KeyAxis {
    PlotAxis axis;
    std::vector<double> x;  // of each row
    double cap = 0;         // half the width of an interval's end, in the axis's own terms
    bool names = false;     // nothing lies between two values: no line joins them
};

// Of the keys that sweeps vary most; "" for others.
std::string key_unit(const std::string& key) {
    static const std::map<std::string, std::string> units{
        {"hold", "s"}, {"duration", "s"}, {"h", "s"}, {"edge", "m"}};
    if (const auto found = units.find(last_part(key)); found != units.end()) return found->second;
    constexpr std::string_view kMaterial = ".material.";
    const std::size_t at = key.find(kMaterial);
    if (at != std::string::npos)
        for (const MaterialField& field : material_fields())
            if (field.key == key.substr(at + kMaterial.size())) return field.unit;
    return "";
}

// As long as fits below an axis; a value may be a whole object.
std::string short_name(std::string name) {
    constexpr std::size_t kLongest = 28;
    if (name.size() <= kLongest) return name;
    std::size_t end = kLongest - 3;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // whole characters
    return name.substr(0, end) + "...";
}

KeyAxis key_axis(const farm::ResultTable& table, const std::string& key) {
    KeyAxis along;
    along.axis.title = last_part(key);
    along.axis.unit = key_unit(key);
    along.x = table.numbers(key);
    std::vector<double> different = along.x;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    const bool numbers = std::none_of(along.x.begin(), along.x.end(), [](double v) { return std::isnan(v); });
    const bool wide = numbers && different.back() > kWideRange * std::abs(different.front());
    if (numbers && (!wide || different.front() > 0 || different.size() > kMaxNames)) {
        along.axis.logarithmic = wide && different.front() > 0;
        along.cap = along.axis.logarithmic ? 0.02 * std::log(different.back() / different.front())
                                           : 0.008 * (different.back() - different.front());
        return along;
    }
    // Names, or numbers over many decades with a zero among them: each gets a place of its own.
    const std::vector<std::string> cells = table.text(key);
    std::vector<std::string> names;
    if (numbers)
        for (const double v : different)
            names.push_back(cells[static_cast<std::size_t>(std::find(along.x.begin(), along.x.end(), v) -
                                                           along.x.begin())]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto found = std::find(names.begin(), names.end(), cells[i]);
        along.x[i] = static_cast<double>(found - names.begin());
        if (found == names.end()) names.push_back(cells[i]);
    }
    along.names = !numbers;
    for (const std::string& name : names) along.axis.names.push_back(short_name(name));
    along.cap = 0.028;
    return along;
}

// A curve and the intervals of its points, as one series: lines end where a value is missing.
class CurveWithIntervals {
  public:
    CurveWithIntervals(std::string name, const KeyAxis& along, bool joined) : along_(along), joined_(joined) {
        series_.name = std::move(name);
    }

    void add(double x, double mean, double half) {
        if (joined_) {
            series_.x.push_back(x);
            series_.y.push_back(mean);
        } else {
            stroke(around(x, 1.5), {mean, mean});
        }
        if (!(half > 0)) return;
        stroke(around(x, 1), {mean - half, mean - half});
        stroke({x, x}, {mean - half, mean + half});
        stroke(around(x, 1), {mean + half, mean + half});
    }
    Series take() {
        series_.x.insert(series_.x.end(), bars_x_.begin(), bars_x_.end());
        series_.y.insert(series_.y.end(), bars_y_.begin(), bars_y_.end());
        return std::move(series_);
    }

  private:
    std::pair<double, double> around(double x, double caps) const {
        const double cap = caps * along_.cap;
        return along_.axis.logarithmic ? std::pair(x * std::exp(-cap), x * std::exp(cap))
                                       : std::pair(x - cap, x + cap);
    }
    void stroke(std::pair<double, double> x, std::pair<double, double> y) {
        const double gap = std::nan("");
        bars_x_.insert(bars_x_.end(), {gap, x.first, x.second});
        bars_y_.insert(bars_y_.end(), {gap, y.first, y.second});
    }

    const KeyAxis& along_;
    bool joined_;
    Series series_;
    std::vector<double> bars_x_, bars_y_;
};

// What the keys other than the one plotted and the seed are in each row: the name of its curve.
std::vector<std::string> curve_names(const farm::ResultTable& table, const std::string& key) {
    std::vector<std::string> names(table.rows.size());
    for (const std::string& other : table.keys) {
        if (other == key || other == table.seed_key) continue;
        const std::vector<std::string> cells = table.text(other);
        if (std::all_of(cells.begin(), cells.end(), [&](const auto& c) { return c == cells.front(); }))
            continue;
        const bool number = !std::isnan(table.numbers(other).front());
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] += (names[i].empty() ? "" : ", ") + (number ? last_part(other) + " " : "") + cells[i];
    }
    return names;
}

// Too many combinations of the other keys for a curve each: the mean and the interval of each, without lines.
Series unjoined(const KeyAxis& along, const std::vector<std::string>& names, const std::vector<double>& y) {
    std::map<std::pair<double, std::string>, std::vector<double>> samples;
    for (std::size_t i = 0; i < y.size(); ++i)
        if (!std::isnan(y[i])) samples[{along.x[i], names[i]}].push_back(y[i]);
    CurveWithIntervals all("", along, false);
    for (const auto& [place, values] : samples)
        all.add(place.first, estimate_mean(values).mean, confidence_half_interval(values));
    return all.take();
}

}  // namespace

double confidence_half_interval(const std::vector<double>& values) {
    return values.size() < 2 ? 0 : student_quantile(values.size() - 1) * estimate_mean(values).standard_error;
}

Plot sweep_plot(const farm::ResultTable& table, const std::string& measure, const std::string& key) {
    const std::vector<double> y = table.numbers(measure);
    const KeyAxis along = key_axis(table, key);
    std::vector<std::string> names = curve_names(table, key), different;
    for (const std::string& name : names)
        if (std::find(different.begin(), different.end(), name) == different.end()) different.push_back(name);
    Plot plot;
    plot.x = along.axis;
    plot.y = {last_part(measure), column_unit(last_part(measure)), false, {}};
    plot.title = fmt::format("{} against {}", last_part(measure), key);
    if (different.size() > kMaxCurves) {
        plot.series.push_back(table.seed_key.empty() ? Series{"", along.x, y, false, true}
                                                     : unjoined(along, names, y));
        return plot;
    }
    for (std::size_t c = 0; c < different.size(); ++c) {
        const std::string& name = different[c];
        // Curves that are not joined stand side by side.
        const double aside = along.names ? 0.09 * (double(c) - 0.5 * double(different.size() - 1)) : 0;
        std::map<double, std::vector<double>> samples;  // by x
        for (std::size_t i = 0; i < y.size(); ++i)
            if (names[i] == name && !std::isnan(y[i])) samples[along.x[i]].push_back(y[i]);
        CurveWithIntervals curve(name, along, !along.names);
        for (const auto& [x, values] : samples)
            curve.add(x + aside, estimate_mean(values).mean, confidence_half_interval(values));
        plot.series.push_back(curve.take());
    }
    return plot;
}

std::vector<std::pair<std::string, std::string>> default_sweep_plots(const farm::ResultTable& table) {
    std::vector<std::string> keys, varied;
    for (const std::string& key : table.keys) {
        if (key == table.seed_key) continue;
        keys.push_back(key);
        if (values_of_key(table, key).size() > 1) varied.push_back(key);
    }
    if (varied.empty()) varied = keys;
    std::vector<std::pair<std::string, std::string>> plots;
    for (const char* wanted : {"bending_content", "recovery"})
        for (const std::string& measure : table.measures) {
            if (last_part(measure) != wanted) continue;
            for (const std::string& key : varied)
                if (plots.size() < kMaxPlots) plots.emplace_back(measure, key);
        }
    if (plots.empty() && !table.measures.empty() && !table.keys.empty())
        plots.emplace_back(table.measures.front(), table.keys.front());
    return plots;
}

std::vector<std::string> values_of_key(const farm::ResultTable& table, const std::string& key) {
    std::vector<std::string> values;
    std::unordered_set<std::string> met;
    for (std::string& cell : table.text(key))
        if (met.insert(cell).second) values.push_back(std::move(cell));
    return values;
}

}  // namespace rumple
