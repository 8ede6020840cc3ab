// Reads the folder of a run: one that has ended, or one that is still running. What is written where:
// sim/run_layout.hpp. The counterpart is RunArchiveWriter.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/io/csv_table.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run_layout.hpp>
#include <rumple/sim/run_summary.hpp>
#include <rumple/sim/run_timing.hpp>
#include <string>
#include <vector>

namespace rumple {

// The moment of a frame, from metrics.csv.
struct FrameNote {
    std::string phase;
    double time = 0, material_time = 0;  // s
};

class RunArchive {
  public:
    static bool is_run(const std::filesystem::path& folder);  // it has a folder of caches
    // The folder of the run that a file in cache/, final/ or memory/ belongs to. Nothing: it belongs to none.
    static std::optional<std::filesystem::path> folder_of(const std::filesystem::path& file);

    // Reads summary.json where there is one. InputError: there is no such folder.
    explicit RunArchive(const std::filesystem::path& folder);

    const RunLayout& layout() const { return layout_; }
    const std::filesystem::path& folder() const { return layout_.folder(); }

    bool has_ended() const { return summary_.has_value(); }
    // Nothing: the run has not ended.
    const std::optional<RunSummary>& summary() const { return summary_; }
    // InputError: the run has not ended.
    const RunSummary& require_summary() const;
    // Names, materials and obstacles, also of a run that has not ended. Nothing: not known (older runs).
    const std::optional<RunSummary>& scene_facts() const { return summary_ ? summary_ : running_; }

    bool has_metrics() const;
    CsvTable metrics() const;               // InputError: see read_csv
    std::vector<FrameNote> frames() const;  // of metrics.csv; empty where there is none
    TimingReport timing() const;            // InputError: there is no timing.json
    bool has_checkpoint() const;
    Checkpoint checkpoint() const;  // InputError: missing or damaged

    // Cloths and obstacles that have a cache, in the order of their names.
    std::vector<std::filesystem::path> caches() const;
    bool has_memory(const std::string& cloth) const;
    TriMesh mesh(const std::string& name) const;            // beside the caches
    PointCacheReader cache(const std::string& name) const;  // positions
    PointCacheReader memory(const std::string& cloth) const;

  private:
    RunLayout layout_;
    std::optional<RunSummary> summary_, running_;
};

}  // namespace rumple
