// Triangles to shoot rays at. Embree stays behind this door.
#pragma once

#include <array>
#include <memory>
#include <rumple_render/image.hpp>
#include <span>
#include <vector>

namespace rumple {

struct Ray {
    Vec3f origin, direction;  // unit
    float near = 0, far = 1e30f;
};

struct Hit {
    float distance = 0;
    int object = -1;  // -1: nothing was hit
    int triangle = 0;
    float u = 0, v = 0;  // weights of the second and third corner
    Vec3f normal;        // of the triangle, unit, by its winding
};

class RayScene {
  public:
    struct Mesh {
        std::span<const Vec3f> positions;
        std::span<const std::array<int, 3>> triangles;
    };
    // Copies what it needs. One thread builds the tree, so that it is always the same.
    explicit RayScene(std::span<const Mesh> meshes);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    // Up to kPacket rays at once; rays that start close together are fastest.
    static constexpr std::size_t kPacket = 16;
    void nearest(std::span<const Ray> rays, std::span<Hit> hits) const;
    void occluded(std::span<const Ray> rays, std::span<bool> hidden) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rumple
