#include "run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/frames.hpp>

#include "progress.hpp"

namespace rumple {
namespace {

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

void emit_start(const std::vector<Scene>& scenes, const std::filesystem::path& out, EventStream& events) {
    if (!events.enabled()) return;
    nlohmann::ordered_json variants = nlohmann::ordered_json::array();
    for (const Scene& scene : scenes)
        variants.push_back({{"name", scene.variant},
                            {"scene_hash", scene_hash(scene)},
                            {"frames", frame_steps(scene).size()},
                            {"folder", (scene.variant.empty() ? out : out / scene.variant).string()}});
    events.emit("start", {{"rumple", version()},
                          {"source", source_hash()},
                          {"scene", scenes.front().name},
                          {"out", out.string()},
                          {"variants", variants}});
}

}  // namespace

void add_threads_option(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "threads; the result does not depend on it (0: all cores)")
        ->check(CLI::Range(0, 1024));
}

void add_backend_option(CLI::App& command, std::string& backend) {
    command
        .add_option("--backend", backend,
                    "what computes the steps: cpu, cuda, or auto (cuda if there is one)")
        ->check(CLI::IsMember({"cpu", "cuda", "auto"}))
        ->capture_default_str();
}

void add_resume_option(CLI::App& command, CommonRunArguments& arguments) {
    command.add_flag("--resume", arguments.resume, "continue where a run into this folder stopped");
}

void add_output_flags(CLI::App& command, CommonRunArguments& arguments, const std::string& quiet) {
    command.add_flag("--quiet", arguments.quiet, quiet);
    command.add_flag("--events", arguments.events,
                     "print one JSON object per line for each event, for other programs (docs/events.md)");
}

Backend backend_of(const std::string& name) {
    return name == "cuda" ? Backend::cuda : name == "auto" ? Backend::automatic : Backend::cpu;
}

std::vector<std::string> merged_warnings(const std::vector<Scene>& variants) {
    std::vector<std::string> order;
    for (const Scene& scene : variants)
        for (const std::string& warning : scene.warnings)
            if (std::find(order.begin(), order.end(), warning) == order.end()) order.push_back(warning);
    std::vector<std::string> merged;
    for (const std::string& warning : order) {
        std::vector<std::string> names;
        for (const Scene& scene : variants)
            if (std::find(scene.warnings.begin(), scene.warnings.end(), warning) != scene.warnings.end())
                names.push_back(scene.variant);
        merged.push_back(names.size() == variants.size()
                             ? warning
                             : fmt::format("variant {}: {}", fmt::join(names, ", "), warning));
    }
    return merged;
}

void report_warnings(const std::vector<Scene>& variants, const CommonRunArguments& arguments,
                     EventStream& events) {
    for (const std::string& warning : merged_warnings(variants)) {
        events.warning(warning);
        if (arguments.prints()) fmt::print(stderr, "warning: {}\n", warning);
    }
}

std::vector<RunResult> run_and_report(const std::vector<Scene>& scenes, const std::filesystem::path& out,
                                      const CommonRunArguments& arguments, EventStream& events,
                                      std::optional<double> checkpoint_seconds) {
    emit_start(scenes, out, events);
    report_warnings(scenes, arguments, events);
    Progress progress(!arguments.prints());
    ProgressObserver bar(progress);
    EventObserver stream(events);
    RunOptions options;
    options.out = out;
    options.resume = arguments.resume;
    options.threads = arguments.threads;
    options.backend = backend_of(arguments.backend);
    options.checkpoint_seconds = checkpoint_seconds.value_or(options.checkpoint_seconds);
    options.observer = events.enabled() ? static_cast<RunObserver*>(&stream) : &bar;
    try {
        std::vector<RunResult> results = run_scenes(scenes, options);
        progress.finish();
        for (const RunResult& result : results) events.add_folder(result.folder);
        return results;
    } catch (const SimulationError& error) {  // most often a full disk; what was written is not lost
        throw SimulationError(
            fmt::format("{}; fix this, then continue with --resume --out {}", error.what(), out.string()),
            error.place());
    }
}

void require_success(const std::vector<RunResult>& results, EventStream& events) {
    const RunResult* first = nullptr;
    for (const RunResult& result : results) {
        if (result.failure.empty()) continue;
        events.error("simulation", result.failure, result.failure_place, result.variant);
        if (first == nullptr) first = &result;
    }
    if (first != nullptr)
        throw SimulationError(
            first->variant.empty() ? first->failure : first->variant + ": " + first->failure,
            first->failure_place);
}

}  // namespace rumple
