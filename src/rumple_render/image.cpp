#include <algorithm>
#include <array>
#include <cmath>
#include <rumple_render/image.hpp>
#include <rumple_render/sampling.hpp>

namespace rumple {

namespace {

// Of the curve below.
constexpr float kToe = 0.22f;       // light below is bent down
constexpr float kToePower = 1.25f;  // how much
constexpr float kStraight = 0.40f;  // length of the straight part, as a share of what is above the toe
// Colours keep their hue where the curve acts on the largest channel; film, which acts on each, bleaches
// highlights.
constexpr float kBleach = 0.35f;

}  // namespace

float srgb_encode(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float srgb_decode(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Rgb to_rgb(Vec3f linear) {
    const auto byte = [](float v) {
        return static_cast<std::uint8_t>(std::lround(255 * srgb_encode(std::clamp(v, 0.0f, 1.0f))));
    };
    return {byte(linear.x), byte(linear.y), byte(linear.z)};
}

Vec3f to_linear(Rgb c) {
    return {srgb_decode(float(c.r) / 255), srgb_decode(float(c.g) / 255), srgb_decode(float(c.b) / 255)};
}

float film_curve(float light) {
    const float x = std::max(light, 0.0f), straight = kToe + (1 - kToe) * kStraight;
    const float toe = kToe * std::pow(x / kToe, kToePower);
    const float room = 1 - straight, shoulder = 1 - room * std::exp(-(x - straight) / room);
    const auto ease = [](float t) {
        t = std::clamp(t, 0.0f, 1.0f);
        return t * t * (3 - 2 * t);
    };
    const float above_toe = ease(x / kToe), bright = x >= straight ? 1.0f : 0.0f;
    return (1 - above_toe) * toe + above_toe * ((1 - bright) * x + bright * shoulder);
}

Picture tone_map(const Image& image) {
    Picture picture(image.width, image.height);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const Vec3f c = image.pixels[i];
        const float top = std::max({c.x, c.y, c.z, 1e-9f}), kept = film_curve(top) / top;
        const auto bent = [&](float v) {
            return (1 - kBleach) * kept * std::max(v, 0.0f) + kBleach * film_curve(v);
        };
        const float dither = unit_float(mixed(static_cast<std::uint32_t>(i)));
        const auto byte = [dither](float v) {
            return static_cast<std::uint8_t>(
                std::min(255.0f, 255 * srgb_encode(std::clamp(v, 0.0f, 1.0f)) + dither));
        };
        picture.pixels[i] = {byte(bent(c.x)), byte(bent(c.y)), byte(bent(c.z))};
    }
    return picture;
}

void paste(Picture& onto, const Picture& from, int x, int y) {
    const int begin = std::max(0, -x), end = std::min(from.width, onto.width - x);
    if (begin >= end) return;
    for (int row = std::max(0, -y); row < std::min(from.height, onto.height - y); ++row)
        std::copy_n(&from.at(begin, row), end - begin, &onto.at(x + begin, y + row));
}

}  // namespace rumple
