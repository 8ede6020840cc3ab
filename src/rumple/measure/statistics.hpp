// Means and percentiles of a list of numbers. Of an empty list all are 0: a cloth without hinges has no
// wrinkles.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace rumple {

inline double mean(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / double(values.size());
}

inline double root_mean_square(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return values.empty() ? 0 : std::sqrt(sum / double(values.size()));
}

// Percentile by linear interpolation: of the n values in ascending order, numbered from 0, the one at the
// place percent/100 (n - 1), between two numbers their weighted mean. percent in [0, 100].
inline double percentile(std::vector<double> values, double percent) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double place = percent / 100 * double(values.size() - 1), below = std::floor(place);
    const auto i = std::size_t(below);
    if (i + 1 >= values.size()) return values.back();
    return values[i] + (place - below) * (values[i + 1] - values[i]);
}

}  // namespace rumple
