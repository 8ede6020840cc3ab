// Light: one soft lamp far away and a sky all around, both as the reflected light of a white surface, so that
// 1 is a white sheet that fills the film. Directions are fixed to the camera: every view is lit as well.
//
// The sky's radiance is linear in the direction, L(d) = sky (1 + tilt d.up); the light it sheds on a surface
// with normal n is then exactly sky (1 + 2/3 tilt n.up). What is known exactly need not be sampled: only
// what stands in the way is.
#pragma once

#include <algorithm>
#include <cmath>
#include <rumple_render/camera.hpp>
#include <rumple_render/image.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class LightKind {
    studio,  // large soft lamp from the upper left, bright sky
    raking   // small lamp that grazes the cloth from the side: every wrinkle throws its shadow
};

struct Lighting {
    Vec3f key_direction{0, 0, 1};  // towards the lamp, unit
    Vec3f key{0.7f, 0.7f, 0.7f};
    float key_sine = 0.1f;  // of the half angle under which the lamp is seen
    Vec3f sky{0.3f, 0.3f, 0.3f};
    Vec3f sky_up{0, 0, 1};  // brightest direction, unit
    float sky_tilt = 0.7f;  // [0, 1]
    Vec3f background_low{0.46f, 0.455f, 0.445f}, background_high{0.34f, 0.34f, 0.345f};

    float key_cosine() const { return std::sqrt(1 - key_sine * key_sine); }
    Vec3f sky_radiance(Vec3f d) const { return (1 + sky_tilt * dot(d, sky_up)) * sky; }
    Vec3f sky_on(Vec3f n) const { return (1 + (2.0f / 3) * sky_tilt * dot(n, sky_up)) * sky; }
    // Share of the lamp's light that a surface with this cosine gets; a lamp of some size sets gradually.
    float key_share(float cosine) const {
        if (cosine >= key_sine) return cosine;
        if (cosine <= -key_sine) return 0;
        return (cosine + key_sine) * (cosine + key_sine) / (4 * key_sine);
    }
};

inline Lighting make_lighting(LightKind kind, const Camera& camera) {
    const Vec3d right = camera.right(), up = camera.image_up(), back = -camera.forward();
    const auto towards = [&](double r, double u, double b) {
        return to_float(normalized(r * right + u * up + b * back));
    };
    Lighting light;
    if (kind == LightKind::studio) {
        light.key_direction = towards(-0.68, 0.56, 0.42);
        light.key = 1.12f * Vec3f{1.0f, 0.965f, 0.91f};
        light.key_sine = 0.16f;
        light.sky = 0.21f * Vec3f{0.93f, 0.98f, 1.06f};
        light.sky_up = towards(0.25, 0.75, 0.6);
        light.sky_tilt = 0.75f;
    } else {
        light.key_direction = towards(-0.90, 0.31, 0.24);
        light.key = 1.12f * Vec3f{1.0f, 0.96f, 0.90f};
        light.key_sine = 0.05f;
        // The sky is brightest opposite the lamp: in the shade it has to show the wrinkles.
        light.sky = 0.17f * Vec3f{0.92f, 0.98f, 1.08f};
        light.sky_up = towards(0.72, 0.55, 0.42);
        light.sky_tilt = 0.95f;
        light.background_low = {0.20f, 0.20f, 0.20f};
        light.background_high = {0.13f, 0.13f, 0.135f};
    }
    return light;
}

}  // namespace rumple
