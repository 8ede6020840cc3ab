#include "bench_twist.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <rumple/core/error.hpp>

#include "textbook.hpp"

namespace rumple {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double largest_distance(const State& a, const State& b, double unit) {
    double largest = 0;
    for (std::size_t v = 0; v < a.x.size(); ++v) largest = std::max(largest, norm(a.x[v] - b.x[v]));
    return largest / unit;
}

State stepped(Stepper& stepper, State state, const StepInput& input) {
    const StepReport report = stepper.step(state, input);
    if (!report.accepted) throw SimulationError("a step of the benchmark failed: " + report.failure);
    return state;
}

State time_ours(Stepper& stepper, State state, const StepInput& input, Contender& ours) {
    const auto start = std::chrono::steady_clock::now();
    const StepReport report = stepper.step(state, input);
    const double seconds = seconds_since(start);
    if (!report.accepted) throw SimulationError("a step of the benchmark failed: " + report.failure);
    ours.add(seconds, report.solves, report.iterations, report.timing);
    return state;
}

State time_textbook(const Model& model, const State& state, const StepInput& input,
                    const TextbookOptions& options, Contender& peer) {
    TextbookReport report;
    const auto start = std::chrono::steady_clock::now();
    State next = textbook_step(model, state, input, options, report);
    peer.add(seconds_since(start), report.solves, static_cast<double>(report.iterations), report.timing);
    return next;
}

// The loosest relative residual, in half decades, at which one textbook solve meets the error bound.
double tolerance_of_equal_error(const Model& model, const State& state, const StepInput& input,
                                const State& direct) {
    double tolerance = 1e-2;
    for (; tolerance > 1e-15; tolerance /= std::sqrt(10.0)) {
        TextbookReport report;
        const State next = textbook_step(model, state, input, {tolerance, 1}, report);
        if (largest_distance(next, direct, model.mean_edge_length) <= kErrorBound) break;
    }
    return tolerance;
}

nlohmann::json to_json(const Contender& c) {
    return {{"name", c.name},
            {"seconds_per_solve", to_json(c.seconds)},
            {"seconds_by_part",
             {{"evaluate", c.evaluate.median()},
              {"assemble", c.assemble.median()},
              {"solve", c.solve.median()},
              {"advance", c.advance.median()}}},
            {"iterations_per_solve", to_json(c.iterations)},
            {"solves_per_step", to_json(c.solves_per_step)},
            {"error_edge_lengths", to_json(c.error)}};
}

std::string row(const std::string& size, const Contender& c, double ratio) {
    const double ms = 1e3;
    return fmt::format(
        "{:<5} {:<24} {:>9.2f} {:>8.2f} {:>8.2f}  {:>6.0f} {:>6.1f}  {:>7.2f} {:>7.2f} {:>8.2f} {:>7.2f}  "
        "{:>8.1e} {:>7.1f}\n",
        size, c.name, ms * c.seconds.median(), ms * c.seconds.quantile(0.25), ms * c.seconds.quantile(0.75),
        c.iterations.median(), c.solves_per_step.median(), ms * c.evaluate.median(), ms * c.assemble.median(),
        ms * c.solve.median(), ms * c.advance.median(), c.error.max(), ratio);
}

std::string row(const BlenderTimes& b, double ratio) {
    const double ms = 1e3;
    return fmt::format("{:<5} {:<24} {:>9.2f} {:>8.2f} {:>8.2f}  {:>6.0f} {:>60.1f}\n", "", b.name(),
                       ms * b.seconds.median(), ms * b.seconds.quantile(0.25), ms * b.seconds.quantile(0.75),
                       b.iterations.median(), ratio);
}

// Ours once more after it, so that what else the machine does hits both.
void add_blender(TwistCase& twist, const std::vector<TwistState>& states, const BenchOptions& options,
                 Stepper& ours, TwistBenchResult& result) {
    try {
        for (int threads :
             options.threads == 1 ? std::vector<int>{1} : std::vector<int>{1, options.threads}) {
            options.say(fmt::format("{}: blender, threads: {}", result.size.name, threads));
            result.blender.push_back(time_blender(twist, states.front().step, threads));
        }
    } catch (const SimulationError& error) {
        result.blender.clear();
        result.no_blender = fmt::format("without Blender: {}", error.what());
        options.say(result.no_blender);
        return;
    }
    for (const auto& [n, state] : states) time_ours(ours, state, twist.input(n), result.ours);
    if (options.threads == 1) return;
    result.ours_on_one.emplace().name = "rumple, 1 thread";
    const auto on_one = make_stepper(twist.model(), {.threads = 1});
    stepped(*on_one, states.front().state, twist.input(states.front().step));  // sets itself up
    for (int round = 0; round < options.repeats + 1; ++round)
        for (const auto& [n, state] : states) time_ours(*on_one, state, twist.input(n), *result.ours_on_one);
    result.ours_on_one->error = result.ours.error;  // the same bits
}

}  // namespace

double TwistBenchResult::ratio(const BlenderTimes& peer) const {
    const bool on_one = peer.threads == 1 && ours_on_one;
    return peer.seconds.median() / (on_one ? *ours_on_one : ours).seconds.median();
}

int BenchOptions::states_of(const TwistSize& size) const {
    if (states > 0) return states;
    const int vertices = size.around * size.up;
    return vertices < 4000 ? 9 : vertices < 16000 ? 5 : vertices < 50000 ? 3 : 2;
}

void Contender::add(double step_seconds, int solves, double step_iterations, const StepTiming& timing) {
    const double n = solves;
    seconds.add(step_seconds / n);
    evaluate.add(timing.evaluate / n);
    assemble.add(timing.assemble / n);
    solve.add(timing.solve / n);
    advance.add(timing.advance / n);
    iterations.add(step_iterations / n);
    solves_per_step.add(n);
}

TwistBenchResult bench_twist(const TwistSize& size, const BenchOptions& options) {
    TwistBenchResult result;
    result.size = size;
    TwistCase twist({.size = size});
    const Model& model = twist.model();
    const double edge = model.mean_edge_length;
    result.vertices = model.vertex_count();
    result.triangles = model.triangle_count();
    result.ours.name = "rumple";
    result.textbook.name = "textbook";
    result.textbook_equal_error.name = "textbook at equal error";

    options.say(fmt::format("{}: walking to the buckled part of the twist", size.name));
    const std::vector<TwistState> states = buckled_states(twist, options.states_of(size), options.threads);
    for (const TwistState& s : states) result.steps.push_back(s.step);

    // one linear solve each: the first Newton step and no more
    const auto ours = make_stepper(model, {.backend = options.backend, .threads = options.threads});
    const auto one_solve =
        make_stepper(model, {.backend = options.backend, .threads = options.threads, .newton_iterations = 1});
    const auto one_direct =
        make_stepper(model, {.threads = 1, .solver = SolverChoice::direct, .newton_iterations = 1});
    for (const auto& [n, state] : states) {
        const StepInput input = twist.input(n);
        options.say(fmt::format("{}: step {}, errors against a direct solve", size.name, n));
        const State direct = stepped(*one_direct, state, input);
        if (result.equal_error_tolerance == 0)
            result.equal_error_tolerance = tolerance_of_equal_error(model, state, input, direct);
        TextbookReport unused;
        const auto error_of = [&](double tolerance) {
            return largest_distance(textbook_step(model, state, input, {tolerance, 1}, unused), direct, edge);
        };
        result.ours.error.add(largest_distance(stepped(*one_solve, state, input), direct, edge));
        result.textbook.error.add(error_of(0));
        result.textbook_equal_error.error.add(error_of(result.equal_error_tolerance));
    }

    // ours before, between and after the peers, so that what else the machine does hits all alike
    for (int round = 0; round < options.repeats; ++round)
        for (const auto& [n, state] : states) {
            const StepInput input = twist.input(n);
            options.say(
                fmt::format("{}: step {}, timing, round {} of {}", size.name, n, round + 1, options.repeats));
            const State here = time_ours(*ours, state, input, result.ours);
            const State there = time_textbook(model, state, input, {}, result.textbook);
            time_ours(*ours, state, input, result.ours);
            time_textbook(model, state, input, {.tolerance = result.equal_error_tolerance},
                          result.textbook_equal_error);
            time_ours(*ours, state, input, result.ours);
            result.step_difference.add(largest_distance(here, there, edge));
        }
    if (options.blender) add_blender(twist, states, options, *ours, result);
    return result;
}

nlohmann::json to_json(const TwistBenchResult& r) {
    nlohmann::json peers = nlohmann::json::array();
    for (const Contender* peer : {&r.textbook, &r.textbook_equal_error}) {
        peers.push_back(to_json(*peer));
        peers.back()["threads"] = 1;
        peers.back()["ratio"] = r.ratio(*peer);
    }
    peers.back()["tolerance"] = r.equal_error_tolerance;
    for (const BlenderTimes& blender : r.blender) {
        peers.push_back(to_json(blender));
        peers.back()["ratio"] = r.ratio(blender);
    }
    nlohmann::json json{{"size", r.size.name},
                        {"vertices", r.vertices},
                        {"triangles", r.triangles},
                        {"steps", r.steps},
                        {"rumple", to_json(r.ours)},
                        {"step_difference_edge_lengths", to_json(r.step_difference)},
                        {"error_bound_edge_lengths", kErrorBound},
                        {"error_within_bound", r.ours.error.max() <= kErrorBound},
                        {"peers", peers}};
    if (r.ours_on_one) json["rumple_one_thread"] = to_json(*r.ours_on_one);
    if (!r.no_blender.empty()) json["note"] = r.no_blender;
    return json;
}

std::string to_table(const std::vector<TwistBenchResult>& results) {
    std::string out =
        fmt::format("{:<5} {:<24} {:>9} {:>17}  {:>6} {:>6}  {:>32}  {:>8} {:>7}\n", "", "", "ms per", "",
                    "iter-", "solves", "ms per solve, by part      ", "error", "times");
    out += fmt::format("{:<5} {:<24} {:>9} {:>17}  {:>6} {:>6}  {:>7} {:>7} {:>8} {:>7}  {:>8} {:>7}\n",
                       "size", "who", "solve", "quartiles", "ations", "a step", "eval", "assem", "solve",
                       "advance", "in edges", "slower");
    for (const TwistBenchResult& r : results) {
        out += row(r.size.name, r.ours, 1);
        out += row("", r.textbook, r.ratio(r.textbook));
        out += row("", r.textbook_equal_error, r.ratio(r.textbook_equal_error));
        for (const BlenderTimes& blender : r.blender) out += row(blender, r.ratio(blender));
        if (r.ours_on_one) out += row("", *r.ours_on_one, 1);
        if (!r.no_blender.empty()) out += fmt::format("      {}\n", r.no_blender);
        if (r.ours.error.max() > kErrorBound)
            out += fmt::format("      NOT MET: our error {:.1e} is above the bound of {:.0e} edge lengths\n",
                               r.ours.error.max(), kErrorBound);
    }
    return out;
}

}  // namespace rumple
