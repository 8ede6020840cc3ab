#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <rumple/core/bounds.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/scene_camera.hpp>
#include <rumple_render/camera.hpp>

namespace rumple {

namespace {

constexpr double kRadians = std::numbers::pi / 180;

}  // namespace

ViewAngles angles_of(View view) {
    switch (view) {
        case View::front:
            return {0, 10};
        case View::back:
            return {180, 10};
        case View::left:
            return {-90, 10};
        case View::right:
            return {90, 10};
        case View::top:
            return {0, 90};
        case View::three_quarter:
            return {35, 18};
    }
    return {0, 0};
}

const std::vector<std::string>& view_names() {
    static const std::vector<std::string> names(kViewNames.begin(), kViewNames.end());
    return names;
}

View view_by_name(const std::string& name) {
    const auto& names = view_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw InputError("view", fmt::format("there is no view '{}'", name), suggestion(name, names));
    return static_cast<View>(found - names.begin());
}

void require_valid(const Camera& camera) {
    const auto fail = [](const std::string& what, const std::string& remedy) {
        throw InputError("camera", what, remedy);
    };
    if (!finite(camera.eye) || !finite(camera.target) || !finite(camera.up))
        fail("a coordinate is not a finite number", "eye, target and up are each three numbers");
    if (!(camera.field_of_view > 0 && camera.field_of_view < 170))
        fail(fmt::format("a field of view of {} degrees cannot be shown", camera.field_of_view),
             "it lies between 0 and 170");
    const Vec3d along = camera.target - camera.eye;
    if (!(norm(along) > 0))
        fail("eye and target are the same point", "the camera needs a direction to look in");
    if (!(norm(cross(along, camera.up)) > 1e-9 * norm(along) * norm(camera.up)))
        fail("it looks along its own up direction",
             "choose an up direction that is not the direction of view");
}

Vec3d project(const Camera& camera, double aspect, Vec3d point) {
    const Vec3d p = point - camera.eye;
    const double depth = dot(p, camera.forward()), half = std::tan(camera.field_of_view * kRadians / 2);
    return {dot(p, camera.right()) / (depth * half * aspect), dot(p, camera.image_up()) / (depth * half),
            depth};
}

Camera frame_view(ViewAngles view, std::span<const Vec3d> points, double aspect, double margin) {
    if (points.empty()) throw InputError("camera", "there is nothing to frame", "give at least one mesh");
    const bool down = view.elevation >= 90;
    const double a = view.azimuth * kRadians, e = view.elevation * kRadians;
    Camera camera;
    if (down) camera.up = {0, 1, 0};
    const Vec3d back =
        down ? Vec3d{0, 0, 1} : Vec3d{std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};

    const Bounds box = bounds_of(points);
    camera.target = box.center();
    camera.eye = camera.target + back;
    const Vec3d right = camera.right(), up = camera.image_up();
    const double half = std::tan(camera.field_of_view * kRadians / 2) * (1 - 2 * margin);
    const double tan_x = half * aspect, tan_y = half;

    // The four sides of the view pyramid touch the points: each side is a plane with a fixed normal, so the
    // apex that shows everything from nearest is found from the extreme points of each side.
    const double inf = std::numeric_limits<double>::infinity();
    double x_plus = -inf, x_minus = -inf, y_plus = -inf, y_minus = -inf, nearest = -inf;
    for (const Vec3d& point : points) {
        const Vec3d p = point - camera.target;
        const double x = dot(p, right), y = dot(p, up), toward = dot(p, back);
        x_plus = std::max(x_plus, x + tan_x * toward);
        x_minus = std::max(x_minus, -x + tan_x * toward);
        y_plus = std::max(y_plus, y + tan_y * toward);
        y_minus = std::max(y_minus, -y + tan_y * toward);
        nearest = std::max(nearest, toward);
    }
    const double size = std::max(norm(box.size()), 1e-6);
    const double distance =
        std::max({(x_plus + x_minus) / (2 * tan_x), (y_plus + y_minus) / (2 * tan_y), nearest + 0.01 * size});
    const Vec3d shift = 0.5 * (x_plus - x_minus) * right + 0.5 * (y_plus - y_minus) * up;
    camera.eye = camera.target + shift + distance * back;
    camera.target += shift;
    return camera;
}

double natural_aspect(ViewAngles view, std::span<const Vec3d> points) {
    const Camera camera = frame_view(view, points, 1);
    Vec2d low{1e9, 1e9}, high{-1e9, -1e9};
    for (const Vec3d& point : points) {
        const Vec3d p = project(camera, 1, point);
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double width = high.x - low.x, height = high.y - low.y;
    return width > 0 && height > 0 ? width / height : 1;
}

}  // namespace rumple
