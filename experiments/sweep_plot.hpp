// Plots of a sweep: any measure against any key, with intervals over the seeds.
#pragma once

#include <experiments/plot.hpp>
#include <rumple_farm/results.hpp>
#include <string>
#include <vector>

namespace rumple {

// Half of the 95 % confidence interval of the mean (Student's t). 0 for fewer than two values.
double confidence_half_interval(const std::vector<double>& values);

// The mean of `measure` over the seeds, against `key`: one curve for each combination of the other keys.
// Where these are too many, as in a random sample, every point is a dot. InputError: no such column, or no
// numbers.
Plot sweep_plot(const farm::ResultTable& table, const std::string& measure, const std::string& key);

// What a report shows unless it is asked for something else: the bending content and the recovery, where
// there is one, against each key that varies, but not against the seed.
std::vector<std::pair<std::string, std::string>> default_sweep_plots(const farm::ResultTable& table);

// The different values of a key, in the order of the rows.
std::vector<std::string> values_of_key(const farm::ResultTable& table, const std::string& key);

}  // namespace rumple
