#include "bench_scale.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <rumple/core/error.hpp>

#include "machine.hpp"

namespace rumple {

namespace {

constexpr int kWarmUp = 1, kSteps = 3;

// From here on largest_memory() counts anew, where the system allows it.
void forget_largest_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

double largest_memory() {  // bytes
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0) return 1024.0 * std::stod(line.substr(6));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

ScaleBenchResult bench_scale(const TwistSize& size, const BenchOptions& options, double tolerance) {
    ScaleBenchResult result;
    result.size = size;
    result.tolerance = tolerance;
    result.threads = options.threads;
    forget_largest_memory();

    int begin = 0;
    State shape;
    TwistCase small({.size = twist_size("7K")});
    {
        options.say(fmt::format("{}: walking to the buckled part of the twist at 7K", size.name));
        TwistState buckled = buckled_states(small, 2, options.threads).front();
        begin = buckled.step;
        shape = std::move(buckled.state);
    }
    TwistCase twist({.size = size});
    result.vertices = twist.model().vertex_count();
    State state = twist.carried_over(small, shape);
    twist.keep_model_alone();
    const auto stepper = make_stepper(
        twist.model(), {.backend = options.backend, .threads = options.threads, .tolerance = tolerance});
    Samples rate;
    for (int n = 0; n < kWarmUp + kSteps * options.repeats; ++n) {
        options.say(fmt::format("{}: step {} of {}{}", size.name, n + 1, kWarmUp + kSteps * options.repeats,
                                n < kWarmUp ? ", to warm up" : ""));
        const auto start = std::chrono::steady_clock::now();
        const StepReport report = stepper->step(state, twist.input(begin + n));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        if (!report.accepted) throw SimulationError("a step of the benchmark failed: " + report.failure);
        if (n < kWarmUp) continue;
        const double solves = report.solves;
        const StepTiming& t = report.timing;
        result.seconds.add(seconds.count() / solves);
        result.evaluate.add(t.evaluate / solves);
        result.assemble.add(t.assemble / solves);
        result.setup.add((t.solve - t.iterate) / solves);
        result.iterate.add(t.iterate / solves);
        result.advance.add(t.advance / solves);
        result.iterations.add(report.iterations / solves);
        result.bytes_per_iteration = static_cast<double>(stepper->bytes_per_iteration());
        rate.add(report.iterations * result.bytes_per_iteration / t.iterate);
    }
    result.bandwidth = rate.median();
    result.bytes_per_vertex = largest_memory() / result.vertices;
    result.memory_bandwidth = memory_bandwidth(options.threads);
    return result;
}

nlohmann::json to_json(const ScaleBenchResult& r) {
    return {{"size", r.size.name},
            {"vertices", r.vertices},
            {"threads", r.threads},
            {"tolerance_edge_lengths", r.tolerance},
            {"seconds_per_solve", to_json(r.seconds)},
            {"seconds_by_part",
             {{"evaluate", r.evaluate.median()},
              {"assemble", r.assemble.median()},
              {"setup", r.setup.median()},
              {"iterate", r.iterate.median()},
              {"advance", r.advance.median()}}},
            {"iterations_per_solve", to_json(r.iterations)},
            {"bytes_per_iteration", r.bytes_per_iteration},
            {"bandwidth", r.bandwidth},
            {"memory_bandwidth", r.memory_bandwidth},
            {"bytes_per_vertex", r.bytes_per_vertex}};
}

nlohmann::json thread_scaling(const std::vector<ScaleBenchResult>& results) {
    nlohmann::json all = nlohmann::json::array();
    for (const ScaleBenchResult& r : results) {
        const auto first = std::find_if(results.begin(), results.end(), [&](const ScaleBenchResult& other) {
            return other.size.name == r.size.name;
        });
        if (&*first == &r) continue;
        const double speed_up = first->seconds.median() / r.seconds.median();
        all.push_back({{"size", r.size.name},
                       {"threads", r.threads},
                       {"against_threads", first->threads},
                       {"speed_up", speed_up},
                       {"efficiency", speed_up * first->threads / r.threads},
                       {"share_of_bandwidth", r.bandwidth / r.memory_bandwidth}});
    }
    return all;
}

namespace {

std::string scaling_lines(const std::vector<ScaleBenchResult>& results) {
    std::string out;
    for (const nlohmann::json& s : thread_scaling(results))
        out += fmt::format("{}: {} threads are {:.1f} times as fast as {} (efficiency {:.0f} %)\n",
                           s["size"].get<std::string>(), s["threads"].get<int>(), s["speed_up"].get<double>(),
                           s["against_threads"].get<int>(), 100 * s["efficiency"].get<double>());
    return out;
}

}  // namespace

std::string to_table(const std::vector<ScaleBenchResult>& results) {
    const double ms = 1e3;
    std::string out =
        fmt::format("{:<5} {:>8} {:>7} {:>7} {:>10} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}\n",
                    "size", "vertices", "threads", "error", "ms/solve", "iter", "eval", "assem", "setup",
                    "iterate", "advance", "MB/iter", "of memory", "KB/vertex");
    for (const ScaleBenchResult& r : results)
        out += fmt::format(
            "{:<5} {:>8} {:>7} {:>7.0e} {:>10.1f} {:>6.0f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} "
            "{:>8.1f} "
            "{:>7.0f} % {:>9.1f}\n",
            r.size.name, r.vertices, r.threads, r.tolerance, ms * r.seconds.median(), r.iterations.median(),
            ms * r.evaluate.median(), ms * r.assemble.median(), ms * r.setup.median(),
            ms * r.iterate.median(), ms * r.advance.median(), 1e-6 * r.bytes_per_iteration,
            100 * r.bandwidth / r.memory_bandwidth, 1e-3 * r.bytes_per_vertex);
    for (const ScaleBenchResult& r : results)
        out += fmt::format("{}, {} thread{}: PCG runs at {:.0f} % of bandwidth ({:.1f} of {:.1f} GB/s)\n",
                           r.size.name, r.threads, r.threads == 1 ? "" : "s",
                           100 * r.bandwidth / r.memory_bandwidth, 1e-9 * r.bandwidth,
                           1e-9 * r.memory_bandwidth);
    out += scaling_lines(results);
    const auto same_threads = std::find_if(results.begin(), results.end(), [&](const ScaleBenchResult& r) {
        return r.threads == results.back().threads;
    });
    if (!results.empty() && same_threads->size.name != results.back().size.name) {
        const ScaleBenchResult &first = *same_threads, &last = results.back();
        out += fmt::format("time per solve grows as vertices to the power {:.2f}, {} to {}\n",
                           std::log(last.seconds.median() / first.seconds.median()) /
                               std::log(static_cast<double>(last.vertices) / first.vertices),
                           first.size.name, last.size.name);
    }
    return out;
}

}  // namespace rumple
