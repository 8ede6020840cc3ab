#include "bench_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/simulator.hpp>

namespace rumple {

namespace {

constexpr std::size_t kListed = 10;

double seconds_of(const StepTiming& t) {
    return t.evaluate + t.assemble + t.solve + t.advance + t.contact_broad + t.contact_narrow +
           t.contact_response;
}

class StepWatch : public RunObserver {
  public:
    explicit StepWatch(StepsBenchResult& result) : result_(result) {}

    void on_phase_begin(const std::vector<std::string>&, int phase, const Simulator& sim) override {
        phase_ = sim.scene().phases[static_cast<std::size_t>(phase)].name;
        step_ = 0;
        result_.vertices = sim.model().vertex_count();
    }

    void on_step(const StepReport& report, const Simulator&) override {
        TimedStep timed{phase_, ++step_, seconds_of(report.timing), report};
        result_.seconds.add(timed.seconds);
        result_.subdivided += report.contact.substeps > 1;
        std::vector<TimedStep>& longest = result_.longest;
        const auto place =
            std::ranges::find_if(longest, [&](const TimedStep& s) { return timed.seconds > s.seconds; });
        longest.insert(place, std::move(timed));
        if (longest.size() > kListed) longest.pop_back();
    }

  private:
    StepsBenchResult& result_;
    std::string phase_;
    int step_ = 0;
};

nlohmann::json to_json(const TimedStep& s) {
    const StepTiming& t = s.report.timing;
    return {{"phase", s.phase},
            {"step", s.step},
            {"seconds", s.seconds},
            {"substeps", s.report.contact.substeps},
            {"solves", s.report.solves},
            {"iterations", s.report.iterations},
            {"touching", s.report.contact.touching},
            {"rolled_back", s.report.contact.rolled_back},
            {"seconds_by_part",
             {{"evaluate", t.evaluate},
              {"assemble", t.assemble},
              {"solve", t.solve},
              {"contact_broad", t.contact_broad},
              {"contact_narrow", t.contact_narrow},
              {"contact_response", t.contact_response},
              {"advance", t.advance}}}};
}

}  // namespace

StepsBenchResult bench_steps(const SceneFile& scene, const StepsBenchOptions& options) {
    StepsBenchResult result;
    const std::vector<Scene> variants = build_variants(scene);
    result.name = variants.front().name;
    if (options.progress) options.progress(fmt::format("{}: {} variants", result.name, variants.size()));
    StepWatch watch(result);
    RunOptions run_options;  // no folder: in memory
    run_options.threads = options.threads;
    run_options.backend = options.backend;
    run_options.observer = &watch;
    for (const RunResult& run : run_scenes(variants, run_options))
        if (!run.failure.empty()) result.failure = run.failure;
    if (!result.longest.empty()) result.worst = result.longest.front();
    return result;
}

nlohmann::json to_json(const StepsBenchResult& r) {
    nlohmann::json longest = nlohmann::json::array();
    for (const TimedStep& s : r.longest) longest.push_back(to_json(s));
    return {{"scene", r.name},
            {"vertices", r.vertices},
            {"seconds_per_step", to_json(r.seconds)},
            {"seconds_per_step_mean", r.seconds.mean()},
            {"worst_over_median", r.ratio()},
            {"subdivided", r.subdivided},
            {"longest", std::move(longest)},
            {"failure", r.failure}};
}

std::string to_table(const std::vector<StepsBenchResult>& results) {
    std::string out =
        fmt::format("{:<16} {:>8} {:>6} {:>9} {:>9} {:>9} {:>6} {:>5} {}\n", "scene", "vertices", "steps",
                    "median ms", "mean ms", "worst ms", "ratio", "parts", "worst step");
    for (const StepsBenchResult& r : results)
        out += fmt::format("{:<16} {:>8} {:>6} {:>9.2f} {:>9.2f} {:>9.2f} {:>6.1f} {:>5} {} {}{}\n", r.name,
                           r.vertices, r.seconds.count(), 1e3 * r.seconds.median(), 1e3 * r.seconds.mean(),
                           1e3 * r.worst.seconds, r.ratio(), r.worst.report.contact.substeps, r.worst.phase,
                           r.worst.step, r.failure.empty() ? "" : "; " + r.failure);
    return out;
}

}  // namespace rumple
