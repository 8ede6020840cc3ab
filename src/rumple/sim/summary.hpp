// The texts a run leaves: rows of metrics.csv, summary.json, timing.json.
#pragma once

#include <rumple/sim/run.hpp>
#include <string>

namespace rumple {

// The part of a state that frames show: all that measure_cloths() and cloth_memory() look at. A run goes on
// while such a copy is measured, so of the simulator both use only what is constant.
State shown_part(const State& state);

// Measures of each cloth, against the first frame. SimulationError: one is not finite.
std::vector<ClothMeasures> measure_cloths(const Simulator& sim, const State& state);

// The same of the named sets of each cloth's vertices.
std::vector<std::map<std::string, RegionMeasures>> measure_regions(const Simulator& sim);

// What each vertex remembers, of all cloths one after the other: sizes of plastic strain and anchor [rad],
// stick time [s]; of each, the mean of the hinges around it (measure/vertex_mean.hpp).
std::vector<Vec3d> cloth_memory(const Simulator& sim, const State& state);

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
// A row of metrics.csv, less the measures in its middle: what only the simulator knows, and only now.
// SimulationError: a value is not finite.
struct MetricsRow {
    std::string before, after;

    std::string with(const std::vector<ClothMeasures>& measures) const;
};
MetricsRow metrics_row(Simulator& sim, const FrameFacts& facts);

// Nothing in it depends on where, when or with how many threads the run was made.
std::string summary_text(const Scene& scene, const RunResult& result, std::int64_t frames);

struct RunTiming {  // s of wall time
    StepTiming step;
    double output = 0;       // that steps stood still for it: measures, copies, waiting
    double output_wait = 0;  // of that, waiting for the writer
    double writing = 0;      // the writer's own time, beside the steps: no part of the total
    double total = 0;
};
std::string timing_text(const RunTiming& timing, const StepCounts& counts, int threads);
RunTiming parse_timing(
    const std::string& text);  // zeros where it cannot be read: timing is no reason to stop

}  // namespace rumple
