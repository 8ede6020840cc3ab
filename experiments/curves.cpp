#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/curves.hpp>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>

namespace rumple {

namespace {

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

}  // namespace

std::string column_unit(const std::string& column) {
    const std::string name =
        column.substr(column.rfind('.') == std::string::npos ? 0 : column.rfind('.') + 1);
    static const std::map<std::string, std::string> units{{"time", "s"},           {"material_time", "s"},
                                                          {"kinetic_energy", "J"}, {"potential_energy", "J"},
                                                          {"force", "N"},          {"torque", "N m"}};
    if (const auto found = units.find(name); found != units.end()) return found->second;
    WrinkleMeasures all;
    all.roughness = all.crease_density = all.anchor_rms = 0;
    for (const MeasureEntry& entry : entries(all))
        if (entry.name == name) return std::string(entry.unit);
    return "";
}

Plot metrics_plot(const std::vector<RenderSource>& sources, const std::vector<std::string>& columns,
                  const std::string& over) {
    Plot plot;
    plot.x = {spaced(over), column_unit(over), false, {}};
    plot.y = {columns.size() == 1 ? spaced(columns[0]) : "",
              columns.empty() ? "" : column_unit(columns[0]),
              false,
              {}};
    for (const RenderSource& source : sources) {
        if (!source.archive())
            throw InputError(source.label(), "only runs have metrics to plot", "give the folder of a run");
        const CsvTable table = source.archive()->metrics();
        for (const std::string& column : columns) {
            if (column_unit(column) != plot.y.unit)
                throw InputError("plot",
                                 fmt::format("{} is in [{}] and {} in [{}]", columns[0], plot.y.unit, column,
                                             column_unit(column)),
                                 "one plot has one unit");
            Series& series = plot.series.emplace_back();
            series.name = columns.size() == 1   ? source.label()
                          : sources.size() == 1 ? spaced(column)
                                                : fmt::format("{}, {}", source.label(), spaced(column));
            series.x = table.numbers(over);
            series.y = table.numbers(column);
        }
    }
    if (plot.series.size() == 1) plot.series[0].name.clear();
    return plot;
}

BarPlot timing_plot(const std::vector<RenderSource>& sources) {
    BarPlot plot{"Time of a step by part",
                 "ms",
                 {"evaluate", "assemble", "solve", "advance", "contact", "output", "other"},
                 {},
                 640};
    bool touches = false;
    for (const RenderSource& source : sources) {
        if (!source.archive())
            throw InputError(source.label(), "only runs have a timing", "give the folder of a run");
        const TimingReport report = source.archive()->timing();
        const RunTiming& t = report.timing;
        const auto steps = static_cast<double>(report.counts.steps);
        if (!(steps > 0))
            throw InputError(source.archive()->layout().timing().string(), "it has no steps",
                             "run the scene again");
        const double contact = t.step.contact_broad + t.step.contact_narrow + t.step.contact_response;
        const double named =
            t.step.evaluate + t.step.assemble + t.step.solve + t.step.advance + contact + t.output;
        plot.rows.push_back({source.label(),
                             {t.step.evaluate, t.step.assemble, t.step.solve, t.step.advance, contact,
                              t.output, std::max(0.0, t.total - named)}});
        for (double& seconds : plot.rows.back().values) seconds *= 1e3 / steps;
        touches = touches || contact > 0;
    }
    if (touches) return plot;
    constexpr std::ptrdiff_t kContact = 4;
    plot.parts.erase(plot.parts.begin() + kContact);
    for (auto& row : plot.rows) row.values.erase(row.values.begin() + kContact);
    return plot;
}

}  // namespace rumple
