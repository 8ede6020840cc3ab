// What `collect` makes of a sweep: results.csv, a contact sheet, plots, and one page with all of them.
#pragma once

#include <experiments/sweep_plot.hpp>
#include <filesystem>
#include <rumple_farm/farm_folder.hpp>
#include <rumple_farm/results.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

struct SweepReportOptions {
    std::vector<std::pair<std::string, std::string>> plots;  // measure, key; empty: default_sweep_plots()
    int max_tiles = 24;                                      // of the contact sheet; 0: none
    int threads = 0;
};

// Writes into the folder of the sweep, and returns the page's path. InputError: a plot of a column that there
// is not; nothing was written then.
std::filesystem::path write_sweep_report(const std::filesystem::path& out, const farm::Plan& plan,
                                         const farm::ResultTable& table, const SweepReportOptions& options);

}  // namespace rumple
