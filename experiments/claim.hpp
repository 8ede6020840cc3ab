// A claim of the paper, turned into a number and judged. Bounds are to be chosen before looking.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

enum class Verdict { holds, does_not_hold, undecided };  // undecided: the noise is larger than the distance
std::string to_string(Verdict verdict);

struct Claim {
    std::string statement;       // what the paper (or our own acceptance) says
    std::string quantity;        // what was measured, with its unit
    std::vector<double> values;  // one a seed or sample; the mean is judged, their spread is the noise
    std::string relation;        // ">=", "<=", "within" (|value - 1| <= bound)
    double bound = 0;
    std::string note;       // what a reader should know; may be empty
    double resolution = 0;  // a mean nearer to the bound than this is a tie, whatever the noise

    double mean() const;
    double noise() const;  // standard error of the mean; 0 for a single value
    Verdict verdict() const;
};

nlohmann::json to_json(const Claim& claim);
std::string one_line(const Claim& claim);  // "holds          3.69 (+-0.05) >= 2.5   cotton: held / brief"

// Element by element a/b; where a seed's b is 0 the ratio is left as infinity.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace rumple
