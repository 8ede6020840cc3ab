// rumple run: simulates a scene into a folder and says what came out.
#include <fmt/format.h>

#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>

#include "commands.hpp"
#include "find_scene.hpp"
#include "progress.hpp"

namespace rumple {
namespace {

struct RunArguments {
    SceneChoice choice;
    std::string out;
    int threads = 0;
    bool resume = false, quiet = false;
    double checkpoint_seconds = RunOptions{}.checkpoint_seconds;
};

class ProgressObserver : public RunObserver {
  public:
    explicit ProgressObserver(Progress& progress) : progress_(progress) {}
    void on_progress(const RunProgress& now) override {
        std::string what = now.phase;
        for (const std::string& variant : now.variants)
            if (!variant.empty()) what += (what == now.phase ? " of " : ", ") + variant;
        progress_.show(now.fraction, what);
    }

  private:
    Progress& progress_;
};

void print_results(const std::vector<Scene>& scenes, const std::vector<RunResult>& results) {
    fmt::print("{:<16} {:<12} {:>14} {:>13} {:>9}\n", "variant", "cloth", "bending 1/m2", "angle rms rad",
               "recovery");
    for (std::size_t i = 0; i < results.size(); ++i)
        for (std::size_t c = 0; c < results[i].at_end.size(); ++c) {
            const ClothMeasures& cloth = results[i].at_end[c];
            const std::optional<double> recovery = results[i].recovery[c];
            fmt::print("{:<16} {:<12} {:>14.5g} {:>13.5g} {:>9}{}\n",
                       results[i].variant.empty() ? scenes[i].name : results[i].variant, cloth.cloth,
                       cloth["bending_content"], cloth["angle_change_rms"],
                       recovery ? fmt::format("{:.3f}", *recovery) : "-",
                       results[i].failure.empty() ? "" : "  failed");
        }
    for (const RunResult& result : results) fmt::print("files in {}\n", result.folder.string());
}

// What stops a whole run is the world around it: a full disk, most often. What it had done is not lost.
std::vector<RunResult> run_or_say_how_to_go_on(const std::vector<Scene>& scenes, const RunOptions& options) {
    try {
        return run_scenes(scenes, options);
    } catch (const SimulationError& error) {
        throw SimulationError(fmt::format("{}; mend this, then go on with --resume --out {}", error.what(),
                                          options.out.string()));
    }
}

void run(const RunArguments& arguments) {
    const std::vector<Scene> scenes = build_scenes(arguments.choice);
    if (!arguments.quiet)
        for (const std::string& warning : scenes.front().warnings)
            fmt::print(stderr, "warning: {}\n", warning);

    Progress progress(arguments.quiet);
    ProgressObserver observer(progress);
    RunOptions options;
    options.out = arguments.out.empty() ? "out/" + scenes.front().name : arguments.out;
    options.resume = arguments.resume;
    options.threads = arguments.threads;
    options.checkpoint_seconds = arguments.checkpoint_seconds;
    options.observer = &observer;
    const std::vector<RunResult> results = run_or_say_how_to_go_on(scenes, options);
    progress.finish();
    if (!arguments.quiet) print_results(scenes, results);
    for (const RunResult& result : results)
        if (!result.failure.empty())
            throw SimulationError(result.variant.empty() ? result.failure
                                                         : result.variant + ": " + result.failure);
}

}  // namespace

void add_run_command(CLI::App& program) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = program.add_subcommand("run", "Simulate a scene into a folder");
    command->add_option("SCENE", arguments->choice.scene, "scene file, or the name of a built-in scene")
        ->required();
    command->add_option("--out", arguments->out, "folder for the results (default: out/<scene name>)");
    command
        ->add_option("--set", arguments->choice.set,
                     "change the scene: path=value, like phases.hold.steps=10")
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--variant", arguments->choice.variants, "run only this variant (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command
        ->add_option("--threads", arguments->threads,
                     "threads; the result does not depend on it (0: all cores)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--resume", arguments->resume, "go on where a run into this folder stopped");
    command->add_option("--checkpoint-every", arguments->checkpoint_seconds, "seconds between checkpoints")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace rumple
