// Render objects prepared for shading: positions, corner normals and thread coordinates as floats, and the
// surface at a hit.
#pragma once

#include <array>
#include <rumple_render/look.hpp>
#include <rumple_render/ray_scene.hpp>
#include <rumple_render/renderer.hpp>

namespace rumple {

struct SurfacePoint {
    Vec3f position;
    Vec3f lifted;       // the point, raised to the smooth surface: where shadow rays start
    Vec3f normal;       // smooth, towards the viewer, unit
    Vec3f face_normal;  // of the triangle, towards the viewer, unit
    float facet = 0;    // m: how large the triangle is; 0 where the surface is hollow
    Vec3f colour;
    const Look* look = nullptr;
};

class ShadedSurface {
  public:
    explicit ShadedSurface(const RenderObject& object);  // InputError: see render()

    RayScene::Mesh ray_mesh() const { return {positions_, triangles_}; }
    const Look& look() const { return *look_; }
    // footprint: size of a pixel at the hit [m]
    SurfacePoint at(const Hit& hit, const Ray& ray, float footprint) const;
    // Colour without threads, for light that bounces.
    Vec3f mean_colour(const Hit& hit, bool front) const;

  private:
    Vec3f threads_at(const Hit& hit, float footprint, bool front) const;
    void set_thread_coordinates(const RenderObject& object);
    void find_outside();

    const Look* look_;
    bool turned_ =
        false;  // the triangles of a tube or a garment wind the wrong way: its outside is their back
    std::vector<Vec3f> positions_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<std::array<Vec3f, 3>> normals_;
    std::vector<std::array<Vec2<float>, 3>> threads_;  // metres along warp and weft, one a corner; or
    std::vector<Vec3f> woven_at_;                      // where each vertex was woven (no UVs)
    std::vector<Vec3f> colours_;
};

}  // namespace rumple
