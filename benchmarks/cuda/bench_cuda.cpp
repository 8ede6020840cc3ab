// Seconds per solve of the twist on the CUDA device, and on the machine's processor beside it; seconds per
// step of scenes with contact.
//   bench_cuda [--sizes 2K,7K] [--steps N] [--cpu-until VERTICES] [--json FILE] [--groups 14,7]
//              [--contact crumple-5K,trousers] [--runs crumple-brief,crumple-held] [--threads N]
// With --contact or --runs and without --sizes there is no twist.
// Needs neither CLI11 nor oneTBB, so that it builds on GPU machines.
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <rumple_cuda/backend.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <thread>

#include "contact_case.hpp"
#include "machine.hpp"
#include "run_case.hpp"
#include "samples.hpp"
#include "twist_case.hpp"

using namespace rumple;

namespace {

struct Options {
    std::vector<std::string> sizes{"2K", "7K", "27K", "100K", "250K", "1M"};
    int steps = 20;
    int cpu_until = 2000000;  // vertices: beyond, the processor is not measured
    std::vector<std::string> contact, runs;
    int threads = 0;  // of the host beside contact on the device; 0: all cores
    std::string json;
    cuda::HierarchyOptions hierarchy;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return parts;
}

Options read_options(int argc, char** argv) {
    Options options;
    bool sizes = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string key = argv[i], value = argv[i + 1];
        if (key == "--steps") options.steps = std::stoi(value);
        if (key == "--cpu-until") options.cpu_until = std::stoi(value);
        if (key == "--json") options.json = value;
        if (key == "--threads") options.threads = std::stoi(value);
        if (key == "--contact") options.contact = split(value);
        if (key == "--runs") options.runs = split(value);
        if (key == "--sizes") options.sizes = split(value);
        sizes = sizes || key == "--sizes";
        if (key == "--groups")
            for (const std::string& size : split(value))
                options.hierarchy.group_sizes.push_back(std::stoi(size));
    }
    if (!(options.contact.empty() && options.runs.empty()) && !sizes) options.sizes.clear();
    return options;
}

constexpr int kMaxOfOneThread = 120000;  // vertices: beyond, one thread takes minutes

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Measured {
    Samples seconds, iterations, solves;
};

// Steps from the same buckled state until `steps` are measured; begins again where the turn ends.
Measured measure(Stepper& stepper, TwistCase& twist, const TwistState& from, int warm_up, int steps) {
    Measured m;
    State state = from.state;
    const int last = twist.twist_steps() - from.step;
    for (int n = 0; n < warm_up + steps; ++n) {
        if (n % last == 0) state = from.state;
        const double start = now();
        const StepReport report = stepper.step(state, twist.input(from.step + n % last));
        const double seconds = now() - start;
        if (!report.accepted) throw std::runtime_error("a step failed: " + report.failure);
        if (n < warm_up) continue;
        m.seconds.add(seconds / report.solves);
        m.iterations.add(static_cast<double>(report.iterations) / report.solves);
        m.solves.add(report.solves);
    }
    return m;
}

nlohmann::json entry(const char* backend, int threads, const TwistSize& size, int vertices, double tolerance,
                     const Measured& m) {
    return {{"backend", backend},
            {"threads", threads},
            {"size", size.name},
            {"vertices", vertices},
            {"tolerance_edge_lengths", tolerance},
            {"seconds_per_solve", to_json(m.seconds)},
            {"iterations_per_solve", to_json(m.iterations)},
            {"solves_per_step", m.solves.median()}};
}

void print(const nlohmann::json& e) {
    fmt::print("{:<5} {:>8} {:<5} {:>3} {:>9.3f} ms/solve {:>5.1f} iterations\n",
               e["size"].get<std::string>(), e["vertices"].get<int>(), e["backend"].get<std::string>(),
               e["threads"].get<int>(), 1e3 * e["seconds_per_solve"]["median"].get<double>(),
               e["iterations_per_solve"]["median"].get<double>());
    std::fflush(stdout);
}

nlohmann::json measure_device(TwistCase& twist, const TwistState& from, const TwistSize& size,
                              double tolerance, const Options& options) {
    const double start = now();
    cuda::CudaStepper stepper(twist.model(), {.tolerance = tolerance}, options.hierarchy);
    const double structure = now() - start;
    stepper.set_resident(true);
    const Measured m = measure(stepper, twist, from, 3, options.steps);
    nlohmann::json e = entry("cuda", 1, size, twist.model().vertex_count(), tolerance, m);
    print(e);
    stepper.set_resident(false);
    const Samples with_copies = measure(stepper, twist, from, 1, std::max(3, options.steps / 5)).seconds;
    e["seconds_per_solve_with_copies"] = to_json(with_copies);  // of the whole state, in and out, each step
    std::string parts = fmt::format(" with copies {:.3f},", 1e3 * with_copies.median());
    for (const auto& [part, ms] : stepper.profile()) {
        e["seconds_by_part"][part] = 1e-3 * ms;
        parts += fmt::format(" {} {:.3f}", part, ms);
    }
    const double bytes = static_cast<double>(stepper.bytes_per_iteration());
    const double rate = bytes / e["seconds_by_part"]["iteration"].get<double>();
    e["structure_seconds"] = structure;
    e["bytes_per_iteration"] = bytes;
    e["bandwidth"] = rate;
    e["device_bytes"] = cuda::allocated_bytes();
    fmt::print("      ms:{}; {:.0f} MB an iteration at {:.2f} TB/s; structure {:.1f} s\n", parts,
               1e-6 * bytes, 1e-12 * rate, structure);
    return e;
}

void measure_twists(const Options& options, int cores, nlohmann::json& results) {
    TwistCase small({.size = twist_size("7K")});
    const TwistState buckled = buckled_states(small, 2, std::min(cores, 8)).front();
    for (const std::string& name : options.sizes) {
        const TwistSize size = twist_size(name);
        TwistCase twist({.size = size});
        const double tolerance = twist.model().vertex_count() < 50000 ? 1e-5 : 1e-4;
        const TwistState from{buckled.step, twist.carried_over(small, buckled.state)};
        results.push_back(measure_device(twist, from, size, tolerance, options));
        if (twist.model().vertex_count() > options.cpu_until) continue;
        for (const int threads : {cores, 1}) {
            if (threads == 1 && twist.model().vertex_count() > kMaxOfOneThread) break;
            const auto stepper = make_stepper(twist.model(), {.threads = threads, .tolerance = tolerance});
            const int steps = twist.model().vertex_count() < 20000 ? 5 : 1;
            results.push_back(entry("cpu", threads, size, twist.model().vertex_count(), tolerance,
                                    measure(*stepper, twist, from, 1, steps)));
            print(results.back());
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    if (const std::string fault = cuda::unavailable(); !fault.empty()) {
        fmt::print("{}\n", fault);
        return 77;
    }
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    nlohmann::json all{{"device", cuda::device_name()},
                       {"machine", to_json(describe_machine())},
                       {"results", nlohmann::json::array()}};
    cuda::register_cuda_backend();
    for (const std::string& name : options.contact)
        for (nlohmann::json& e :
             bench_cuda_contact(name, {options.threads > 0 ? options.threads : cores, options.steps}))
            all["contact"].push_back(std::move(e));
    for (const std::string& name : options.runs)
        for (nlohmann::json& e : bench_cuda_run(name, options.threads > 0 ? options.threads : cores))
            all["runs"].push_back(std::move(e));
    if (!options.sizes.empty()) measure_twists(options, cores, all["results"]);
    if (!options.json.empty()) std::ofstream(options.json) << all.dump(2) << '\n';
}
