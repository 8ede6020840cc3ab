#include "bench_laws.hpp"

#include <fmt/format.h>

#include <chrono>
#include <rumple/core/error.hpp>

namespace rumple {

namespace {

struct Cost {
    double whole = 0, outside = 0;  // s
};

Cost time_one_solve(Stepper& stepper, State state, const StepInput& input, Contender& contender) {
    const auto start = std::chrono::steady_clock::now();
    const StepReport report = stepper.step(state, input);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!report.accepted) throw SimulationError("a step of the benchmark failed: " + report.failure);
    contender.add(seconds, report.solves, report.iterations, report.timing);
    return {seconds, seconds - report.timing.solve};
}

// The same state with branches that had no time to relax: they are as strained as their hinge, so that all
// stresses are those of the cloth without relaxation.
State unrelaxed(State state, const Model& model) {
    HistoryArrays& bending = state.bending;
    bending.resize(bending.size(), model.bending_history);
    for (std::size_t i = 0; i < bending.branch.size(); ++i)
        bending.branch[i] = bending.strain[i % bending.strain.size()];
    return state;
}

}  // namespace

LawsBenchResult bench_laws(const TwistSize& size, const BenchOptions& options) {
    LawsBenchResult result;
    result.size = size;
    result.on.name = "laws on";
    result.off.name = "laws off";
    result.relaxing.name = "relaxing";
    TwistCase with({.size = size}), without({.size = size, .laws = false}),
        relaxing({.size = size, .relaxing = true});

    options.say(fmt::format("{}: walking to the buckled part of the twist", size.name));
    const std::vector<TwistState> states = buckled_states(with, options.states_of(size), options.threads);
    const StepperOptions one_solve{
        .backend = options.backend, .threads = options.threads, .newton_iterations = 1};
    const auto on = make_stepper(with.model(), one_solve);
    const auto off = make_stepper(without.model(), one_solve);
    const auto relaxes = make_stepper(relaxing.model(), one_solve);
    for (int round = 0; round < options.repeats; ++round) {
        options.say(fmt::format("{}: timing, round {} of {}", size.name, round + 1, options.repeats));
        for (const auto& [n, state] : states) {
            // who goes first changes, so that warm caches favour neither
            Cost a, b;
            if ((round + n) % 2 == 0) a = time_one_solve(*on, state, with.input(n), result.on);
            b = time_one_solve(*off, state, without.input(n), result.off);
            if ((round + n) % 2 != 0) a = time_one_solve(*on, state, with.input(n), result.on);
            result.whole.add(100 * (a.whole - b.whole) / b.whole);
            result.outside.add(100 * (a.outside - b.outside) / b.whole);

            const State with_branches = unrelaxed(state, relaxing.model());
            const Cost c = time_one_solve(*relaxes, with_branches, relaxing.input(n), result.relaxing);
            result.relaxing_whole.add(100 * (c.whole - a.whole) / a.whole);
            result.relaxing_outside.add(100 * (c.outside - a.outside) / a.whole);
        }
    }
    return result;
}

nlohmann::json to_json(const LawsBenchResult& r) {
    const auto one = [](const Contender& c) {
        return nlohmann::json{{"seconds_per_solve", to_json(c.seconds)},
                              {"iterations_per_solve", to_json(c.iterations)},
                              {"seconds_by_part",
                               {{"evaluate", c.evaluate.median()},
                                {"assemble", c.assemble.median()},
                                {"solve", c.solve.median()},
                                {"advance", c.advance.median()}}}};
    };
    return {{"size", r.size.name},
            {"on", one(r.on)},
            {"off", one(r.off)},
            {"relaxing", one(r.relaxing)},
            {"cost_percent", to_json(r.whole)},
            {"cost_percent_outside_linear_solve", to_json(r.outside)},
            {"relaxation_cost_percent", to_json(r.relaxing_whole)},
            {"relaxation_cost_percent_outside_linear_solve", to_json(r.relaxing_outside)}};
}

std::string to_table(const std::vector<LawsBenchResult>& results) {
    std::string out =
        fmt::format("{:<5} {:<9} {:>9} {:>6} {:>7} {:>7} {:>8} {:>7}   {}\n", "size", "", "ms/solve", "iter",
                    "eval", "assem", "solve", "advance", "cost of the laws");
    const auto row = [](const std::string& size, const Contender& c) {
        return fmt::format("{:<5} {:<9} {:>9.2f} {:>6.0f} {:>7.2f} {:>7.2f} {:>8.2f} {:>7.2f}", size, c.name,
                           1e3 * c.seconds.median(), c.iterations.median(), 1e3 * c.evaluate.median(),
                           1e3 * c.assemble.median(), 1e3 * c.solve.median(), 1e3 * c.advance.median());
    };
    for (const LawsBenchResult& r : results) {
        out += row(r.size.name, r.off) + "\n";
        out += row("", r.on) + fmt::format("   {:+.1f} % in all, {:+.1f} % outside the linear solve\n",
                                           r.whole.median(), r.outside.median());
        out += row("", r.relaxing) + fmt::format("   {:+.1f} % in all, {:+.1f} % outside the linear solve\n",
                                                 r.relaxing_whole.median(), r.relaxing_outside.median());
    }
    return out;
}

}  // namespace rumple
