// The frames of a run that has ended, read back from its folder: all cloths and obstacles, where they were.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/contact/surface.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

class RunFrames {
  public:
    // InputError: the folder is not that of a run that has ended.
    explicit RunFrames(const std::filesystem::path& folder);

    std::size_t count() const;
    const Surface& surface() const { return surface_; }  // cloths first
    int cloth_triangles() const { return cloth_triangles_; }

    struct Frame {
        std::vector<Vec3d> x;              // of the whole surface, as the caches have it: in single precision
        std::vector<std::uint8_t> active;  // one a body: is it there?
    };
    Frame frame(std::size_t index) const;

  private:
    struct Actor {  // a cloth or an obstacle
        BodyKind kind;
        TriMesh mesh;
        std::optional<PointCacheReader> cache;  // none: it stands
        std::vector<std::string> present;       // phases
    };
    std::vector<Actor> actors_;
    std::vector<std::string> phases_;  // of each frame
    Surface surface_;
    int cloth_triangles_ = 0;
};

}  // namespace rumple
