// rumple run: simulates a scene into a folder and prints what resulted.
#include <fmt/format.h>

#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>

#include "commands.hpp"
#include "find_scene.hpp"
#include "run_options.hpp"

namespace rumple {
namespace {

struct RunArguments {
    SceneChoice choice;
    std::string out;
    CommonRunArguments common;
    double checkpoint_seconds = RunOptions{}.checkpoint_seconds;
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
                       cloth.measures.bending_content, cloth.measures.angle_change_rms,
                       recovery ? fmt::format("{:.3f}", *recovery) : "-",
                       results[i].failure.empty() ? "" : "  failed");
        }
    for (const RunResult& result : results) fmt::print("files in {}\n", result.folder.string());
}

void run(const RunArguments& arguments, EventStream& events) {
    const std::vector<Scene> scenes = build_scenes(arguments.choice);
    const std::string out = arguments.out.empty() ? "out/" + scenes.front().name : arguments.out;
    const std::vector<RunResult> results =
        run_and_report(scenes, out, arguments.common, events, arguments.checkpoint_seconds);
    if (arguments.common.prints()) print_results(scenes, results);
    require_success(results, events);
}

}  // namespace

void add_run_command(CLI::App& program) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = program.add_subcommand("run", "Simulate a scene into a folder");
    add_scene_options(*command, arguments->choice, "run");
    command->add_option("--out", arguments->out, "folder for the results (default: out/<scene name>)");
    add_threads_option(*command, arguments->common.threads);
    add_backend_option(*command, arguments->common.backend);
    add_resume_option(*command, arguments->common);
    command->add_option("--checkpoint-every", arguments->checkpoint_seconds, "seconds between checkpoints")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_output_flags(*command, arguments->common);
    command->callback([arguments] {
        EventStream events(arguments->common.events);
        events.around([&] { run(*arguments, events); });
    });
}

}  // namespace rumple
