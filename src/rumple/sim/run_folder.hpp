// The folder a run writes into: claimed before anything is simulated, then filled frame by frame.
//
//   cache/<cloth>.pc2, .obj   positions of every frame; topology and the shape that measures compare with,
//   same
//                             vertex order
//   cache/<obstacle>.obj      where it begins; .pc2 as well when it moves or has mass: of an obstacle that is
//   not
//                             there, where it would be
//   memory/<cloth>.pc2        where the scene asks for it: what the cloth remembers at every frame, at each
//                             vertex, in place of x, y and z: plastic strain [rad], anchor [rad] (sizes),
//                             stick time [s]
//   metrics.csv               one row a frame
//   final/<cloth>.obj         the last state
//   summary.json              what came out; the same bytes for the same run
//   timing.json               seconds by part; the only file that differs between equal runs
//   checkpoint/latest         where to go on
//
// Vertices and triangles of a cloth are numbered as in the file it came from, whatever the scene numbers
// them. Caches and metrics.csv grow; everything else appears whole or not at all. A checkpoint counts the
// frames and the bytes of metrics.csv that belong to it: going on from it cuts off what came later.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/checkpoint.hpp>
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
    ~FolderClaim();  // takes folders that it made and that stayed empty away again

  private:
    void release();

    std::vector<std::filesystem::path> made_;  // outermost first
    int descriptor_ = -1;
};

class RunFolder {
  public:
    // Claims the folder and looks at what is there; changes nothing yet. InputError: see FolderClaim; or it
    // has a checkpoint of another scene; or, when resuming, a damaged one.
    RunFolder(const Scene& scene, const std::filesystem::path& folder, bool resume);

    // Where to go on: empty for a run that starts at its beginning.
    const std::optional<Checkpoint>& found() const { return found_; }
    // Clears what an earlier run left, or cuts it back to the checkpoint; opens caches and metrics.csv.
    void open(const std::string& metrics_header);

    // A frame of every cloth and of every obstacle that changes, then its row; `obstacles` are the vertices
    // of all. SimulationError: a number is not finite, or the disk is full.
    // `memory` is looked at where the scene asks for it: one value a vertex, of all cloths.
    void write_frame(std::span<const Vec3d> x, std::span<const Vec3d> obstacles,
                     std::span<const Vec3d> memory, const std::string& metrics_row);
    std::int64_t metrics_bytes() const { return metrics_bytes_; }

    // Caches reach the disk before the checkpoint that counts on them.
    void write_checkpoint(const Checkpoint& checkpoint);
    void write_final(std::span<const Vec3d> x) const;
    void write_text(const std::string& name, const std::string& text) const;
    std::optional<std::string> read_text(const std::string& name) const;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path checkpoint_path() const { return folder_ / "checkpoint" / "latest"; }

  private:
    void clear() const;
    void remove_leftovers() const;
    void open_cache(const std::string& name, const TriMesh& mesh);
    Pc2Writer pc2_at(const std::filesystem::path& path, std::size_t vertices) const;

    const Scene& scene_;
    std::filesystem::path folder_;
    FolderClaim claim_;
    std::optional<Checkpoint> found_;
    std::vector<Pc2Writer> caches_;    // cloths, then obstacles that change
    std::vector<Pc2Writer> memories_;  // one a cloth, or none
    std::optional<FileHandle> metrics_;
    std::int64_t metrics_bytes_ = 0;
};

}  // namespace rumple
