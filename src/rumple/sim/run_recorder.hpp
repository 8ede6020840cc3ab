// Records one run: counts its steps, measures its frames, and decides what its archive writes and when.
//
// Some functions run on the simulating thread, others on the writer's (sim/writer.hpp); the groups below say
// which. They share nothing that changes but the archive, which only the writer's thread uses once the run
// has begun.
#pragma once

#include <optional>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/run_archive_writer.hpp>
#include <rumple/sim/run_result.hpp>
#include <string>
#include <vector>

namespace rumple {

class RunRecorder {
  public:
    // Claims the folder and looks for a checkpoint; an empty path: no files. InputError: see
    // RunArchiveWriter.
    RunRecorder(const Scene& scene, const std::filesystem::path& folder, bool resume);

    const Scene& scene() const { return scene_; }
    const SceneHashes& hashes() const { return hashes_; }
    bool has_archive() const { return archive_.has_value(); }
    // The state of the checkpoint; nothing for a run that starts at its beginning.
    std::optional<SimState> found_state() const;
    void open();  // the files, before the first step

    // On the simulating thread.
    void add_step(const StepReport& step);
    void end_phase(const Simulator& sim, int phase);
    // Rows of the frames that this state shows and that were not recorded yet. Without an archive none.
    std::vector<FrameMetrics> due_frames(Simulator& sim, const std::string& phase, const StepReport* step);
    struct Moment {  // a copy for the writer's thread
        RunRecord record;
        RunTiming timing;
    };
    Moment moment() const { return {record_, timing_}; }
    RunTiming& timing() { return timing_; }
    RunResult result(const Simulator& sim) const;  // of the state that the simulator is in
    void summarize(RunResult& result) const;       // fills in result.summary, the text of summary.json
    std::vector<std::filesystem::path> frame_files() const { return archive_->frame_files(); }

    // On the writer's thread.
    void write_frame(const FrameSnapshot& frame, const FrameMetrics& metrics);
    // Completes a checkpoint that has the state, and writes it.
    void write_checkpoint(Checkpoint& checkpoint, const Moment& moment, int threads);
    void write_end(const RunResult& result, const Moment& moment, int threads) const;
    void add_writing_time(double seconds) { writing_ += seconds; }

  private:
    void write_timing(const Moment& moment, int threads) const;

    const Scene& scene_;
    SceneHashes hashes_;
    std::vector<ClothIdentity> cloths_;
    std::optional<RunArchiveWriter> archive_;
    std::vector<std::int64_t> frame_steps_;
    RunRecord record_;
    RunTiming timing_;
    double writing_ = 0;  // s; of the writer's thread
};

}  // namespace rumple
