#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/claim.hpp>
#include <limits>
#include <numeric>

namespace rumple {

namespace {
constexpr double kDecisive = 2;  // standard errors between mean and bound
}

std::string to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::does_not_hold:
            return "does not hold";
        case Verdict::undecided:
            break;
    }
    return "not decided by the noise";
}

double Claim::mean() const {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Claim::noise() const {
    const auto n = static_cast<double>(values.size());
    if (n < 2) return 0;
    double squares = 0;
    for (double v : values) squares += (v - mean()) * (v - mean());
    return std::sqrt(squares / (n - 1) / n);
}

Verdict Claim::verdict() const {
    const double value = relation == "within" ? std::abs(mean() - 1) : mean();
    const double margin = relation == ">=" ? value - bound : bound - value;
    if (std::isnan(margin)) return Verdict::undecided;
    if (std::abs(margin) < std::max(kDecisive * noise(), resolution)) return Verdict::undecided;
    return margin >= 0 ? Verdict::holds : Verdict::does_not_hold;
}

nlohmann::json to_json(const Claim& claim) {
    // JSON has no infinity: say it in words
    const auto number = [](double v) {
        return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(fmt::format("{}", v));
    };
    nlohmann::json values = nlohmann::json::array();
    for (double v : claim.values) values.push_back(number(v));
    nlohmann::json j{
        {"claim", claim.statement},     {"quantity", claim.quantity},           {"values", values},
        {"mean", number(claim.mean())}, {"noise", number(claim.noise())},       {"relation", claim.relation},
        {"bound", claim.bound},         {"verdict", to_string(claim.verdict())}};
    if (!claim.note.empty()) j["note"] = claim.note;
    if (claim.resolution > 0) j["resolution"] = claim.resolution;
    return j;
}

std::string one_line(const Claim& claim) {
    const std::string noise = claim.noise() > 0 ? fmt::format(" ±{:.2g}", claim.noise()) : "";
    const std::string target = claim.relation == "within"
                                   ? fmt::format("1 within {:g}", claim.bound)
                                   : fmt::format("{} {:g}", claim.relation, claim.bound);
    return fmt::format("{:<24} {:>10.4g}{:<9} {:<14} {}", to_string(claim.verdict()), claim.mean(), noise,
                       target, claim.statement);
}

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> r;
    for (std::size_t i = 0; i < a.size(); ++i)
        r.push_back(b[i] != 0 ? a[i] / b[i] : std::numeric_limits<double>::infinity());
    return r;
}

}  // namespace rumple
