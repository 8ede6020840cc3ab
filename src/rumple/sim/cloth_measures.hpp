// Measures the cloths of a simulation.
#pragma once

#include <map>
#include <optional>
#include <rumple/measure/region.hpp>
#include <rumple/sim/run_record.hpp>
#include <rumple/sim/simulator.hpp>
#include <string>
#include <vector>

namespace rumple {

// The part of a state that frames show: all that measure_cloths() and cloth_memory() read. The run continues
// while such a copy is measured, so both use only the constant part of the simulator.
State visible_part(const State& state);

// Measures of each cloth, against the first frame. SimulationError: one is not finite.
std::vector<ClothMeasures> measure_cloths(const Simulator& sim, const State& state);

// The measures of one cloth by the names of its vertex sets.
using RegionTable = std::map<std::string, RegionMeasures>;
std::vector<RegionTable> measure_regions(const Simulator& sim);

// What each vertex remembers, of all cloths one after the other: magnitudes of plastic strain and anchor
// [rad], stick time [s]; of each, the mean of the hinges around it (measure/vertex_mean.hpp).
std::vector<Vec3d> cloth_memory(const Simulator& sim, const State& state);

// 1 - RMS angle change at the end / RMS angle change at the recovery phase. None when there is no such phase,
// or the cloth was not wrinkled there.
std::vector<std::optional<double>> recovery_of(const std::vector<ClothMeasures>& at_recovery,
                                               const std::vector<ClothMeasures>& at_end);

// SimulationError unless the value is finite.
void require_finite(double value, std::string_view name, const State& state);

}  // namespace rumple
