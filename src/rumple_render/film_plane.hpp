// Where on the picture a sample lies, the ray that it looks along, and the backdrop behind it.
#pragma once

#include <rumple_render/camera.hpp>
#include <rumple_render/lighting.hpp>
#include <rumple_render/ray_scene.hpp>
#include <rumple_render/sampling.hpp>

namespace rumple {

class FilmPlane {
  public:
    FilmPlane(const Camera& camera, const Backdrop& wall, int width, int height);

    Vec3f eye() const { return eye_; }
    float pixel_size() const { return pixel_size_; }  // of a pixel at 1 m [m]

    // In pixels from the upper left. A tent as wide as two pixels: each sample counts the same, near ones are
    // more frequent.
    static Point2 place(int x, int y, Point2 u);
    Ray ray(Point2 place) const;
    Vec3f background(Point2 place) const;

  private:
    Backdrop wall_;
    float width_, height_;
    Vec3f eye_, forward_, right_, up_;
    float half_height_, pixel_size_;  // half_height: tangent of half the field of view
};

}  // namespace rumple
