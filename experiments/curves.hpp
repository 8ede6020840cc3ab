// The plots that people ask for: how a material remembers, how a run went, where its time went.
#pragma once

#include <experiments/plot.hpp>
#include <rumple/material/material.hpp>
#include <rumple_render/render_source.hpp>
#include <string>
#include <vector>

namespace rumple {

// Growth of friction's stick threshold with the time it has stuck (docs/theory; the paper's figure
// 2a).
Plot threshold_plot(const std::vector<Material>& materials, double seconds);
// Decay of the hardening ratio while a fold is held (docs/theory; the paper's figure 2b).
Plot hardening_plot(const std::vector<Material>& materials, double seconds);

// A column of metrics.csv for each source. `over` is another column, e.g. "time" or "material_time".
Plot metrics_plot(const std::vector<RenderSource>& sources, const std::vector<std::string>& columns,
                  const std::string& over);
// Milliseconds a step by part, from each run's timing.json. InputError: it counts no steps.
BarPlot timing_plot(const std::vector<RenderSource>& sources);

// Unit of a column of metrics.csv, empty where there is none.
std::string column_unit(const std::string& column);

}  // namespace rumple
