// metrics.csv: one row of numbers for each frame.
//
// With one cloth a column has the name of its measure; with several, "cloth.measure". Handles add
// "handle.force" [N] and "handle.torque" [N m], about the middle of the handle, as magnitudes.
#pragma once

#include <optional>
#include <rumple/sim/run_record.hpp>
#include <rumple/sim/simulator.hpp>
#include <string>
#include <vector>

namespace rumple {

// A row without the measures of the cloths: what only the simulator knows, and only now.
struct FrameMetrics {
    struct Contact {
        int pairs = 0, touching = 0, inside = 0;
    };
    struct HandleLoad {
        double force = 0, torque = 0;  // N, N m
    };
    std::int64_t frame = 0, step = 0;
    double time = 0, material_time = 0;  // s
    std::string phase;
    double kinetic_energy = 0, potential_energy = 0;  // J
    int slipping = 0, yielding = 0;
    std::optional<Contact> contact;   // of scenes with contact
    std::vector<HandleLoad> handles;  // in the order of the scene
};

// `report` is that of the step that led to this frame; null at the beginning. SimulationError: a value is not
// finite.
FrameMetrics frame_metrics(Simulator& sim, std::int64_t frame, const std::string& phase,
                           const StepReport* report);

std::string metrics_header(const Scene& scene);
std::string metrics_row(const FrameMetrics& metrics, const std::vector<ClothMeasures>& measures);

}  // namespace rumple
