// Render objects prepared for shading: a smooth mesh, corner normals and thread coordinates as floats, and
// the surface at a hit.
#pragma once

#include <array>
#include <rumple_render/fabric.hpp>
#include <rumple_render/look.hpp>
#include <rumple_render/ray_scene.hpp>
#include <rumple_render/renderer.hpp>
#include <rumple_render/seam_field.hpp>
#include <rumple_render/subdivision.hpp>
#include <rumple_render/weave.hpp>

namespace rumple {

struct SurfacePoint {
    Vec3f position;
    Vec3f lifted;       // the point, raised to the smooth surface: where shadow rays start
    Vec3f normal;       // smooth, towards the viewer, unit
    Vec3f face_normal;  // of the triangle, towards the viewer, unit
    Vec3f bumped;       // normal of the thread at this point, unit
    float facet = 0;    // m: how large the triangle is; 0 where the surface is hollow
    Vec3f warp;         // direction of the threads on the surface, unit; 0: unknown
    Vec3f colour;
    float spread = 0;   // variance of slopes that are finer than a pixel
    float shine = 1;    // of the thread at this point, over the look's own
    float through = 0;  // share of the light on the other side that comes through
};

class ShadedSurface {
  public:
    // pixel: size of a pixel on the object [m], which says how finely it is subdivided. InputError: see
    // render().
    ShadedSurface(const RenderObject& object, double pixel);

    RayScene::Mesh ray_mesh() const { return {positions_, triangles_}; }
    const Look& look() const { return *look_; }
    const LobeAlbedo& sheen_albedo() const { return sheen_albedo_; }
    const LobeAlbedo& gloss_albedo() const { return gloss_albedo_; }
    // footprint: size of a pixel at the hit [m]
    SurfacePoint at(const Hit& hit, const Ray& ray, float footprint) const;
    // Colour without threads, for light that bounces.
    Vec3f mean_colour(const Hit& hit, bool front) const;

  private:
    using ThreadCorners = std::vector<std::array<Vec2<float>, 3>>;
    void set_thread_coordinates(const RenderObject& object);
    void move_threads(const RenderObject& object, int levels);
    void find_outside();
    void add_threads(SurfacePoint& s, const Hit& hit, float footprint, bool front, bool hemmed) const;
    void add_ripples(SurfacePoint& s, const Hit& hit, float footprint) const;
    void add_hem(SurfacePoint& s, const Hit& hit, Vec2<float> w, float footprint) const;
    void add_hem_relief(WovenPoint& point, const Hit& hit, Vec2<float> w, float footprint) const;
    void add_seams(SurfacePoint& s, const Hit& hit, std::span<const NearSeam> near, float footprint) const;
    Vec3f woven_place(const Hit& hit) const;
    float border_at(const Hit& hit) const;
    void lean(SurfacePoint& s, const Hit& hit, Vec3f slopes) const;
    bool outside(bool front) const { return front != turned_; }
    Vec3f side_colour(bool front) const;

    const Look* look_;
    // The triangles of a tube or a garment wind the wrong way: its outside is their back.
    bool turned_ = false;
    float inside_ = 1;  // how bright the inside is, over its own colour
    float hem_ = 0;     // m, width
    std::vector<Vec3f> positions_;
    Triangles triangles_;
    std::vector<std::array<Vec3f, 3>> normals_;
    ThreadCorners threads_;           // metres along warp and weft, one a corner; or
    std::vector<Vec3f> woven_at_;     // where each vertex was woven; empty: not needed
    std::vector<Vec3f> warp_;         // direction of threads at each vertex; empty: not needed, or unknown
    std::vector<float> from_border_;  // m; empty: no hem
    std::vector<Vec3f> colours_;
    SeamField seams_;     // of the triangles before subdivision
    int seam_shift_ = 0;  // bits: a triangle's number becomes that of the one it was cut from
    LobeAlbedo sheen_albedo_, gloss_albedo_;
};

// How many levels make the object's edges shorter than about three pixels, three at most; pixel: size of a
// pixel on the object [m].
int levels_for(const RenderObject& object, double pixel);

}  // namespace rumple
