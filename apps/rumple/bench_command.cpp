// rumple bench [twist|laws|oracle|scale|contact|steps|garment]: speed and agreement, measured against the
// textbook step in the same run. Results go to the standard output, as a table or as JSON; progress goes to
// the standard error.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <thread>

#include "bench_contact.hpp"
#include "bench_garment.hpp"
#include "bench_laws.hpp"
#include "bench_oracle.hpp"
#include "bench_scale.hpp"
#include "bench_steps.hpp"
#include "bench_twist.hpp"
#include "commands.hpp"
#include "find_scene.hpp"
#include "machine.hpp"
#include "run_options.hpp"

namespace rumple {

namespace {

struct BenchArguments {
    std::string name = "twist";
    std::vector<std::string> sizes;
    bool json = false;
    std::vector<int> threads;  // several: of scale
    int repeats = 0, states = 0, seeds = 3, steps = 0;
    double tolerance = 1e-5;
    std::string garment, body, peer, backend = "cpu";

    int thread_count() const {
        return !threads.empty() ? threads.front() : static_cast<int>(std::thread::hardware_concurrency());
    }
};

void say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

BenchOptions bench_options(const BenchArguments& arguments, int default_repeats) {
    BenchOptions options;
    options.backend = backend_of(arguments.backend);
    options.threads = arguments.thread_count();
    options.states = arguments.states;
    options.repeats = arguments.repeats > 0 ? arguments.repeats : default_repeats;
    options.progress = say;
    for (const std::string& name :
         arguments.sizes.empty() ? std::vector<std::string>{"2K", "7K"} : arguments.sizes)
        options.sizes.push_back(twist_size(name));
    return options;
}

void print(const BenchArguments& arguments, const std::string& title, const std::string& table,
           nlohmann::json results) {
    const Machine machine = describe_machine();
    if (arguments.json) {
        const nlohmann::json all{{"benchmark", arguments.name},
                                 {"version", version()},
                                 {"source", source_hash()},
                                 {"case", title},
                                 {"machine", to_json(machine)},
                                 {"backend", arguments.backend},
                                 {"threads", arguments.thread_count()},
                                 {"results", std::move(results)}};
        fmt::print("{}\n", all.dump(2));
        return;
    }
    const int threads = arguments.thread_count();
    fmt::print("{}\n{}; {} thread{}\n\n{}", title, to_line(machine), threads, threads == 1 ? "" : "s", table);
}

// One measurement for each size, then all of them as a table or as JSON.
template <class Measure>
void run_sizes(const BenchArguments& arguments, const std::string& title, const BenchOptions& options,
               Measure&& measure) {
    std::vector<decltype(measure(options.sizes.front(), options))> results;
    nlohmann::json json = nlohmann::json::array();
    for (const TwistSize& size : options.sizes) {
        results.push_back(measure(size, options));
        json.push_back(to_json(results.back()));
    }
    print(arguments, title, to_table(results), std::move(json));
}

// Every size with every number of threads.
void run_scale(BenchArguments arguments) {
    if (arguments.sizes.empty()) arguments.sizes = {"27K", "100K", "250K", "1M"};
    if (arguments.threads.empty()) arguments.threads = {arguments.thread_count()};
    BenchOptions options = bench_options(arguments, 1);
    std::vector<ScaleBenchResult> results;
    nlohmann::json json = nlohmann::json::array();
    for (const TwistSize& size : options.sizes)
        for (const int threads : arguments.threads) {
            options.threads = threads;
            results.push_back(bench_scale(size, options, arguments.tolerance));
            json.push_back(to_json(results.back()));
        }
    const std::string title =
        "Reference twist, cotton, h = 0.01 s: time and memory against the number of vertices";
    if (nlohmann::json scaling = thread_scaling(results); !scaling.empty())
        json = {{"measurements", std::move(json)}, {"thread_scaling", std::move(scaling)}};
    print(arguments, title, to_table(results), std::move(json));
}

void run_contact(const BenchArguments& arguments) {
    std::vector<std::string> cases = arguments.sizes;
    if (cases.empty()) cases = {"crumple-5K"};
    if (arguments.sizes.empty() && !arguments.garment.empty()) cases.push_back("garment");
    std::vector<ContactBenchResult> results;
    nlohmann::json json = nlohmann::json::array();
    for (const std::string& name : cases) {
        results.push_back(bench_contact(name, {.backend = backend_of(arguments.backend),
                                               .threads = arguments.thread_count(),
                                               .steps = arguments.steps > 0 ? arguments.steps : 30,
                                               .progress = say,
                                               .garment = arguments.garment,
                                               .body = arguments.body}));
        json.push_back(to_json(results.back()));
    }
    print(arguments, "Cotton in contact: whole steps", to_table(results), std::move(json));
}

void run_steps(const BenchArguments& arguments) {
    const std::vector<std::string> names = arguments.sizes.empty() ? builtin_scene_names() : arguments.sizes;
    std::vector<StepsBenchResult> results;
    nlohmann::json json = nlohmann::json::array();
    for (const std::string& name : names) {
        results.push_back(bench_steps(find_scene(name), {.backend = backend_of(arguments.backend),
                                                         .threads = arguments.thread_count(),
                                                         .progress = say}));
        json.push_back(to_json(results.back()));
    }
    print(arguments, "Built-in scenes: the longest single step against the median", to_table(results),
          std::move(json));
}

void run_garment(const BenchArguments& arguments) {
    const GarmentBenchResult result = bench_garment({.backend = backend_of(arguments.backend),
                                                     .threads = arguments.thread_count(),
                                                     .frames = arguments.steps > 0 ? arguments.steps : 150,
                                                     .blender = arguments.peer == "blender",
                                                     .progress = say});
    print(arguments, "A T-shirt on a body that bends its arms", to_table(result), to_json(result));
}

void run_bench(const BenchArguments& arguments) {
    if (arguments.threads.size() > 1 && arguments.name != "scale")
        throw InputError("--threads", fmt::format("'{}' takes one number of threads", arguments.name),
                         "rumple bench scale --threads 1,2,4");
    if (!arguments.peer.empty() && arguments.name != "twist" && arguments.name != "garment")
        throw InputError("--peer", fmt::format("'{}' has no such peer", arguments.name),
                         "rumple bench twist --peer blender");
    if (arguments.name == "twist") {
        BenchOptions options = bench_options(arguments, 1);
        options.blender = arguments.peer == "blender";
        run_sizes(arguments, "Reference twist, cotton, h = 0.01 s: one linear solve in its buckled part",
                  options, bench_twist);
    } else if (arguments.name == "laws") {
        run_sizes(arguments,
                  "Reference twist, cotton, h = 0.01 s: one solve with friction and plasticity on and off",
                  bench_options(arguments, 20), bench_laws);
    } else if (arguments.name == "scale") {
        run_scale(arguments);
    } else if (arguments.name == "contact") {
        run_contact(arguments);
    } else if (arguments.name == "steps") {
        run_steps(arguments);
    } else if (arguments.name == "garment") {
        run_garment(arguments);
    } else {
        const TwistSize size = twist_size(arguments.sizes.empty() ? "2K" : arguments.sizes.front());
        const OracleResult result = bench_oracle({.size = size,
                                                  .seeds = arguments.seeds,
                                                  .backend = backend_of(arguments.backend),
                                                  .threads = arguments.thread_count(),
                                                  .progress = say});
        print(arguments, fmt::format("Reference twist, cotton, brief, {}: whole runs", size.name),
              to_table(result), to_json(result));
    }
}

}  // namespace

void add_bench_command(CLI::App& program) {
    const auto arguments = std::make_shared<BenchArguments>();
    CLI::App* bench =
        program.add_subcommand("bench", "Measure speed against a textbook implementation in the same run");
    bench
        ->add_option(
            "name", arguments->name,
            "twist: time per linear solve; laws: what friction and plasticity cost; oracle: whole runs; "
            "scale: how time and memory grow with the mesh; contact: whole steps full of contacts; "
            "steps: the longest single step of a scene; garment: a T-shirt on a body that moves")
        ->check(CLI::IsMember({"twist", "laws", "oracle", "scale", "contact", "steps", "garment"}))
        ->capture_default_str();
    bench
        ->add_option("--sizes", arguments->sizes,
                     "2K, 7K, 27K, 100K, 250K, 1M, separated by commas (default: 2K,7K; scale: from 27K on); "
                     "of contact: crumple-5K, "
                     "crumple-20K, wring-cylinder, garment; of steps: scenes (default: all built-in ones)")
        ->delimiter(',');
    bench
        ->add_option(
            "--threads", arguments->threads,
            "Threads of Rumple (default: all cores; the textbook has one); of scale: several, separated "
            "by commas, to compare")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
    add_backend_option(*bench, arguments->backend);
    bench
        ->add_option("--repeats", arguments->repeats,
                     "Rounds over the measured states (default: twist 1, laws 20)")
        ->check(CLI::Range(1, 1000));
    bench
        ->add_option("--states", arguments->states,
                     "States of the twist measured (default: 9 at 2K to 2 at 100K)")
        ->check(CLI::Range(1, 40));
    bench->add_option("--seeds", arguments->seeds, "Runs of the oracle benchmark")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    bench
        ->add_option("--steps", arguments->steps,
                     "Steps timed by contact (default 30); frames of garment (default 150)")
        ->check(CLI::Range(1, 100000));
    bench->add_option("--tolerance", arguments->tolerance, "Error of the solves of scale, in edge lengths")
        ->check(CLI::Range(1e-9, 1e-2))
        ->capture_default_str();
    bench->add_option("--garment", arguments->garment, "Mesh of the contact benchmark's case 'garment'");
    bench->add_option("--body", arguments->body, "Mesh of the body that the garment is on");
    bench
        ->add_option("--peer", arguments->peer,
                     "Another program beside it, of twist and garment: blender; of twist its cloth takes "
                     "substeps of the same length on the same mesh")
        ->check(CLI::IsMember({"blender"}));
    bench->add_flag("--json", arguments->json, "Print machine-readable results");
    bench->callback([arguments] { run_bench(*arguments); });
}

}  // namespace rumple
