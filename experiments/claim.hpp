// A claim of the paper, turned into a number and judged. Bounds are to be chosen before looking, and say why.
//
// A claim is judged by the 95 % confidence interval of the mean over its values, one a seed (Student's t).
// Ratios are judged on their logarithms: 2 and 1/2 are equally far from 1, and a mean of ratios does not
// depend on which of the two stands above. The claim holds when the whole interval meets the bound, does not
// hold when none of it does, and is undecided otherwise. One value decides nothing: its verdict is "one run".
#pragma once

#include <experiments/statistics.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

enum class Verdict { holds, does_not_hold, undecided, one_run };
std::string to_string(Verdict verdict);

enum class Scale { linear, logarithmic };  // logarithmic: values are ratios above 0

struct Claim {
    std::string statement;       // what the paper (or our own acceptance) says
    std::string quantity;        // what was measured, with its unit
    std::vector<double> values;  // one a seed, which are independent: not two sides of one run
    std::string relation;        // ">=", "<=", "within" (|value - 1| <= bound)
    double bound = 0;
    std::string note{};           // what a reader should know; may be empty
    double resolution = 0;        // a mean nearer to the bound than this is a tie, whatever the interval
    Scale scale = Scale::linear;  // on which the mean is taken
    std::string why{};            // where the bound comes from
    std::string changed{};  // what the bound was, and why it was changed after a look; empty: it was not

    double mean() const;  // geometric on the logarithmic scale
    Interval interval() const;
    bool meets_bound() const;  // by its mean
    Verdict verdict() const;
};

// What was measured.
struct Sample {
    std::string quantity;
    std::vector<double> values;
    Scale scale = Scale::linear;
};
// "bending content, ratio": a/b, seed by seed.
Sample ratio_of(const std::string& what, const std::vector<double>& a, const std::vector<double>& b);

struct Bound {
    std::string relation;
    double value = 0;
    std::string why, changed{};
};
Bound at_least(double value, std::string why, std::string changed = "");
Bound at_most(double value, std::string why, std::string changed = "");
Bound within_of_one(double value, std::string why, std::string changed = "");

Claim make_claim(std::string statement, Sample sample, Bound bound, std::string note = "");

nlohmann::json to_json(const Claim& claim);
std::string one_line(const Claim& claim);  // "holds          3.69 [3.5, 3.9] >= 2.5   cotton: held / brief"

double ratio(double a, double b);  // a/b; infinity where only b is 0; 1 where both are: they are equal
// Element by element.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace rumple
