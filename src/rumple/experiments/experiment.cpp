#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/experiments/catalogue.hpp>
#include <rumple/experiments/experiment.hpp>
#include <rumple/io/atomic_file.hpp>

namespace rumple {

namespace {

// Hands progress on in the words of the workbench, and everything to an observer of the experiment's own.
class Relay : public RunObserver {
  public:
    Relay(const std::string& what, const Workbench::Progress& progress, RunObserver* next)
        : what_(what), progress_(progress), next_(next) {}
    void on_step(const StepReport& report, const Simulator& sim) override {
        if (next_) next_->on_step(report, sim);
    }
    void on_phase_end(const std::vector<std::string>& variants, int phase, Simulator& sim) override {
        if (next_) next_->on_phase_end(variants, phase, sim);
    }
    void on_progress(const RunProgress& p) override {
        if (progress_) progress_(what_ + ": " + p.phase, p.fraction);
    }

  private:
    const std::string& what_;
    const Workbench::Progress& progress_;
    RunObserver* next_;
};

std::vector<RunResult> run_document(const nlohmann::json& document, const std::string& name,
                                    RunOptions options) {
    const std::vector<Scene> scenes = build_variants({document, name, {}});
    std::vector<RunResult> results = run_scenes(scenes, options);
    for (const RunResult& r : results)
        if (!r.failure.empty()) throw SimulationError(fmt::format("{} {}: {}", name, r.variant, r.failure));
    return results;
}

const char* size_name(Size size) {
    return size == Size::smoke ? "smoke" : size == Size::draft ? "draft" : "paper";
}

}  // namespace

std::vector<RunResult> Workbench::run(const nlohmann::json& scene, const std::string& folder) const {
    Relay relay(folder, progress_, nullptr);
    RunOptions options;
    if (!out_.empty()) options.out = out_ / folder;
    options.resume = true;
    options.threads = threads_;
    options.observer = &relay;
    return run_document(scene, folder, options);
}

std::vector<RunResult> Workbench::watch(const nlohmann::json& scene, const std::string& what,
                                        RunObserver& observer) const {
    Relay relay(what, progress_, &observer);
    RunOptions options;
    options.threads = threads_;
    options.observer = &relay;
    return run_document(scene, what, options);
}

void Workbench::write_table(const std::string& name, const std::vector<std::string>& columns,
                            const std::vector<std::vector<double>>& rows) const {
    if (out_.empty()) return;
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const auto& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
    std::filesystem::create_directories(out_);
    write_atomically(out_ / (name + ".csv"), text);
}

const Experiment* find_experiment(const std::string& name) {
    const auto& all = experiments();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<Claim> reproduce(const Experiment& experiment, const Workbench& bench) {
    std::vector<Claim> claims = experiment.reproduce(bench);
    if (bench.out().empty()) return claims;
    nlohmann::json verdict{
        {"experiment", experiment.name}, {"size", size_name(bench.size())}, {"version", RUMPLE_VERSION}};
    for (const Claim& claim : claims) verdict["claims"].push_back(to_json(claim));
    std::filesystem::create_directories(bench.out());
    write_atomically(bench.out() / "verdict.json", verdict.dump(2) + "\n");
    return claims;
}

}  // namespace rumple
