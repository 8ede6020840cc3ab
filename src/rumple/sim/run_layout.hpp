// Where the files of a run are. The writer and the reader of run folders both use this table.
//
//   cache/<cloth>.pc2, .obj   positions of every frame; topology and reference shape, in the same order
//   cache/<cloth>.seams.json  where a garment of our own is sewn: only pictures show it
//   cache/<obstacle>.obj      where it begins; .pc2 as well when it moves or has mass (while it is not
//                             active: where it would be)
//   memory/<cloth>.pc2        where the scene asks for it: the memory of the cloth at every frame, at each
//                             vertex, in place of x, y, z: plastic strain [rad], anchor [rad], stick time [s]
//   animation.glb, .usda      where the scene asks for them: all cloths and obstacles, at the end of the run
//   metrics.csv               one row for each frame
//   final/<cloth>.obj         the last state
//   summary.json              what resulted; the same bytes for the same run
//   timing.json               seconds by part; the only file that differs between equal runs
//   checkpoint/latest         where to resume
//
// Vertices and triangles of a cloth are numbered as in the file it came from, whatever the scene numbers
// them. Caches and metrics.csv grow; everything else appears whole or not at all. summary.json appears last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace rumple {

class RunLayout {
  public:
    explicit RunLayout(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path cache_folder() const { return folder_ / "cache"; }
    std::filesystem::path cache(const std::string& name) const { return folder_ / "cache" / (name + ".pc2"); }
    std::filesystem::path mesh(const std::string& name) const { return folder_ / "cache" / (name + ".obj"); }
    std::filesystem::path seams(const std::string& cloth) const {
        return folder_ / "cache" / (cloth + ".seams.json");
    }
    std::filesystem::path memory(const std::string& cloth) const {
        return folder_ / "memory" / (cloth + ".pc2");
    }
    std::filesystem::path final_mesh(const std::string& cloth) const {
        return folder_ / "final" / (cloth + ".obj");
    }
    std::filesystem::path animation(std::string_view format) const {
        return folder_ / ("animation." + std::string(format));
    }
    std::filesystem::path metrics() const { return folder_ / "metrics.csv"; }
    std::filesystem::path summary() const { return folder_ / "summary.json"; }
    // Names and materials while there is no summary.json yet; then it is removed.
    std::filesystem::path running() const { return folder_ / "running.json"; }
    std::filesystem::path timing() const { return folder_ / "timing.json"; }
    std::filesystem::path checkpoint() const { return folder_ / "checkpoint" / "latest"; }

    static constexpr const char* kSubfolders[] = {"cache", "final", "checkpoint", "memory"};

  private:
    std::filesystem::path folder_;
};

}  // namespace rumple
