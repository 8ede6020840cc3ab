#include <cmath>
#include <numbers>
#include <rumple_render/film_plane.hpp>

namespace rumple {

FilmPlane::FilmPlane(const Camera& camera, const Backdrop& wall, int width, int height)
    : wall_(wall),
      width_(static_cast<float>(width)),
      height_(static_cast<float>(height)),
      eye_(to_float(camera.eye)),
      forward_(to_float(camera.forward())),
      right_(to_float(camera.right())),
      up_(to_float(camera.image_up())),
      half_height_(static_cast<float>(std::tan(camera.field_of_view * std::numbers::pi / 360))),
      pixel_size_(2 * half_height_ / height_) {}

Point2 FilmPlane::place(int x, int y, Point2 u) {
    const auto tent = [](float t) { return t < 0.5f ? std::sqrt(2 * t) - 1 : 1 - std::sqrt(2 - 2 * t); };
    return {static_cast<float>(x) + 0.5f + tent(u.x), static_cast<float>(y) + 0.5f + tent(u.y)};
}

Ray FilmPlane::ray(Point2 p) const {
    const float sx = (2 * p.x - width_) / height_ * half_height_, sy = (1 - 2 * p.y / height_) * half_height_;
    return {eye_, normalized(forward_ + sx * right_ + sy * up_)};
}

Vec3f FilmPlane::background(Point2 p) const {
    const float dx = (p.x / width_ - wall_.spot_x) / 0.62f, dy = (p.y / height_ - wall_.spot_y) / 0.62f;
    const float t = std::exp(-1.4f * (dx * dx + dy * dy));
    return t * wall_.centre + (1 - t) * wall_.edge;
}

}  // namespace rumple
