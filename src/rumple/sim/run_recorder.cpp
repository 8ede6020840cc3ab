#include <rumple/sim/frames.hpp>
#include <rumple/sim/run_recorder.hpp>

namespace rumple {

RunRecorder::RunRecorder(const Scene& scene, const std::filesystem::path& folder, bool resume)
    : scene_(scene),
      hashes_(scene_hashes(scene)),
      cloths_(identities_of(scene)),
      frame_steps_(frame_steps(scene)) {
    if (folder.empty()) return;
    archive_.emplace(scene, hashes_.run, folder, resume);
    if (!archive_->found()) return;
    record_ = archive_->found()->record;
    timing_ = archive_->found_timing().timing;
    writing_ = timing_.writing;
}

std::optional<SimState> RunRecorder::found_state() const {
    if (!archive_ || !archive_->found()) return std::nullopt;
    return archive_->found()->sim;
}

void RunRecorder::open() {
    if (archive_) archive_->open();
}

void RunRecorder::add_step(const StepReport& step) {
    record_.add(step);
    timing_.step += step.timing;
}

void RunRecorder::end_phase(const Simulator& sim, int phase) {
    if (scene_.recovery_phase == phase) record_.at_recovery = measure_cloths(sim, sim.sim_state().state);
}

std::vector<FrameMetrics> RunRecorder::due_frames(Simulator& sim, const std::string& phase,
                                                  const StepReport* step) {
    std::vector<FrameMetrics> due;
    for (std::int64_t& frame = record_.frames;
         frame < static_cast<std::int64_t>(frame_steps_.size()) &&
         frame_steps_[static_cast<std::size_t>(frame)] <= sim.steps_taken();
         ++frame)
        if (archive_) due.push_back(frame_metrics(sim, frame, phase, step));
    return due;
}

RunResult RunRecorder::result(const Simulator& sim) const {
    RunResult result;
    result.variant = scene_.variant;
    if (archive_) result.folder = archive_->folder();
    result.backend = sim.backend();
    result.last = sim.sim_state();
    result.counts = record_.counts;
    result.trouble = record_.trouble;
    result.retries = record_.retries;
    result.at_recovery = record_.at_recovery;
    result.at_end = measure_cloths(sim, sim.sim_state().state);
    result.regions = measure_regions(sim);
    result.recovery = recovery_of(result.at_recovery, result.at_end);
    return result;
}

void RunRecorder::summarize(RunResult& result) const {
    RunSummary summary = summary_of(scene_, hashes_.run);
    summary.program.backend = result.backend == Backend::cuda ? "cuda" : "cpu";
    summary.failure = result.failure;
    summary.frames = record_.frames;
    summary.time = result.last.state.time;
    summary.material_time = result.last.state.material_time;
    summary.counts = result.counts;
    summary.retries = result.retries;
    if (summary.contact) {
        summary.contact->counts = result.counts.contact;
        summary.contact->trouble = result.trouble;
    }
    summary.at_end = result.at_end;
    for (std::size_t i = 0; i < result.regions.size(); ++i)
        if (!result.regions[i].empty())
            summary.regions.emplace_back(scene_.cloths[i].name, result.regions[i]);
    if (!result.at_recovery.empty()) {
        RunSummary::Recovery& recovery = summary.recovery.emplace();
        recovery.from_phase = scene_.phases[static_cast<std::size_t>(scene_.recovery_phase)].name;
        recovery.then = result.at_recovery;
        for (std::size_t i = 0; i < result.recovery.size(); ++i)
            recovery.value.emplace_back(scene_.cloths[i].name, result.recovery[i]);
    }
    result.summary = summary_text(summary);
}

void RunRecorder::write_frame(const FrameSnapshot& frame, const FrameMetrics& metrics) {
    archive_->write_frame(frame, metrics);
}

void RunRecorder::write_checkpoint(Checkpoint& checkpoint, const Moment& moment, int threads) {
    checkpoint.scene_hash = hashes_.run;
    checkpoint.cloths = cloths_;
    checkpoint.record = moment.record;
    checkpoint.record.metrics_bytes = archive_->metrics_bytes();
    archive_->write_checkpoint(checkpoint);
    write_timing(moment, threads);
}

void RunRecorder::write_end(const RunResult& result, const Moment& moment, int threads) const {
    if (result.failure.empty()) archive_->write_final(result.last.state.x);
    archive_->write_animations();
    write_timing(moment, threads);
    archive_->write_summary(result.summary);
}

void RunRecorder::write_timing(const Moment& moment, int threads) const {
    TimingReport report{moment.timing, moment.record.counts, threads};
    report.timing.writing = writing_;
    archive_->write_timing(report);
}

}  // namespace rumple
