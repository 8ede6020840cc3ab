// Runs a scene, or several variants of one, from beginning to end: into folders, or in memory alone.
//
// Variants that begin alike are simulated together (sim/variant_scheduler.hpp): one simulator writes the
// frames of all of them, and each takes a copy of the state where they part. So the shared beginning costs
// once, and every folder has the same bytes as a run of that variant alone.
#pragma once

#include <filesystem>
#include <rumple/scene/scene_file.hpp>
#include <rumple/sim/run_result.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

struct RunProgress {
    std::int64_t steps_done = 0;        // since this call began
    std::int64_t steps_to_do = 0;       // at its beginning; steps that variants share count once
    double fraction = 0;                // of the whole, including what a resumed run had done before
    std::string phase;                  // of the step just taken
    std::vector<std::string> variants;  // that took it
};

// A frame that is on the disk.
struct FrameWritten {
    std::string variant;
    std::int64_t frame = 0;
    std::vector<std::filesystem::path> files;  // that it was appended to
};

// For callers who watch a run. All functions are called on the thread that runs. The simulator is the one
// that runs: changes to it change the run.
class RunObserver {
  public:
    virtual ~RunObserver() = default;
    virtual void on_phase_begin(const std::vector<std::string>& /*variants*/, int /*phase*/,
                                const Simulator&) {}
    virtual void on_step(const StepReport&, const Simulator&) {}
    virtual void on_phase_end(const std::vector<std::string>& /*variants*/, int /*phase*/, Simulator&) {}
    virtual void on_progress(const RunProgress&) {}
    virtual void on_frame(const FrameWritten&) {}
};

struct RunOptions {
    std::filesystem::path out;         // empty: no files. A variant writes into out/<variant>
    bool resume = false;               // continue from checkpoints where there are some
    int threads = 0;                   // 0: as the scene says, or as many as the machine has cores
    std::optional<Backend> backend{};  // nothing: as the scene says
    // Wall time between checkpoints [s]. There is one at each end of a phase too.
    double checkpoint_seconds = 30;
    RunObserver* observer = nullptr;
};

// InputError before anything is simulated: an output folder cannot be used (see RunArchiveWriter).
// SimulationError: an output file could not be written. A step that fails ends its variants, with `failure`
// set; the others continue. Files are written by a thread of their own (sim/writer.hpp); all of them exist
// when this returns or throws.
std::vector<RunResult> run_scenes(std::span<const Scene> variants, const RunOptions& options = {});

}  // namespace rumple
