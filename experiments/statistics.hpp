// Means and their 95 % confidence intervals (Student's t), of a few values such as one a seed.
#pragma once

#include <cstddef>
#include <vector>

namespace rumple {

// The 0.975 quantile of Student's t: the half-width of a 95 % interval in standard errors.
double student_quantile(std::size_t degrees_of_freedom);

struct Interval {
    double low = 0, high = 0;
};

struct MeanEstimate {
    double mean = 0;
    double standard_error = 0;  // 0 for a single value
    Interval interval;          // of 95 %; a single value has none: -inf to inf
};
// Of no values: NaN.
MeanEstimate estimate_mean(const std::vector<double>& values);

}  // namespace rumple
