// Small things to take pictures of.
#pragma once

#include <cmath>
#include <numbers>
#include <rumple/mesh/generators.hpp>
#include <rumple_render/renderer.hpp>

namespace rumple {

// A tube pressed into folds that wind around it.
inline RenderObject wrinkled_tube(const std::string& look, int around = 96, int up = 40) {
    RenderObject object;
    object.name = "tube";
    object.mesh = make_tube(around, up, 0.1, 0.25, Layout::right);
    object.rest = object.mesh.positions;
    for (Vec3d& p : object.mesh.positions) {
        const double angle = std::atan2(p.y, p.x), fold = std::cos(6 * angle + 30 * p.z);
        const double shrink = 1 - 0.12 * std::abs(fold) * std::sin(std::numbers::pi * p.z / 0.25);
        p.x *= shrink;
        p.y *= shrink;
    }
    object.look = look_by_name(look);
    return object;
}

inline RenderObject flat_sheet(double size, double height, const std::string& look = "clay") {
    RenderObject object;
    object.name = "sheet";
    object.mesh = make_grid(9, 9, size, size, Layout::alternating);
    for (Vec3d& p : object.mesh.positions) p.z = height;
    object.look = look_by_name(look);
    return object;
}

inline Camera framed(const RenderScene& scene, View view, double aspect) {
    std::vector<Vec3d> points;
    for (const RenderObject& object : scene.objects)
        points.insert(points.end(), object.mesh.positions.begin(), object.mesh.positions.end());
    return frame_view(view, points, aspect);
}

inline Image shoot(const RenderScene& scene, View view, LightKind light, int width, int height,
                   int samples = 16, int threads = 2) {
    const Camera camera = framed(scene, view, double(width) / height);
    return render(scene, camera, make_lighting(light, camera), {width, height, samples}, Threads(threads));
}

inline float brightness(Vec3f c) { return (c.x + c.y + c.z) / 3; }

}  // namespace rumple
