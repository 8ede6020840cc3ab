// Runs a scene, or several variants of one, from beginning to end: into folders, or in memory alone.
//
// Variants that begin alike are simulated together: while the hashes of their phases agree, one simulator
// writes the frames of all of them, and each takes a copy of the state where they part. So the shared
// beginning costs once, and every folder is, to the byte, what a run of that variant alone would have
// written.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <rumple/measure/region.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/sim/checkpoint.hpp>
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

// For callers who look on. The simulator is the one that runs: what they do to it happens to the run.
class RunObserver {
  public:
    virtual ~RunObserver() = default;
    virtual void on_step(const StepReport&, const Simulator&) {}
    virtual void on_phase_end(const std::vector<std::string>& /*variants*/, int /*phase*/, Simulator&) {}
    virtual void on_progress(const RunProgress&) {}
};

struct RunOptions {
    std::filesystem::path out;  // empty: no files. A variant writes into out/<variant>
    bool resume = false;        // go on from checkpoints where there are some
    int threads = 0;            // 0: as the scene says, or as many as the machine has cores
    double checkpoint_seconds =
        30;  // of wall time between checkpoints; there is one at each end of a phase too
    RunObserver* observer = nullptr;
};

struct RunResult {
    std::string variant;
    std::filesystem::path folder;  // empty: none
    std::string failure;           // why the run ended early; empty: it is complete
    SimState last;                 // final, or the last good state; numbered as in the Scene
    StepCounts counts;
    std::vector<ContactTrouble> trouble;  // one a frame that had some
    std::vector<StepRetry> retries;       // steps that succeeded only in smaller ones
    std::vector<ClothMeasures> at_recovery,
        at_end;                                   // one a cloth; at_recovery empty if that phase did not end
    std::vector<std::optional<double>> recovery;  // one a cloth; none where nothing was there to recover from
    std::vector<std::map<std::string, RegionMeasures>> regions;  // at the end: one a cloth, by its named sets
    std::string summary;                                         // the text of summary.json
};

// InputError before anything is simulated: an output folder cannot be used (see RunFolder). SimulationError:
// an output file could not be written. A step that fails ends its variants, with `failure` set; the others go
// on. Files are written by a thread of their own (sim/writer.hpp); all are there when this returns or throws.
std::vector<RunResult> run_scenes(std::span<const Scene> variants, const RunOptions& options = {});

}  // namespace rumple
