#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/claim.hpp>
#include <limits>

namespace rumple {

namespace {

// On the claim's scale.
MeanEstimate estimate(const Claim& claim) {
    std::vector<double> values = claim.values;
    if (claim.scale == Scale::logarithmic)
        for (double& v : values) v = std::log(v);
    return estimate_mean(values);
}

double from_scale(const Claim& claim, double value) {
    return claim.scale == Scale::logarithmic ? std::exp(value) : value;
}

// Values that meet the bound.
Interval accepted(const Claim& claim) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (claim.relation == ">=") return {claim.bound, infinity};
    if (claim.relation == "<=") return {-infinity, claim.bound};
    return {1 - claim.bound, 1 + claim.bound};
}

bool is_in(double value, const Interval& interval) { return value >= interval.low && value <= interval.high; }

}  // namespace

std::string to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::does_not_hold:
            return "does not hold";
        case Verdict::one_run:
            return "one run";
        case Verdict::undecided:
            break;
    }
    return "not decided by the noise";
}

double Claim::mean() const { return from_scale(*this, estimate(*this).mean); }

Interval Claim::interval() const {
    const Interval i = estimate(*this).interval;
    return {from_scale(*this, i.low), from_scale(*this, i.high)};
}

bool Claim::meets_bound() const { return is_in(mean(), accepted(*this)); }

Verdict Claim::verdict() const {
    if (values.size() < 2) return Verdict::one_run;
    const Interval measured = interval(), wanted = accepted(*this);
    if (std::isnan(measured.low) || std::isnan(measured.high)) return Verdict::undecided;
    const auto is_near = [&](double end) { return std::abs(mean() - end) < resolution; };
    if (is_near(wanted.low) || is_near(wanted.high)) return Verdict::undecided;
    if (is_in(measured.low, wanted) && is_in(measured.high, wanted)) return Verdict::holds;
    if (measured.high < wanted.low || measured.low > wanted.high) return Verdict::does_not_hold;
    return Verdict::undecided;
}

Sample ratio_of(const std::string& what, const std::vector<double>& a, const std::vector<double>& b) {
    return {what + ", ratio", ratios(a, b), Scale::logarithmic};
}

Bound at_least(double value, std::string why, std::string changed) {
    return {">=", value, std::move(why), std::move(changed)};
}
Bound at_most(double value, std::string why, std::string changed) {
    return {"<=", value, std::move(why), std::move(changed)};
}
Bound within_of_one(double value, std::string why, std::string changed) {
    return {"within", value, std::move(why), std::move(changed)};
}

Claim make_claim(std::string statement, Sample sample, Bound bound, std::string note) {
    Claim claim{std::move(statement),
                std::move(sample.quantity),
                std::move(sample.values),
                std::move(bound.relation),
                bound.value,
                std::move(note)};
    claim.scale = sample.scale;
    claim.why = std::move(bound.why);
    claim.changed = std::move(bound.changed);
    return claim;
}

nlohmann::json to_json(const Claim& claim) {
    // JSON has no infinity: say it in words
    const auto number = [](double v) {
        return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(fmt::format("{}", v));
    };
    nlohmann::json values = nlohmann::json::array();
    for (double v : claim.values) values.push_back(number(v));
    const Interval interval = claim.interval();
    nlohmann::json j{{"claim", claim.statement},
                     {"quantity", claim.quantity},
                     {"values", values},
                     {"scale", claim.scale == Scale::linear ? "linear" : "logarithmic"},
                     {"mean", number(claim.mean())},
                     {"interval", {number(interval.low), number(interval.high)}},
                     {"relation", claim.relation},
                     {"bound", claim.bound},
                     {"verdict", to_string(claim.verdict())},
                     {"meets_bound", claim.meets_bound()}};
    if (!claim.why.empty()) j["why"] = claim.why;
    if (!claim.changed.empty()) j["changed"] = claim.changed;
    if (!claim.note.empty()) j["note"] = claim.note;
    if (claim.resolution > 0) j["resolution"] = claim.resolution;
    return j;
}

std::string one_line(const Claim& claim) {
    const Interval i = claim.interval();
    const std::string spread = claim.values.size() > 1 ? fmt::format(" [{:.3g}, {:.3g}]", i.low, i.high) : "";
    const std::string target = claim.relation == "within"
                                   ? fmt::format("1 within {:g}", claim.bound)
                                   : fmt::format("{} {:g}", claim.relation, claim.bound);
    return fmt::format("{:<24} {:>10.4g}{:<17} {:<14} {}", to_string(claim.verdict()), claim.mean(), spread,
                       target, claim.statement);
}

double ratio(double a, double b) {
    if (b != 0) return a / b;
    return a != 0 ? std::numeric_limits<double>::infinity() : 1;
}

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> r;
    for (std::size_t i = 0; i < a.size(); ++i) r.push_back(ratio(a[i], b[i]));
    return r;
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> d;
    for (std::size_t i = 0; i < a.size(); ++i) d.push_back(a[i] - b[i]);
    return d;
}

}  // namespace rumple
