// rumple experiments, rumple reproduce: the paper as a program.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <experiments/contact_scenes.hpp>
#include <experiments/experiment.hpp>
#include <experiments/report.hpp>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/core/version.hpp>
#include <rumple/io/atomic_file.hpp>

#include "commands.hpp"
#include "find_scene.hpp"
#include "machine.hpp"
#include "progress.hpp"
#include "run_options.hpp"
#include "sweep_command.hpp"
#include "textbook.hpp"
#include "twist_case.hpp"

namespace rumple {
namespace {

const Experiment& require_experiment(const std::string& name) {
    if (const Experiment* experiment = find_experiment(name)) return *experiment;
    std::vector<std::string> names;
    for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
    names.emplace_back("all");
    throw InputError(name, "there is no experiment of that name", suggestion(name, names));
}

void list_experiments() {
    fmt::print("{:<16} {:<8} {}\n", "experiment", "draft", "what happens");
    for (const Experiment& e : experiments())
        fmt::print("{:<16} {:<8} {}\n", e.name, e.draft_time, e.summary);
    fmt::print("\n{:<16} {:<8} {}\n", "scene", "", "to run, nothing to reproduce");
    for (const ContactScene& s : contact_scenes()) fmt::print("{:<16} {:<8} {}\n", s.name, "", s.summary);
}

// Of one linear solve, in states of the buckled twist.
std::vector<double> textbook_seconds(const std::string& size) {
    TwistCase twist({.size = twist_size(size)});
    std::vector<double> seconds;
    for (const auto& [n, state] : buckled_states(twist, 3, 0)) {
        TextbookReport report;
        const auto begin = std::chrono::steady_clock::now();
        textbook_step(twist.model(), state, twist.input(n), {.most_solves = 1}, report);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return seconds;
}

struct ReproduceArguments {
    std::string name, size = "draft", out;
    CommonRunArguments common;
    EngineArguments engine;
    bool plan_only = false;

    bool runs_ahead() const { return engine.engine == "slurm" || engine.jobs > 1; }
};

// Shows one bar, or one series of events, for each run of an experiment.
class ExperimentProgress {
  public:
    ExperimentProgress(std::string experiment, bool prints, EventStream& events)
        : experiment_(std::move(experiment)), prints_(prints), events_(events) {}

    void show(const std::string& what, double fraction) {
        const std::string run = what.substr(0, what.find(':'));
        if (run != current_) {
            current_ = run;
            bar_ = std::make_unique<Progress>(!prints_);
            events_.restart_progress();
        }
        bar_->show(fraction, experiment_ + " " + what);
        events_.progress(fraction, {{"experiment", experiment_}, {"run", what}});
    }

  private:
    std::string experiment_, current_;
    bool prints_;
    EventStream& events_;
    std::unique_ptr<Progress> bar_;
};

void report_claims(const std::string& experiment, const std::vector<Claim>& claims,
                   const std::filesystem::path& folder, const CommonRunArguments& arguments,
                   EventStream& events) {
    events.add_folder(folder);
    for (const Claim& claim : claims) {
        nlohmann::ordered_json fields{{"experiment", experiment}};
        fields.update(nlohmann::ordered_json(to_json(claim)));
        events.emit("claim", fields);
    }
    if (arguments.events) return;
    fmt::print("{}\n", experiment);
    for (const Claim& claim : claims) fmt::print("  {}\n", one_line(claim));
    fmt::print("  files in {}\n", folder.string());
    std::fflush(stdout);
}

void reproduce_one(const Experiment& experiment, const ReproduceArguments& arguments,
                   const std::filesystem::path& out, EventStream& events) {
    const Size size = arguments.size == "smoke"   ? Size::smoke
                      : arguments.size == "draft" ? Size::draft
                                                  : Size::paper;
    const std::filesystem::path folder = out / experiment.name;
    std::vector<Claim> claims;
    {
        ExperimentProgress progress(experiment.name, arguments.common.prints(), events);
        ExperimentContext context(
            size, folder, arguments.common.threads,
            [&](const std::string& what, double fraction) { progress.show(what, fraction); });
        context.set_backend(backend_of(arguments.common.backend));
        context.set_peer(textbook_seconds);
        claims = reproduce(experiment, context, to_line(describe_machine()));
    }
    report_claims(experiment.name, claims, folder, arguments.common, events);
}

// Cheapest first.
void print_plan(const std::vector<std::string>& names, const std::string& size) {
    std::vector<PlannedExperiment> planned = plan_experiments(names, size);
    std::stable_sort(planned.begin(), planned.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    fmt::print("{:<17} {:>6} {:>9} {:>10} {:>10} {:>13}\n", "experiment", "jobs", "vertices", "steps",
               "seconds", "longest job");
    for (const PlannedExperiment& e : planned)
        fmt::print("{:<17} {:>6} {:>9} {:>10} {:>10.0f} {:>13.0f}\n", e.name, e.runs, e.vertices, e.steps,
                   e.seconds, e.longest);
}

void reproduce_named(const ReproduceArguments& arguments, EventStream& events) {
    const std::filesystem::path out =
        arguments.out.empty() ? "out/reproduce-" + arguments.size : arguments.out;
    std::vector<const Experiment*> chosen;
    if (arguments.name == "all")
        for (const Experiment& experiment : experiments()) chosen.push_back(&experiment);
    else
        chosen.push_back(&require_experiment(arguments.name));
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const Experiment* experiment : chosen) names.push_back(experiment->name);
    if (arguments.plan_only) return print_plan(names.get<std::vector<std::string>>(), arguments.size);
    events.emit("start", {{"rumple", version()},
                          {"source", source_hash()},
                          {"experiments", names},
                          {"size", arguments.size},
                          {"out", out.string()}});
    if (arguments.runs_ahead())
        run_experiments_ahead(names.get<std::vector<std::string>>(), arguments.size, out, arguments.engine,
                              !arguments.common.prints());
    for (const Experiment* experiment : chosen) reproduce_one(*experiment, arguments, out, events);
    const std::filesystem::path report = write_report(out);  // on everything in this folder
    if (!arguments.common.events) fmt::print("report: {}\n", report.string());
}

}  // namespace

void add_experiments_command(CLI::App& program) {
    struct Arguments {
        std::string name, write;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command =
        program.add_subcommand("experiments", "List the built-in experiments, or write one's scene");
    command->add_option("NAME", arguments->name, "experiment");
    command->add_option("--write", arguments->write, "write its scene to this file, to edit");
    command->callback([arguments] {
        if (arguments->name.empty()) {
            if (!arguments->write.empty())
                throw InputError("--write", "which experiment?",
                                 "name one: rumple experiments twist --write my.json");
            return list_experiments();
        }
        const auto scene = builtin_scene(arguments->name);
        if (!scene)
            throw InputError(arguments->name, "there is no experiment or scene of that name",
                             suggestion(arguments->name, builtin_scene_names()));
        const std::string text = scene->dump(2) + "\n";
        if (arguments->write.empty()) {
            fmt::print("{}", text);
        } else {
            write_atomically(arguments->write, text);
        }
    });
}

void add_reproduce_command(CLI::App& program) {
    auto arguments = std::make_shared<ReproduceArguments>();
    CLI::App* command =
        program.add_subcommand("reproduce", "Run an experiment of the paper and judge its claims");
    command->add_option("NAME", arguments->name, "experiment, or all")->required();
    command
        ->add_option("--size", arguments->size,
                     "smoke (seconds), draft (minutes), paper (the paper's meshes)")
        ->check(CLI::IsMember({"smoke", "draft", "paper"}))
        ->capture_default_str();
    command->add_option("--out", arguments->out, "folder for the results (default: out/reproduce-<size>)");
    add_threads_option(*command, arguments->common.threads);
    add_backend_option(*command, arguments->common.backend);
    add_engine_options(*command, arguments->engine);
    command->add_flag(
        "--plan-only", arguments->plan_only,
        "run nothing; print jobs, steps and estimated seconds of each experiment, cheapest first");
    add_output_flags(*command, arguments->common, "no progress, only verdicts");
    command->callback([arguments] {
        EventStream events(arguments->common.events);
        arguments->engine.threads = arguments->common.threads;
        arguments->engine.wait = true;  // the verdicts need the results
        events.around([&] { reproduce_named(*arguments, events); });
    });
}

}  // namespace rumple
