// Two kinds of pictures: Image holds light (linear, unbounded), Picture holds what a file or a screen gets
// (sRGB, eight bits). Light becomes a picture once, by tone_map; text and legends are drawn on pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

using Vec3f = Vec3<float>;

inline Vec3f to_float(Vec3d v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
// Componentwise product: light times the colour it falls on.
inline Vec3f tint(Vec3f a, Vec3f b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

struct Image {
    int width = 0, height = 0;
    std::vector<Vec3f> pixels;  // rows from the top, linear light

    Image() = default;
    Image(int w, int h)
        : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    Vec3f& at(int x, int y) { return pixels[index(x, y)]; }
    const Vec3f& at(int x, int y) const { return pixels[index(x, y)]; }
};

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

struct Picture {
    int width = 0, height = 0;
    std::vector<Rgb> pixels;  // rows from the top, sRGB

    Picture() = default;
    Picture(int w, int h, Rgb fill = {})
        : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), fill) {}
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    Rgb& at(int x, int y) { return pixels[index(x, y)]; }
    const Rgb& at(int x, int y) const { return pixels[index(x, y)]; }
    friend bool operator==(const Picture&, const Picture&) = default;
};

float srgb_encode(float linear);  // both in [0, 1]
float srgb_decode(float encoded);
Rgb to_rgb(Vec3f linear);  // clamps
Vec3f to_linear(Rgb colour);

// Light to display light as film does it: a toe that deepens shadows, a straight middle, a shoulder that
// approaches white without ever reaching it. After [U17] H. Uchimura: HDR theory and practice, CEDEC (2017).
float film_curve(float light);

// The film curve, mostly on the largest channel, so that colours keep their hue. A half-step dither, the same
// for every picture of a size, hides banding in smooth backgrounds.
Picture tone_map(const Image& image);

// Copies `from` into `onto`, its top left corner at (x, y); what does not fit is left out.
void paste(Picture& onto, const Picture& from, int x, int y);

}  // namespace rumple
