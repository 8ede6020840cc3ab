// The texts a run leaves: rows of metrics.csv, summary.json, timing.json.
#pragma once

#include <rumple/sim/run.hpp>
#include <string>

namespace rumple {

// Measures of each cloth, against the first frame.
std::vector<ClothMeasures> measure_cloths(const Simulator& sim);

// The same of the named sets of each cloth's vertices.
std::vector<std::map<std::string, RegionMeasures>> measure_regions(const Simulator& sim);

// What each vertex remembers, of all cloths one after the other: sizes of plastic strain and anchor [rad],
// stick time [s]; of each, the mean of the hinges around it (measure/vertex_mean.hpp).
std::vector<Vec3d> cloth_memory(const Simulator& sim);

// 1 - RMS angle change at the end / RMS angle change at the recovery phase. None when there is no such phase,
// or the cloth was not wrinkled there.
std::vector<std::optional<double>> recovery_of(const std::vector<ClothMeasures>& at_recovery,
                                               const std::vector<ClothMeasures>& at_end);

// With one cloth a column is named as its measure; with several, "cloth.measure". Handles add
// "handle.force" [N] and "handle.torque" [N m], about the middle of the handle, as magnitudes.
std::string metrics_header(const Scene& scene);

struct FrameFacts {
    std::int64_t frame = 0;
    std::string phase;
    const StepReport* report = nullptr;  // of the step that led here; null at the beginning
};
// SimulationError: a value is not finite.
std::string metrics_row(Simulator& sim, const std::vector<ClothMeasures>& measures, const FrameFacts& facts);

// Nothing in it depends on where, when or with how many threads the run was made.
std::string summary_text(const Scene& scene, const RunResult& result, std::int64_t frames);

struct RunTiming {  // s of wall time
    StepTiming step;
    double output = 0, total = 0;
};
std::string timing_text(const RunTiming& timing, const StepCounts& counts, int threads);
RunTiming parse_timing(
    const std::string& text);  // zeros where it cannot be read: timing is no reason to stop

}  // namespace rumple
