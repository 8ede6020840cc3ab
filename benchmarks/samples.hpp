// Medians and spread of repeated measurements. The median because other programs on the machine only ever add
// time.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace rumple {

class Samples {
  public:
    void add(double value) { values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value); }

    std::size_t count() const { return values_.size(); }
    double median() const { return quantile(0.5); }
    double min() const { return quantile(0); }
    double max() const { return quantile(1); }
    double mean() const {
        double sum = 0;
        for (const double v : values_) sum += v;
        return values_.empty() ? 0 : sum / static_cast<double>(values_.size());
    }
    // Linear between the two nearest samples; 0 when there is none.
    double quantile(double q) const {
        if (values_.empty()) return 0;
        const double place = q * static_cast<double>(values_.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values_.size() - 1);
        return values_[below] + (place - static_cast<double>(below)) * (values_[above] - values_[below]);
    }

  private:
    std::vector<double> values_;  // sorted
};

inline nlohmann::json to_json(const Samples& s) {
    return {{"median", s.median()},
            {"quartiles", {s.quantile(0.25), s.quantile(0.75)}},
            {"min", s.min()},
            {"max", s.max()},
            {"samples", s.count()}};
}

}  // namespace rumple
