#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <rumple/core/error.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/scene/scene_check.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/run_recorder.hpp>
#include <rumple/sim/variant_scheduler.hpp>
#include <rumple/sim/writer.hpp>
#include <utility>

namespace rumple {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// One variant of the run.
struct VariantRun {
    RunRecorder recorder;
    std::optional<SimState> state;    // nothing: at the beginning
    std::optional<RunResult> result;  // once it has ended
};

RunPosition position_of(const SimState& state) { return {state.phase, state.step_in_phase}; }

// Frames that the writer's thread has written and that the observer has not heard of.
class WrittenFrames {
  public:
    void add(FrameWritten frame) {
        const std::lock_guard lock(mutex_);
        frames_.push_back(std::move(frame));
    }
    std::vector<FrameWritten> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(frames_, {});
    }

  private:
    std::mutex mutex_;
    std::vector<FrameWritten> frames_;
};

// Carries out what the scheduler decides: steps with one simulator, records for all variants of a group.
class Runner {
  public:
    Runner(std::span<const Scene> variants, const RunOptions& options);
    std::vector<RunResult> run();

  private:
    using Group = std::vector<VariantRun*>;

    VariantScheduler make_scheduler() const;
    void run_segment(const RunSegment& segment);
    void take_steps(Simulator& sim, const Group& group, const RunSegment& segment);
    void end_phase(Simulator& sim, const Group& group);
    void write_due_frames(Simulator& sim, const Group& group, const std::string& phase,
                          const StepReport* step);
    void checkpoint(const Simulator& sim, const Group& group);
    void write(const Group& group, std::function<void()> job);
    void report_progress(const Group& group, const std::string& phase);
    void report_frames();
    Simulator& simulator_at(VariantRun& run);
    void finish(VariantRun& run, const SimulationError* failure);
    double wait_for_writer(VariantRun& run);
    static std::vector<std::string> names_of(const Group& group);

    const RunOptions& options_;
    std::deque<VariantRun> runs_;
    VariantScheduler scheduler_;
    std::unique_ptr<Simulator> simulator_;    // one at a time: variants that have parted take turns
    std::optional<SimulationError> failure_;  // of the segment under way
    Clock::time_point last_checkpoint_;
    std::int64_t steps_done_ = 0;
    WrittenFrames written_;
    Writer writer_;  // the last: it ends before the archives it writes into
};

std::unique_ptr<Simulator> make_simulator(const Scene& scene, const RunOptions& options) {
    auto simulator = std::make_unique<Simulator>(scene, options.threads, options.backend);
    simulator->set_resident(true);  // frames and checkpoints look at the state; other steps need not
    return simulator;
}

// The last claim goes first, so that folders that were just made are removed again.
void release(std::deque<VariantRun>& runs) {
    while (!runs.empty()) runs.pop_back();
}

std::deque<VariantRun> claim_runs(std::span<const Scene> variants, const RunOptions& options) {
    std::deque<VariantRun> runs;
    try {
        for (const Scene& scene : variants) {
            check_scene(scene);
            std::filesystem::path folder = options.out;
            if (!folder.empty() && !scene.variant.empty()) folder /= scene.variant;
            RunRecorder recorder(scene, folder, options.resume);
            std::optional<SimState> state = recorder.found_state();
            runs.push_back({std::move(recorder), std::move(state), std::nullopt});
        }
    } catch (...) {
        release(runs);
        throw;
    }
    return runs;
}

Runner::Runner(std::span<const Scene> variants, const RunOptions& options)
    : options_(options), runs_(claim_runs(variants, options)), scheduler_(make_scheduler()) {
    if (runs_.empty()) return;
    try {  // before anything is written: the backend may be missing
        simulator_ = make_simulator(runs_.front().recorder.scene(), options_);
    } catch (...) {
        release(runs_);
        throw;
    }
    for (VariantRun& run : runs_) run.recorder.open();
}

VariantScheduler Runner::make_scheduler() const {
    std::vector<VariantPlan> plans;
    for (const VariantRun& run : runs_)
        plans.push_back(plan_of(run.recorder.scene(), run.recorder.hashes(),
                                run.state ? position_of(*run.state) : RunPosition{}));
    return VariantScheduler(std::move(plans));
}

std::vector<RunResult> Runner::run() {
    last_checkpoint_ = Clock::now();
    while (const auto segment = scheduler_.next()) run_segment(*segment);
    for (VariantRun& run : runs_)
        if (!run.result) finish(run, nullptr);  // it was complete before
    writer_.drain();
    report_frames();
    std::vector<RunResult> results;
    for (VariantRun& run : runs_) results.push_back(std::move(*run.result));
    return results;
}

void Runner::run_segment(const RunSegment& segment) {
    const Clock::time_point start = Clock::now();
    Group group;
    for (const std::size_t i : segment.variants) group.push_back(&runs_[i]);
    Simulator& sim = simulator_at(runs_[segment.leader]);
    failure_.reset();
    if (options_.observer != nullptr && segment.begin.step == 0)
        options_.observer->on_phase_begin(names_of(group), segment.begin.phase, sim);
    if (!sim.skip_empty_phase()) take_steps(sim, group, segment);
    for (VariantRun* run : group) {
        run->state = sim.sim_state();
        run->recorder.timing().total += seconds_since(start);
    }
    scheduler_.advance(segment, position_of(sim.sim_state()));
    if (failure_) scheduler_.fail(segment);
    if (sim.phase_index() > segment.begin.phase) end_phase(sim, group);
    for (const std::size_t i : segment.variants)
        if (scheduler_.ended(i)) finish(runs_[i], failure_ ? &*failure_ : nullptr);
}

void Runner::take_steps(Simulator& sim, const Group& group, const RunSegment& segment) {
    const int phase = segment.begin.phase;
    const std::string name = sim.scene().phases[static_cast<std::size_t>(phase)].name;
    if (sim.steps_taken() == 0) write_due_frames(sim, group, name, nullptr);
    while (sim.phase_index() == phase && sim.step_in_phase() < segment.end_step) {
        StepReport step;
        try {
            step = sim.step();
        } catch (const SimulationError& error) {
            failure_ = error;
            return;
        }
        for (VariantRun* run : group) run->recorder.add_step(step);
        ++steps_done_;
        writer_.rethrow_failure();
        write_due_frames(sim, group, name, &step);
        if (options_.observer != nullptr) options_.observer->on_step(step, sim);
        report_frames();
        report_progress(group, name);
        // At the end of the phase end_phase() has more to record, and writes the checkpoint.
        const bool inside_phase = sim.phase_index() == phase;
        if (inside_phase && seconds_since(last_checkpoint_) >= options_.checkpoint_seconds)
            checkpoint(sim, group);
    }
}

void Runner::end_phase(Simulator& sim, const Group& group) {
    const Clock::time_point start = Clock::now();
    const int phase = sim.phase_index() - 1;
    for (VariantRun* run : group) run->recorder.end_phase(sim, phase);
    checkpoint(sim, group);
    for (VariantRun* run : group) run->recorder.timing().total += seconds_since(start);
    if (options_.observer != nullptr) options_.observer->on_phase_end(names_of(group), phase, sim);
}

void Runner::write_due_frames(Simulator& sim, const Group& group, const std::string& phase,
                              const StepReport* step) {
    const Clock::time_point start = Clock::now();
    std::vector<std::pair<RunRecorder*, FrameMetrics>> rows;
    bool memory = false;
    for (VariantRun* run : group)
        for (FrameMetrics& metrics : run->recorder.due_frames(sim, phase, step)) {
            rows.emplace_back(&run->recorder, std::move(metrics));
            memory = memory || run->recorder.scene().output_memory;
        }
    if (!rows.empty())
        write(group, [this, memory, &constant = std::as_const(sim), rows = std::move(rows),
                      frame = FrameSnapshot{visible_part(sim.sim_state().state),
                                            sim.obstacle_positions()}]() mutable {
            frame.measures = measure_cloths(constant, frame.visible);
            if (memory) frame.memory = cloth_memory(constant, frame.visible);
            for (const auto& [recorder, metrics] : rows) {
                recorder->write_frame(frame, metrics);
                if (options_.observer != nullptr)
                    written_.add({recorder->scene().variant, metrics.frame, recorder->frame_files()});
            }
        });
    for (VariantRun* run : group) run->recorder.timing().output += seconds_since(start);
}

void Runner::checkpoint(const Simulator& sim, const Group& group) {
    const Clock::time_point start = Clock::now();
    std::vector<std::pair<RunRecorder*, RunRecorder::Moment>> parts;
    for (VariantRun* run : group)
        if (run->recorder.has_archive()) parts.emplace_back(&run->recorder, run->recorder.moment());
    if (!parts.empty())
        write(group,
              [threads = options_.threads, parts = std::move(parts),
               shared = Checkpoint{
                   "", {}, sim.sim_state(), program_version(), sim.model().source_ids.hinges}]() mutable {
                  for (const auto& [recorder, moment] : parts)
                      recorder->write_checkpoint(shared, moment, threads);
              });
    last_checkpoint_ = Clock::now();
    for (VariantRun* run : group) run->recorder.timing().output += seconds_since(start);
}

// Passes a job of these variants to the writer's thread. The job has copies of the simulation's state, and
// reads besides only what is constant.
void Runner::write(const Group& group, std::function<void()> job) {
    const double waited_before = writer_.waited();
    writer_.submit([group, job = std::move(job)] {
        double seconds = 0;
        {
            const Stopwatch watch(seconds);
            job();
        }
        for (VariantRun* run : group) run->recorder.add_writing_time(seconds);
    });
    for (VariantRun* run : group) run->recorder.timing().output_wait += writer_.waited() - waited_before;
}

std::vector<std::string> Runner::names_of(const Group& group) {
    std::vector<std::string> names;
    for (const VariantRun* run : group) names.push_back(run->recorder.scene().variant);
    return names;
}

void Runner::report_progress(const Group& group, const std::string& phase) {
    if (options_.observer == nullptr) return;
    const std::int64_t total = scheduler_.total_steps(), to_do = scheduler_.steps_to_do();
    RunProgress progress;
    progress.steps_done = steps_done_;
    progress.steps_to_do = to_do;
    progress.fraction = static_cast<double>(total - to_do + steps_done_) /
                        static_cast<double>(std::max<std::int64_t>(total, 1));
    progress.phase = phase;
    progress.variants = names_of(group);
    options_.observer->on_progress(progress);
}

void Runner::report_frames() {
    if (options_.observer == nullptr) return;
    for (const FrameWritten& frame : written_.take()) options_.observer->on_frame(frame);
}

Simulator& Runner::simulator_at(VariantRun& run) {
    const Scene& scene = run.recorder.scene();
    if (!simulator_ || &simulator_->scene() != &scene) {
        wait_for_writer(run);  // its jobs may read the old one
        simulator_.reset();    // before the new one is made: two would need twice the memory
        simulator_ = make_simulator(scene, options_);
    }
    if (run.state)
        simulator_->restore(*run.state);
    else
        simulator_->restart();
    return *simulator_;
}

void Runner::finish(VariantRun& run, const SimulationError* failure) {
    Simulator& sim = simulator_at(run);
    const Group alone{&run};
    const Scene& scene = run.recorder.scene();
    // Of a run without steps.
    write_due_frames(sim, alone, scene.phases.empty() ? "" : scene.phases.front().name, nullptr);
    if (failure != nullptr) checkpoint(sim, alone);
    RunResult& result = run.result.emplace(run.recorder.result(sim));
    if (failure != nullptr) {
        result.failure = failure->what();
        result.failure_place = failure->place();
    }
    run.recorder.summarize(result);
    if (!run.recorder.has_archive()) return;
    // No step is left to wait, so timing.json can include the wait.
    if (scheduler_.all_ended()) run.recorder.timing().total += wait_for_writer(run);
    write(alone, [&run, moment = run.recorder.moment(), threads = options_.threads] {
        run.recorder.write_end(*run.result, moment, threads);
    });
}

double Runner::wait_for_writer(VariantRun& run) {
    const double waited_before = writer_.waited();
    writer_.drain();
    const double waited = writer_.waited() - waited_before;
    run.recorder.timing().output_wait += waited;
    run.recorder.timing().output += waited;
    return waited;
}

}  // namespace

std::vector<RunResult> run_scenes(std::span<const Scene> variants, const RunOptions& options) {
    return Runner(variants, options).run();
}

}  // namespace rumple
