#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/scene/scene_check.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/frames.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/run_folder.hpp>
#include <rumple/sim/summary.hpp>
#include <rumple/sim/writer.hpp>
#include <utility>

namespace rumple {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// One variant on its way.
struct Run {
    const Scene* scene;
    SceneHashes hashes;
    std::optional<RunFolder> folder;
    std::vector<std::int64_t> frame_steps;
    SimState sim;
    RunRecord record;
    RunTiming timing;
    double writing = 0;  // s; belongs to the writer's thread
    std::string failure;
    std::optional<RunResult> result;  // once it has ended

    std::size_t phase() const { return static_cast<std::size_t>(sim.phase); }
    bool under_way() const { return failure.empty() && phase() < scene->phases.size(); }
    std::pair<int, int> position() const { return {sim.phase, sim.step_in_phase}; }
};

// Is the run up to the end of phase k the same for both? Equal hashes say so.
bool alike(const Run& a, const Run& b, std::size_t k) {
    return k < a.hashes.phases.size() && k < b.hashes.phases.size() &&
           a.hashes.phases[k] == b.hashes.phases[k];
}

class Runner {
  public:
    Runner(std::span<const Scene> variants, const RunOptions& options) : options_(options) {
        try {
            for (const Scene& scene : variants) prepare(scene);
        } catch (...) {
            while (!runs_.empty())
                runs_.pop_back();  // in this order, so that folders just made go away again
            throw;
        }
        for (Run& run : runs_)
            if (run.folder) run.folder->open(metrics_header(*run.scene));
        count_steps();
    }

    std::vector<RunResult> run() {
        last_checkpoint_ = Clock::now();
        for (Run* leader = next(); leader != nullptr; leader = next()) advance(*leader);
        for (Run& run : runs_)
            if (!run.result) finish(run);  // it was complete when we came
        writer_.drain();
        std::vector<RunResult> results;
        for (Run& run : runs_) results.push_back(std::move(*run.result));
        return results;
    }

  private:
    void prepare(const Scene& scene);
    void count_steps();
    Run* next();
    void advance(Run& leader);
    int stop_step(const Run& leader) const;
    void take_steps(Simulator& sim, std::span<Run*> group, int stop);
    void end_phase(Simulator& sim, std::span<Run*> group);
    void write_due_frames(Simulator& sim, std::span<Run*> group, const std::string& phase,
                          const StepReport* step);
    void checkpoint(const Simulator& sim, std::span<Run*> group);
    void write(std::span<Run*> group, std::function<void()> job);
    void write_timing(const Run& run, RunTiming timing, const StepCounts& counts) const;
    void tell_progress(std::span<Run*> group, const std::string& phase);
    Simulator& simulator_at(Run& run);
    void finish(Run& run);
    double wait_for_writer(Run& run);

    const RunOptions& options_;
    std::vector<Run> runs_;
    const Run* last_leader_ = nullptr;
    const Scene* simulated_ = nullptr;
    std::unique_ptr<Simulator> simulator_;
    Clock::time_point last_checkpoint_;
    std::int64_t steps_in_all_ = 0, steps_to_do_ = 0, steps_done_ = 0;
    Writer writer_;  // the last: it ends before the folders it writes into
};

void Runner::prepare(const Scene& scene) {
    check_scene(scene);
    Run run;
    run.scene = &scene;
    run.hashes = scene_hashes(scene);
    run.frame_steps = frame_steps(scene);
    if (!options_.out.empty()) {
        run.folder.emplace(scene, scene.variant.empty() ? options_.out : options_.out / scene.variant,
                           options_.resume);
        if (const auto& found = run.folder->found()) {
            run.sim = found->sim;
            run.record = found->record;
            run.timing = parse_timing(run.folder->read_text("timing.json").value_or(""));
            run.writing = run.timing.writing;
        }
    }
    if (run.sim.state.x.empty()) run.sim = initial_state(scene, make_model(scene));
    runs_.push_back(std::move(run));
}

// Steps that variants share count once; of those, what the least advanced still has before it is left to do.
void Runner::count_steps() {
    for (std::size_t i = 0; i < runs_.size(); ++i)
        for (std::size_t k = 0; k < runs_[i].scene->phases.size(); ++k) {
            const auto shares = [&](const Run& other) { return alike(other, runs_[i], k); };
            if (std::any_of(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(i), shares)) continue;
            const int steps = runs_[i].scene->phases[k].steps;
            int left = 0;
            for (const Run& run : runs_)
                if (shares(run) && run.phase() <= k)
                    left = std::max(left, run.phase() == k ? steps - run.sim.step_in_phase : steps);
            steps_in_all_ += steps;
            steps_to_do_ += left;
        }
}

// Depth first: the run that was under way goes on, but one that lags behind it on the same way goes before
// it, so that they can meet.
Run* Runner::next() {
    Run* chosen = nullptr;
    for (Run& run : runs_)
        if (run.under_way() && (chosen == nullptr || &run == last_leader_)) chosen = &run;
    if (chosen == nullptr) return nullptr;
    const Run& way = *chosen;
    for (Run& run : runs_)
        if (run.under_way() && run.position() < chosen->position() && alike(run, way, way.phase()))
            chosen = &run;
    last_leader_ = chosen;
    return chosen;
}

void Runner::advance(Run& leader) {
    const Clock::time_point start = Clock::now();
    std::vector<Run*> group;
    for (Run& run : runs_)
        if (run.under_way() && run.position() == leader.position() && alike(run, leader, leader.phase()))
            group.push_back(&run);
    Simulator& sim = simulator_at(leader);
    const int phase = leader.sim.phase;
    if (!sim.skip_empty_phase()) take_steps(sim, group, stop_step(leader));
    for (Run* run : group) {
        run->sim = sim.sim_state();
        run->timing.total += seconds_since(start);
    }
    if (sim.sim_state().phase > phase) end_phase(sim, group);
    for (Run* run : group)
        if (!run->under_way()) finish(*run);
}

// The end of the phase, or where another run of the same way waits.
int Runner::stop_step(const Run& leader) const {
    int stop = leader.scene->phases[leader.phase()].steps;
    for (const Run& run : runs_)
        if (run.under_way() && run.phase() == leader.phase() && run.position() > leader.position() &&
            alike(run, leader, leader.phase()))
            stop = std::min(stop, run.sim.step_in_phase);
    return stop;
}

void Runner::take_steps(Simulator& sim, std::span<Run*> group, int stop) {
    const Run& leader = *group.front();
    const std::string phase = leader.scene->phases[leader.phase()].name;
    if (sim.sim_state().state.step == 0) write_due_frames(sim, group, phase, nullptr);
    while (sim.sim_state().phase == leader.sim.phase && sim.sim_state().step_in_phase < stop) {
        StepReport step;
        try {
            step = sim.step();
        } catch (const SimulationError& error) {
            for (Run* run : group) run->failure = error.what();
            return;
        }
        for (Run* run : group) {
            run->record.add(step);
            run->timing.step.evaluate += step.timing.evaluate;
            run->timing.step.assemble += step.timing.assemble;
            run->timing.step.solve += step.timing.solve;
            run->timing.step.advance += step.timing.advance;
            run->timing.step.contact_broad += step.timing.contact_broad;
            run->timing.step.contact_narrow += step.timing.contact_narrow;
            run->timing.step.contact_response += step.timing.contact_response;
        }
        ++steps_done_;
        writer_.rethrow_failure();
        write_due_frames(sim, group, phase, &step);
        if (options_.observer != nullptr) options_.observer->on_step(step, sim);
        tell_progress(group, phase);
        const bool phase_goes_on =
            sim.sim_state().phase == leader.sim.phase;  // else end_phase() has more to record
        if (phase_goes_on && seconds_since(last_checkpoint_) >= options_.checkpoint_seconds)
            checkpoint(sim, group);
    }
}

void Runner::end_phase(Simulator& sim, std::span<Run*> group) {
    const Clock::time_point start = Clock::now();
    const int phase = sim.sim_state().phase - 1;
    std::vector<std::string> names;
    for (Run* run : group) {
        names.push_back(run->scene->variant);
        if (run->scene->recovery_phase == phase)
            run->record.at_recovery = measure_cloths(sim, sim.sim_state().state);
    }
    checkpoint(sim, group);
    for (Run* run : group) run->timing.total += seconds_since(start);
    if (options_.observer != nullptr) options_.observer->on_phase_end(names, phase, sim);
}

void Runner::write_due_frames(Simulator& sim, std::span<Run*> group, const std::string& phase,
                              const StepReport* step) {
    const Clock::time_point start = Clock::now();
    std::vector<std::pair<Run*, MetricsRow>> rows;
    for (Run* run : group) {
        std::int64_t& frames = run->record.frames;
        while (frames < static_cast<std::int64_t>(run->frame_steps.size()) &&
               run->frame_steps[static_cast<std::size_t>(frames)] <= sim.sim_state().state.step) {
            if (run->folder) rows.emplace_back(run, metrics_row(sim, {frames, phase, step}));
            ++frames;
        }
    }
    if (!rows.empty())
        write(group, [&constant = std::as_const(sim), shown = shown_part(sim.sim_state().state),
                      obstacles = sim.obstacle_positions(), rows = std::move(rows)] {
            const std::vector<ClothMeasures> measures = measure_cloths(constant, shown);
            std::vector<Vec3d> memory;
            for (const auto& [run, row] : rows) {
                if (run->scene->output_memory && memory.empty()) memory = cloth_memory(constant, shown);
                run->folder->write_frame(shown.x, obstacles, memory, row.with(measures));
            }
        });
    for (Run* run : group) run->timing.output += seconds_since(start);
}

void Runner::checkpoint(const Simulator& sim, std::span<Run*> group) {
    const Clock::time_point start = Clock::now();
    struct Part {
        Run* run;
        RunRecord record;
        RunTiming timing;
    };
    std::vector<Part> parts;
    for (Run* run : group)
        if (run->folder) parts.push_back({run, run->record, run->timing});
    if (!parts.empty())
        write(group,
              [this, parts = std::move(parts),
               checkpoint = Checkpoint{
                   "", {}, sim.sim_state(), program_version(), sim.model().source_ids.hinges}]() mutable {
                  for (const Part& part : parts) {
                      checkpoint.scene_hash = part.run->hashes.run;
                      checkpoint.record = part.record;
                      checkpoint.record.metrics_bytes = part.run->folder->metrics_bytes();
                      part.run->folder->write_checkpoint(checkpoint);
                      write_timing(*part.run, part.timing, part.record.counts);
                  }
              });
    last_checkpoint_ = Clock::now();
    for (Run* run : group) run->timing.output += seconds_since(start);
}

// Hands a job of these runs to the writer's thread: of the simulation it has copies, and what is constant.
void Runner::write(std::span<Run*> group, std::function<void()> job) {
    const double waited_before = writer_.waited();
    writer_.submit([runs = std::vector<Run*>(group.begin(), group.end()), job = std::move(job)] {
        double seconds = 0;
        {
            const Stopwatch watch(seconds);
            job();
        }
        for (Run* run : runs) run->writing += seconds;
    });
    for (Run* run : group) run->timing.output_wait += writer_.waited() - waited_before;
}

void Runner::write_timing(const Run& run, RunTiming timing, const StepCounts& counts) const {
    timing.writing = run.writing;
    run.folder->write_text("timing.json", timing_text(timing, counts, options_.threads));
}

void Runner::tell_progress(std::span<Run*> group, const std::string& phase) {
    if (options_.observer == nullptr) return;
    RunProgress progress;
    progress.steps_done = steps_done_;
    progress.steps_to_do = steps_to_do_;
    progress.fraction = static_cast<double>(steps_in_all_ - steps_to_do_ + steps_done_) /
                        static_cast<double>(std::max<std::int64_t>(steps_in_all_, 1));
    progress.phase = phase;
    for (const Run* run : group) progress.variants.push_back(run->scene->variant);
    options_.observer->on_progress(progress);
}

// One simulator at a time: variants that have parted take turns.
Simulator& Runner::simulator_at(Run& run) {
    if (simulated_ != run.scene) {
        wait_for_writer(run);  // it may look at the old one
        simulator_.reset();
        simulator_ = std::make_unique<Simulator>(*run.scene, options_.threads);
        simulated_ = run.scene;
    }
    simulator_->restore(run.sim);
    return *simulator_;
}

void Runner::finish(Run& run) {
    Simulator& sim = simulator_at(run);
    Run* alone[] = {&run};
    write_due_frames(sim, alone, run.scene->phases.front().name, nullptr);  // of a run without steps
    if (!run.failure.empty()) checkpoint(sim, alone);
    RunResult& result = run.result.emplace();
    result.variant = run.scene->variant;
    result.failure = run.failure;
    result.last = run.sim;
    result.counts = run.record.counts;
    result.trouble = run.record.trouble;
    result.retries = run.record.retries;
    result.at_recovery = run.record.at_recovery;
    result.at_end = measure_cloths(sim, sim.sim_state().state);
    result.regions = measure_regions(sim);
    result.recovery = recovery_of(result.at_recovery, result.at_end);
    result.summary = summary_text(*run.scene, result, run.record.frames);
    if (!run.folder) return;
    result.folder = run.folder->path();
    if (std::none_of(runs_.begin(), runs_.end(), [](const Run& other) { return other.under_way(); }))
        run.timing.total += wait_for_writer(run);  // no step is left to wait: so that timing.json tells of it
    write(alone, [this, &run, timing = run.timing] {  // what else is looked at changes no more
        if (run.failure.empty()) run.folder->write_final(run.sim.state.x);
        write_timing(run, timing, run.record.counts);
        run.folder->write_text("summary.json",
                               run.result->summary);  // last: it says that everything is there
    });
}

double Runner::wait_for_writer(Run& run) {
    const double waited_before = writer_.waited();
    writer_.drain();
    const double waited = writer_.waited() - waited_before;
    run.timing.output_wait += waited;
    run.timing.output += waited;
    return waited;
}

}  // namespace

std::vector<RunResult> run_scenes(std::span<const Scene> variants, const RunOptions& options) {
    return Runner(variants, options).run();
}

}  // namespace rumple
