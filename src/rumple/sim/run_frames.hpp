// The frames of a run that has ended, as one surface: all cloths and obstacles, where they were.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/contact/surface.hpp>
#include <rumple/sim/run_archive.hpp>
#include <string>
#include <vector>

namespace rumple {

class RunFrames {
  public:
    // InputError: the folder is not that of a run that has ended.
    explicit RunFrames(const std::filesystem::path& folder);

    std::size_t count() const;
    const contact::Surface& surface() const { return surface_; }  // cloths first
    int cloth_triangles() const { return cloth_triangles_; }

    struct Frame {
        std::vector<Vec3d> x;              // of the whole surface, in the caches' single precision
        std::vector<std::uint8_t> active;  // one for each body: 1 or 0
    };
    Frame frame(std::size_t index) const;

  private:
    struct Actor {  // a cloth or an obstacle
        contact::BodyKind kind;
        TriMesh mesh;
        std::optional<PointCacheReader> cache;            // none: it stands
        std::optional<std::vector<std::string>> present;  // phases; none: all
    };
    std::vector<Actor> actors_;
    std::vector<FrameNote> notes_;
    contact::Surface surface_;
    int cloth_triangles_ = 0;
};

}  // namespace rumple
