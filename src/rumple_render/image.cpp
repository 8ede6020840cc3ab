#include <algorithm>
#include <array>
#include <cmath>
#include <rumple_render/image.hpp>
#include <rumple_render/sampling.hpp>

namespace rumple {

namespace {

constexpr float kKnee = 0.65f;  // linear light below, bent above

float bend(float x) {
    if (x <= kKnee) return x;
    const float room = 1 - kKnee;
    return 1 - room * std::exp(-(x - kKnee) / room);
}

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

Picture tone_map(const Image& image) {
    Picture picture(image.width, image.height);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        Vec3f c = image.pixels[i];
        const float top = std::max({c.x, c.y, c.z, 0.0f});
        if (top > kKnee) c *= bend(top) / top;
        const float dither = unit_float(mixed(static_cast<std::uint32_t>(i)));
        const auto byte = [dither](float v) {
            return static_cast<std::uint8_t>(
                std::min(255.0f, 255 * srgb_encode(std::clamp(v, 0.0f, 1.0f)) + dither));
        };
        picture.pixels[i] = {byte(c.x), byte(c.y), byte(c.z)};
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
