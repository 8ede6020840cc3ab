// Writes the folder of a run: claimed before anything is simulated, then filled frame by frame. What is
// written where: sim/run_layout.hpp. The counterpart is RunArchive.
//
// A checkpoint counts the frames and the bytes of metrics.csv that belong to it: resuming from it cuts off
// what was written later.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/metrics_csv.hpp>
#include <rumple/sim/run_layout.hpp>
#include <rumple/sim/run_summary.hpp>
#include <rumple/sim/run_timing.hpp>
#include <string>
#include <vector>

namespace rumple {

// While it lives, no other process runs into this folder. The lock is on the folder itself: it leaves no
// file.
class FolderClaim {
  public:
    // Makes the folder if need be. InputError: it cannot be made or written, or another run has it.
    explicit FolderClaim(const std::filesystem::path& folder);
    FolderClaim(FolderClaim&& other) noexcept;
    FolderClaim& operator=(FolderClaim&&) = delete;
    ~FolderClaim();  // removes the folders that it made and that stayed empty

  private:
    void release();

    std::vector<std::filesystem::path> made_;  // outermost first
    int descriptor_ = -1;
};

// What a frame shows.
struct FrameSnapshot {
    State visible;                 // see visible_part()
    std::vector<Vec3d> obstacles;  // vertices of all obstacles
    std::vector<ClothMeasures> measures{};
    std::vector<Vec3d> memory{};  // see cloth_memory(); empty where no scene asks for it
};

class RunArchiveWriter {
  public:
    // Claims the folder and looks at what is there; changes nothing yet. InputError: see FolderClaim; or it
    // has a checkpoint of another scene; or, when resuming, a damaged one.
    RunArchiveWriter(const Scene& scene, const std::string& scene_hash, const std::filesystem::path& folder,
                     bool resume);

    // Where to resume: empty for a run that starts at its beginning.
    const std::optional<Checkpoint>& found() const { return found_; }
    TimingReport found_timing() const;  // of the run to resume
    // Clears what an earlier run left, or cuts it back to the checkpoint; opens caches and metrics.csv.
    void open();

    // A frame of every cloth and of every obstacle that changes, then its row. SimulationError: a number is
    // not finite, or the disk is full.
    void write_frame(const FrameSnapshot& frame, const FrameMetrics& metrics);
    std::int64_t metrics_bytes() const { return metrics_bytes_; }
    // Files that grow with each frame.
    std::vector<std::filesystem::path> frame_files() const;

    // Caches reach the disk before the checkpoint that counts on them.
    void write_checkpoint(const Checkpoint& checkpoint);
    void write_final(std::span<const Vec3d> x) const;
    void write_animations() const;  // in the formats that the scene asks for
    void write_timing(const TimingReport& report) const;
    void write_summary(const std::string& text) const;  // last: it says that everything is there

    const std::filesystem::path& folder() const { return layout_.folder(); }

  private:
    void clear() const;
    void make_subfolders() const;
    void remove_leftovers() const;
    void open_metrics();
    void open_cache(const std::string& name, const TriMesh& mesh);
    Pc2Writer pc2_at(const std::filesystem::path& path, std::size_t vertices) const;

    const Scene& scene_;
    RunLayout layout_;
    FolderClaim claim_;
    std::optional<Checkpoint> found_;
    std::vector<Pc2Writer> caches_;    // cloths, then obstacles that change
    std::vector<Pc2Writer> memories_;  // one for each cloth, or none
    std::optional<FileHandle> metrics_;
    std::int64_t metrics_bytes_ = 0;
};

}  // namespace rumple
