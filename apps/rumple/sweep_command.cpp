// rumple sweep: many runs of one scene, on this machine or on a cluster.
#include "sweep_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple_farm/farm_folder.hpp>
#include <rumple_farm/plan.hpp>

#include "commands.hpp"
#include "find_scene.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
    std::string file, out;
    bool plan_only = false, quiet = false;
    EngineArguments engine;
};

// The scene that a sweep names: a file beside the sweep's own, a file, or a built-in scene.
SceneFile scene_of_sweep(const std::string& scene, const fs::path& folder) {
    std::error_code ignored;
    const bool beside = fs::is_regular_file(folder / scene, ignored);
    SceneFile file = find_scene(beside ? (folder / scene).string() : scene);
    const bool is_file = beside || fs::is_regular_file(scene, ignored);
    file.folder = is_file ? fs::absolute(file.folder / ".").lexically_normal() : folder;
    return file;
}

farm::Plan make_plan(const SweepArguments& arguments) {
    const nlohmann::json document =
        parse_json(read_file(arguments.file, kMaxJsonBytes, require_text), arguments.file);
    farm::Sweep sweep = farm::read_sweep(document, arguments.file);
    const fs::path folder = fs::absolute(arguments.file).parent_path();
    const SceneFile scene = scene_of_sweep(sweep.scene, folder);
    farm::resolve_paths(sweep, scene.folder, folder);
    return farm::plan_sweep(sweep, scene, arguments.file);
}

void sweep(const SweepArguments& arguments) {
    if (arguments.file.empty())
        throw InputError("", "which sweep?",
                         "name its file: rumple sweep sweep.json; see rumple sweep --help");
    const fs::path out = fs::absolute(arguments.out.empty() ? "out" / fs::path(arguments.file).stem()
                                                            : fs::path(arguments.out));
    const farm::Plan plan = make_plan(arguments);
    if (!arguments.plan_only) require_engine(out, arguments.engine);
    if (!arguments.quiet)
        fmt::print("{} points: {} jobs and {} shared beginnings in {}\n", plan.rows.size(),
                   plan.jobs.size() - static_cast<std::size_t>(plan.beginnings()), plan.beginnings(),
                   out.string());
    if (arguments.plan_only) {
        const farm::FarmLock lock(out);
        farm::write_plan(out, plan);
    } else if (const auto counts = run_engine(out, plan, arguments.engine, arguments.quiet)) {
        require_ended(*counts, out, false);
    }
}

}  // namespace

void add_sweep_command(CLI::App& program) {
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = program.add_subcommand(
        "sweep", "Run a scene with many values of its keys, here or on a cluster (docs/farm.md)");
    command->add_option("SWEEP", arguments->file, "file that says which scene and which values");
    command->add_option("--out", arguments->out, "folder of the sweep (default: out/<name of the file>)");
    command->add_flag("--plan-only", arguments->plan_only, "write the plan; run and submit nothing");
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    add_engine_options(*command, arguments->engine);
    command
        ->add_option("--threads", arguments->engine.threads,
                     "local: threads of one job (0: the cores left for it)")
        ->check(CLI::Range(0, 1024));
    add_sweep_subcommands(*command);
    command->require_subcommand(0, 1);
    command->callback([arguments, command] {
        if (command->get_subcommands().empty()) sweep(*arguments);
    });
}

}  // namespace rumple
