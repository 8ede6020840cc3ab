// Where a picture is taken from: a pinhole with a long lens, named views, and framing that keeps everything
// in the picture.
//
//   views (Z up; the front of a body looks towards -Y)
//   front from -Y   back from +Y   right from +X   left from -X   top from +Z   three-quarter between front
//   and right. All but top look down a little, so that the ground shows.
#pragma once

#include <rumple/core/vec.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

struct Camera {
    Vec3d eye{0, -3, 1};
    Vec3d target{0, 0, 0};
    Vec3d up{0, 0, 1};
    double field_of_view = 24;  // degrees, vertical; (0, 170)

    Vec3d forward() const { return normalized(target - eye); }
    Vec3d right() const { return normalized(cross(forward(), up)); }
    Vec3d image_up() const { return cross(right(), forward()); }
};

// In the order of kViewNames of scene/scene_camera.hpp.
enum class View { front, back, left, right, top, three_quarter };

const std::vector<std::string>& view_names();  // in the order of View
View view_by_name(const std::string& name);    // InputError with a suggestion

// Where the eye is, seen from what is shown, in degrees. Azimuth: counter-clockwise seen from above, 0 on -Y.
// Elevation: above the horizon; 90 looks straight down, with +Y up in the picture.
struct ViewAngles {
    double azimuth = 0, elevation = 0;
};
ViewAngles angles_of(View view);

inline constexpr double kFrameMargin = 0.045;

// The camera of this view that shows all points, filling the picture up to `margin` (a share of the width and
// height left free on each side). aspect: width / height. InputError when there is no point.
Camera frame_view(ViewAngles view, std::span<const Vec3d> points, double aspect,
                  double margin = kFrameMargin);
inline Camera frame_view(View view, std::span<const Vec3d> points, double aspect,
                         double margin = kFrameMargin) {
    return frame_view(angles_of(view), points, aspect, margin);
}

// Width over height of what this view shows of the points: of the picture that they fill best.
double natural_aspect(ViewAngles view, std::span<const Vec3d> points);

// InputError: eye and target are the same, the eye looks along `up`, an angle out of range, a NaN.
void require_valid(const Camera& camera);

// Where a point lies in the picture: x and y in [-1, 1] inside, y up; depth in m, negative behind the camera.
Vec3d project(const Camera& camera, double aspect, Vec3d point);

}  // namespace rumple
