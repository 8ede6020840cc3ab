#include "bench_oracle.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <rumple/core/error.hpp>

#include "textbook.hpp"

namespace rumple {

namespace {

constexpr int kStepsBetweenLines = 50;

struct Ending {
    double content, seconds;
};

template <class OneStep>
Ending run_whole(TwistCase& twist, const std::function<void(int)>& progress, OneStep&& one_step) {
    const auto start = std::chrono::steady_clock::now();
    State state = twist.initial_state();
    for (int n = 0; n < twist.step_count(); ++n) {
        one_step(state, twist.input(n));
        if ((n + 1) % kStepsBetweenLines == 0) progress(n + 1);
    }
    return {twist.bending_content(state),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

double mean(const std::vector<OracleResult::Run>& runs, double OracleResult::Run::*which) {
    double sum = 0;
    for (const auto& run : runs) sum += run.*which;
    return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

}  // namespace

double OracleResult::mean_ours() const { return mean(runs, &Run::ours); }
double OracleResult::mean_textbook() const { return mean(runs, &Run::textbook); }

OracleResult bench_oracle(const OracleOptions& options) {
    OracleResult result{options.size, {}};
    for (int seed = 1; seed <= options.seeds; ++seed) {
        TwistCase twist({.size = options.size, .seed = static_cast<std::uint64_t>(seed)});
        const auto progress = [&](const char* who) {
            return [&options, &twist, seed, who](int step) {
                if (options.progress)
                    options.progress(
                        fmt::format("seed {}, {}: step {} of {}", seed, who, step, twist.step_count()));
            };
        };
        const auto stepper =
            make_stepper(twist.model(), {.backend = options.backend, .threads = options.threads});
        const Ending ours = run_whole(twist, progress("rumple"), [&](State& state, const StepInput& input) {
            const StepReport report = stepper->step(state, input);
            if (!report.accepted) throw SimulationError("a step of the twist failed: " + report.failure);
        });
        const Ending textbook =
            run_whole(twist, progress("textbook"), [&](State& state, const StepInput& input) {
                state = textbook_step(twist.model(), state, input);
            });
        result.runs.push_back({static_cast<std::uint64_t>(seed), ours.content, textbook.content, ours.seconds,
                               textbook.seconds});
    }
    return result;
}

nlohmann::json to_json(const OracleResult& r) {
    nlohmann::json runs = nlohmann::json::array();
    for (const auto& run : r.runs)
        runs.push_back({{"seed", run.seed},
                        {"rumple", {{"bending_content", run.ours}, {"seconds", run.our_seconds}}},
                        {"textbook", {{"bending_content", run.textbook}, {"seconds", run.textbook_seconds}}},
                        {"ratio", run.textbook_seconds / run.our_seconds}});
    return {{"size", r.size.name},
            {"runs", runs},
            {"mean_bending_content", {{"rumple", r.mean_ours()}, {"textbook", r.mean_textbook()}}},
            {"relative_difference", r.relative_difference()}};
}

std::string to_table(const OracleResult& r) {
    std::string out = fmt::format("{:<6} {:>22} {:>22} {:>10} {:>12}\n", "seed", "content, rumple 1/m^2",
                                  "content, textbook", "rumple s", "textbook s");
    for (const auto& run : r.runs)
        out += fmt::format("{:<6} {:>22.1f} {:>22.1f} {:>10.1f} {:>12.1f}\n", run.seed, run.ours,
                           run.textbook, run.our_seconds, run.textbook_seconds);
    out += fmt::format("{:<6} {:>22.1f} {:>22.1f}   differ by {:.1f} %\n", "mean", r.mean_ours(),
                       r.mean_textbook(), 100 * r.relative_difference());
    return out;
}

}  // namespace rumple
