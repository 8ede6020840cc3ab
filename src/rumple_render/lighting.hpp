// Light of a photo studio: a large soft key lamp, a rim lamp behind the subject, and a dome all around that
// fills the shadows; all as the reflected light of a white surface, so that 1 is a white sheet that fills the
// film. Directions are fixed to the camera: every view is lit as well.
//
// The dome's radiance is linear in the direction, L(d) = sky (1 + tilt d.up); the light it sheds on a surface
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
    studio,   // large soft lamp from the upper left, rim lamp from behind, bright dome
    raking,   // smaller lamp that grazes the cloth from the side: every wrinkle throws its shadow
    overhead  // the same from above: level folds of upright cloth throw their shadows
};
inline const std::vector<std::string>& light_names() {
    static const std::vector<std::string> names{"studio", "raking", "overhead"};
    return names;
}
// One of light_names(); studio if it is none of them.
inline LightKind light_by_name(const std::string& name) {
    return name == "raking"     ? LightKind::raking
           : name == "overhead" ? LightKind::overhead
                                : LightKind::studio;
}

struct Lamp {
    Vec3f direction{0, 0, 1};  // towards the lamp, unit
    Vec3f colour{};
    float sine = 0.1f;  // of the half angle under which it is seen

    float cosine() const { return std::sqrt(1 - sine * sine); }
    // Share of the lamp's light that a surface with this cosine gets; a lamp of some size sets gradually.
    float share(float cosine_to_it) const {
        if (cosine_to_it >= sine) return cosine_to_it;
        if (cosine_to_it <= -sine) return 0;
        return (cosine_to_it + sine) * (cosine_to_it + sine) / (4 * sine);
    }
};

// Behind everything: an even wall, brighter around a spot, and the ground that continues it.
struct Backdrop {
    Vec3f centre{0.70f, 0.685f, 0.66f}, edge{0.46f, 0.448f, 0.43f};
    float spot_x = 0.5f, spot_y = 0.45f;  // share of width and height, from the upper left
};

struct Lighting {
    Lamp key, rim;
    Vec3f sky{0.3f, 0.3f, 0.3f};
    Vec3f sky_up{0, 0, 1};  // brightest direction, unit
    float sky_tilt = 0.7f;  // [0, 1]
    Backdrop backdrop;

    Vec3f sky_radiance(Vec3f d) const { return (1 + sky_tilt * dot(d, sky_up)) * sky; }
    Vec3f sky_on(Vec3f n) const { return (1 + (2.0f / 3) * sky_tilt * dot(n, sky_up)) * sky; }
    // All that a matt white surface with this normal reflects if nothing is in the way.
    Vec3f on(Vec3f n) const {
        return key.share(dot(n, key.direction)) * key.colour + rim.share(dot(n, rim.direction)) * rim.colour +
               sky_on(n);
    }
};

inline Lighting make_lighting(LightKind kind, const Camera& camera) {
    const Vec3d right = camera.right(), up = camera.image_up(), back = -camera.forward();
    const auto towards = [&](double r, double u, double b) {
        return to_float(normalized(r * right + u * up + b * back));
    };
    Lighting light;
    light.rim = {towards(0.74, 0.50, -0.45), 0.85f * Vec3f{0.94f, 0.98f, 1.05f}, 0.30f};
    if (kind == LightKind::studio) {
        light.key = {towards(-0.76, 0.54, 0.36), 1.15f * Vec3f{1.0f, 0.965f, 0.92f}, 0.24f};
        light.sky = 0.185f * Vec3f{0.95f, 0.985f, 1.05f};
        light.sky_up = towards(0.35, 0.70, 0.62);
        light.sky_tilt = 0.75f;
    } else {
        const bool above = kind == LightKind::overhead;
        light.key = {above ? towards(-0.42, 0.90, 0.15) : towards(-0.90, 0.33, 0.26),
                     (above ? 1.8f : 1.3f) * Vec3f{1.0f, 0.955f, 0.89f}, 0.10f};
        // The dome is brightest opposite the lamp: in the shade it has to show the wrinkles.
        light.sky = (above ? 0.145f : 0.15f) * Vec3f{0.93f, 0.98f, 1.07f};
        light.sky_up = towards(0.72, 0.55, 0.42);
        light.sky_tilt = 0.95f;
        light.backdrop.centre = {0.115f, 0.120f, 0.128f};
        light.backdrop.edge = {0.040f, 0.043f, 0.048f};
    }
    return light;
}

}  // namespace rumple
