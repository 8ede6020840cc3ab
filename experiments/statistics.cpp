#include <algorithm>
#include <cmath>
#include <experiments/statistics.hpp>
#include <iterator>
#include <limits>

namespace rumple {
namespace {

// Quantiles 0.975 of Student's t for 1, 2, ... degrees of freedom (any textbook's table).
constexpr double kStudent[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                               2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

// The table, then the expansion about the normal distribution (Abramowitz and Stegun, Handbook of
// Mathematical Functions, 26.7.5).
double student_quantile(std::size_t degrees_of_freedom) {
    if (degrees_of_freedom == 0) return kInfinity;
    if (degrees_of_freedom <= std::size(kStudent)) return kStudent[degrees_of_freedom - 1];
    constexpr double z = 1.959964;
    const double v = static_cast<double>(degrees_of_freedom);
    return z + (std::pow(z, 3) + z) / (4 * v) +
           (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * v * v);
}

MeanEstimate estimate_mean(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    MeanEstimate e;
    for (const double v : values) e.mean += v / n;
    if (values.empty()) e.mean = std::numeric_limits<double>::quiet_NaN();
    e.interval = {-kInfinity, kInfinity};
    if (values.size() < 2) return e;
    if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) {
        e.mean = std::numeric_limits<double>::quiet_NaN();
        e.interval = {e.mean, e.mean};
        return e;
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low == *high) {  // also where they are infinite
        e.mean = *low;
        e.interval = {*low, *low};
        return e;
    }
    double squares = 0;
    for (const double v : values) squares += (v - e.mean) * (v - e.mean);
    e.standard_error = std::sqrt(squares / (n - 1) / n);
    const double half = student_quantile(values.size() - 1) * e.standard_error;
    e.interval = {e.mean - half, e.mean + half};
    return e;
}

}  // namespace rumple
