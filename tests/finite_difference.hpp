// Central differences with their observed order of convergence.
//
// A wrong derivative differs from a difference quotient by an amount that stays as the step shrinks; a right
// one differs by O(step^2). So the tests look at the order, not at a tolerance that somebody chose: halving
// the step must quarter the error, until rounding takes over. Where the function is a polynomial of degree
// two, central differences are exact and only the rounding floor is seen.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace rumple {

struct DifferenceReport {
    double errors[3]{};    // of the quotient at step, step/2, step/4
    double floor[3]{};     // what rounding alone may cause there
    double order = 0;      // smaller of the two observed orders; 2 is right
    bool at_floor = true;  // every error is rounding

    bool right() const { return at_floor || (order > 1.8 && order < 2.6); }
};

// f: double -> std::vector<double>, differentiated at t = 0; `exact` is the claimed derivative there. Errors
// are Euclidean norms. Rounding of f is taken as `rounding` times the largest |f| met, which is right for
// functions without cancellation; raise it where f itself is a small difference.
template <class F>
DifferenceReport difference_report(const F& f, const std::vector<double>& exact, double step,
                                   double rounding = 64 * std::numeric_limits<double>::epsilon()) {
    DifferenceReport report;
    for (int i = 0; i < 3; ++i) {
        const double h = step / (1 << i);
        const std::vector<double> plus = f(h), minus = f(-h);
        double size = 0, error2 = 0, exact2 = 0;
        for (std::size_t c = 0; c < exact.size(); ++c) {
            size = std::max({size, std::abs(plus[c]), std::abs(minus[c])});
            const double error = (plus[c] - minus[c]) / (2 * h) - exact[c];
            error2 += error * error;
            exact2 += exact[c] * exact[c];
        }
        report.errors[i] = std::sqrt(error2);
        report.floor[i] = rounding * (size / h + std::sqrt(exact2));
        if (!(report.errors[i] <= report.floor[i])) report.at_floor = false;
    }
    report.order = std::log2(report.errors[0] / report.errors[1]);
    if (report.errors[2] > report.floor[2])
        report.order = std::min(report.order, std::log2(report.errors[1] / report.errors[2]));
    return report;
}

// The same for f: double -> double.
template <class F>
DifferenceReport scalar_difference_report(const F& f, double exact, double step,
                                          double rounding = 64 * std::numeric_limits<double>::epsilon()) {
    return difference_report([&f](double t) { return std::vector<double>{f(t)}; }, {exact}, step, rounding);
}

// For EXPECT_TRUE(is_derivative(...)): says the orders and errors when it fails.
inline testing::AssertionResult is_derivative(const DifferenceReport& r) {
    if (r.right()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "observed order " << r.order << ", errors " << r.errors[0] << ", "
                                       << r.errors[1] << ", " << r.errors[2] << " over rounding floors "
                                       << r.floor[0] << ", " << r.floor[1] << ", " << r.floor[2];
}

}  // namespace rumple
