// What a surface reflects towards the viewer if nothing is in the way of the light, lamp by lamp.
#pragma once

#include <array>
#include <rumple_render/lighting.hpp>
#include <rumple_render/occlusion_filter.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

struct Reflected {
    std::array<Vec3f, kLamps> lamp;
    Vec3f sky;
    Vec3f flat;  // that nothing can darken

    // What arrives of it.
    Vec3f seen(const LightRatio& ratio) const {
        Vec3f sum = flat + tint(ratio.sky, sky);
        for (std::size_t l = 0; l < kLamps; ++l) sum += ratio.lamp[l] * lamp[l];
        return sum;
    }
    void operator+=(const Reflected& other) {
        for (std::size_t l = 0; l < kLamps; ++l) lamp[l] += other.lamp[l];
        sky += other.sky;
        flat += other.flat;
    }
};

Reflected reflected_light(const Lighting& light, const SurfacePoint& s, const ShadedSurface& surface,
                          Vec3f view);

// Ground shows the background, darker by as much light as it misses.
Reflected ground_light(const Lighting& light, Vec3f behind);

// Mirrored by a surface with normal n.
inline Vec3f mirrored(Vec3f d, Vec3f n) { return d - 2 * dot(d, n) * n; }

}  // namespace rumple
