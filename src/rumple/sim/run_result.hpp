// What a run returns.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/sim/cloth_measures.hpp>
#include <rumple/sim/run_record.hpp>
#include <rumple/sim/simulator.hpp>
#include <string>
#include <vector>

namespace rumple {

struct RunResult {
    std::string variant;
    std::filesystem::path folder;    // empty: none
    std::string failure;             // why the run ended early; empty: it is complete
    ErrorPlace failure_place;        // where, if at vertices
    Backend backend = Backend::cpu;  // that took the steps
    SimState last;                   // final, or the last good state; numbered as in the Scene
    StepCounts counts;
    std::vector<ContactTrouble> trouble;          // one entry for each frame that had some
    std::vector<StepRetry> retries;               // steps that succeeded only in smaller ones
    std::vector<ClothMeasures> at_recovery;       // one for each cloth; empty if that phase did not end
    std::vector<ClothMeasures> at_end;            // one for each cloth
    std::vector<std::optional<double>> recovery;  // one for each cloth; none: nothing to recover from
    std::vector<RegionTable> regions;             // at the end: one for each cloth, by its vertex sets
    std::string summary;                          // the text of summary.json
};

}  // namespace rumple
