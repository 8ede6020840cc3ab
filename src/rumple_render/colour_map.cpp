#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/colour_map.hpp>

namespace rumple {

namespace {

bool in_gamut(Vec3f c) {
    const auto ok = [](float v) { return v >= -1e-4f && v <= 1 + 1e-4f; };
    return ok(c.x) && ok(c.y) && ok(c.z);
}

// The colour of this lightness and hue with as much of the chroma as the screen can show.
Vec3f colour_of(double L, double hue_degrees, double chroma) {
    const double h = hue_degrees * std::numbers::pi / 180;
    const auto at = [&](double c) { return oklab_to_linear(L, c * std::cos(h), c * std::sin(h)); };
    double shown = in_gamut(at(chroma)) ? chroma : 0;
    if (shown < chroma)
        for (double low = 0, high = chroma, i = 0; i < 16; ++i) {
            const double middle = (low + high) / 2;
            (in_gamut(at(middle)) ? low : high) = middle;
            shown = low;
        }
    const Vec3f colour = at(shown);
    return {std::clamp(colour.x, 0.0f, 1.0f), std::clamp(colour.y, 0.0f, 1.0f),
            std::clamp(colour.z, 0.0f, 1.0f)};
}

}  // namespace

Vec3f oklab_to_linear(double L, double a, double b) {
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(L + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(L - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(L - 0.0894841775 * a - 1.2914855480 * b);
    return {static_cast<float>(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            static_cast<float>(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            static_cast<float>(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

double oklab_lightness(Vec3f c) {
    const double l = std::cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z);
    const double m = std::cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z);
    const double s = std::cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

Vec3f map_colour(ColourMap map, double t) {
    t = std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0.0;
    const double away = std::abs(2 * t - 1);
    // Paler in the middle, where the screen has no stronger green-blue: cut off it would show as an edge.
    if (map == ColourMap::rising)
        return colour_of(0.27 + 0.66 * t, 300 - 198 * t, 0.094 + (t < 0.5 ? 0.03 : 0.07) * away * away);
    return colour_of(0.95 - 0.47 * away, t < 0.5 ? 256 : 29, 0.18 * away);
}

}  // namespace rumple
