#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple_render/look.hpp>
#include <rumple_render/sampling.hpp>

namespace rumple {

namespace {

const std::vector<Look>& looks() {
    static const std::vector<Look> all{
        {"cotton",
         {0.78f, 0.76f, 0.71f},
         {0.76f, 0.74f, 0.69f},
         Weave::plain,
         0.0007f,
         0.24f,
         0.06f,
         0,
         0.06f,
         0,
         0},
        {"denim",
         {0.055f, 0.095f, 0.21f},
         {0.30f, 0.36f, 0.46f},
         Weave::twill,
         0.0008f,
         0.45f,
         0.20f,
         0.5f,
         0.10f,
         0,
         0},
        {"polyester",
         {0.30f, 0.32f, 0.34f},
         {0.28f, 0.30f, 0.32f},
         Weave::plain,
         0.0004f,
         0.20f,
         0.03f,
         0,
         0.05f,
         0.10f,
         0},
        {"rose",
         {0.66f, 0.26f, 0.27f},
         {0.62f, 0.25f, 0.26f},
         Weave::plain,
         0.0007f,
         0.24f,
         0.06f,
         0,
         0.06f,
         0,
         0},
        {"body", {0.58f, 0.46f, 0.38f}, {0.30f, 0.25f, 0.22f}, Weave::none, 0.001f, 0, 0, 0, 0.03f, 0, 0},
        {"clay", {0.50f, 0.48f, 0.46f}, {0.34f, 0.33f, 0.32f}, Weave::none, 0.001f, 0, 0, 0, 0, 0, 0},
    };
    return all;
}

// Smooth noise in [-1, 1] that never repeats: hashed values on a lattice, blended.
float noise(float x, float y, std::uint32_t seed) {
    const float fx = std::floor(x), fy = std::floor(y);
    const auto ix = static_cast<std::uint32_t>(static_cast<std::int32_t>(fx));
    const auto iy = static_cast<std::uint32_t>(static_cast<std::int32_t>(fy));
    const auto value = [&](std::uint32_t i, std::uint32_t j) {
        return 2 * unit_float(mixed(i * 0x8da6b343u ^ j * 0xd8163841u ^ seed)) - 1;
    };
    const auto ease = [](float t) { return t * t * (3 - 2 * t); };
    const float tx = ease(x - fx), ty = ease(y - fy);
    const float low = value(ix, iy) + tx * (value(ix + 1, iy) - value(ix, iy));
    const float high = value(ix, iy + 1) + tx * (value(ix + 1, iy + 1) - value(ix, iy + 1));
    return low + ty * (high - low);
}

// How much of a pattern of this period a pixel of this size can show.
float visible(float footprint, float period) {
    const float t = std::clamp((0.75f - footprint / period) / 0.45f, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

// Uneven yarn: streaks along both thread directions, of several widths.
float slub_streaks(const Look& look, float u, float v, float footprint) {
    constexpr float kLong = 30;  // a streak's length over its width
    float sum = 0, period = 1.3f * look.pitch, strength = 1;
    for (std::uint32_t octave = 0; octave < 3; ++octave, period *= 1.9f, strength *= 0.6f) {
        const float seen = strength * visible(footprint, 2 * period);
        if (seen <= 0) continue;
        sum += seen * (noise(u / (kLong * period), v / period, octave) +
                       noise(u / period, v / (kLong * period), octave + 16));
    }
    return 0.5f * sum;
}

// A thread seen from above: bright along its middle, dark at its sides; mean 0.
float thread_profile(float across, float along) {
    const float side = 2 * across - 1, crown = 2 * along - 1;
    return (1 - 3 * side * side) / 4 + (1 - 3 * crown * crown) / 6;
}

}  // namespace

const std::vector<std::string>& look_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Look& look : looks()) list.push_back(look.name);
        return list;
    }();
    return names;
}

Look look_by_name(const std::string& name) {
    for (const Look& look : looks())
        if (look.name == name) return look;
    throw InputError("look", fmt::format("there is no look '{}'", name), suggestion(name, look_names()));
}

Look look_for_material(const std::string& material) {
    for (const Look& look : looks())
        if (material.starts_with(look.name)) return look;
    return looks().front();
}

Vec3f woven_colour(const Look& look, float u, float v, float footprint, bool front) {
    const Vec3f base = front ? look.front : look.back;
    if (look.weave == Weave::none) return base;
    const float x = u / look.pitch, y = v / look.pitch;
    const float fx = std::floor(x), fy = std::floor(y);
    float shade = 1 + look.slub * slub_streaks(look, u, v, footprint);
    Vec3f colour = base;

    const float threads = visible(footprint, look.pitch);
    const bool twill = look.weave == Weave::twill;
    // Which thread lies on top here. Plain: a chessboard. Twill: three warps over, one under, shifted by one
    // from row to row, which draws the diagonal lines.
    const int column = static_cast<int>(std::fmod(fx, 4)), row = static_cast<int>(std::fmod(fy, 4));
    const int diagonal = ((column - row) % 4 + 4) % 4;
    const bool warp_on_top = twill ? (diagonal != 0) == front : ((column + row) % 2 + 2) % 2 == 0;
    if (threads > 0) {
        const float across = warp_on_top ? y - fy : x - fx, along = warp_on_top ? x - fx : y - fy;
        shade *= 1 + threads * look.thread_contrast * thread_profile(across, along);
    }
    if (twill && look.weft_white > 0) {  // white weft between indigo warps, its mean taken out of the base
        const float share = 0.25f, line = visible(footprint, 4 * look.pitch);
        const bool weft_shows = front ? !warp_on_top : warp_on_top;
        const float weft = threads * (weft_shows ? 1.0f : 0.0f) + (1 - threads) * share;
        const float amount = look.weft_white * 0.35f * (weft - share);
        // From further away the lines remain: one pale stripe in four threads.
        const float stripe = std::cos(1.5707963f * (x - y + 0.5f)) * (1 - threads) * line;
        const Vec3f white{0.62f, 0.64f, 0.66f};
        colour += (front ? amount : -amount) * (white - base);
        shade *= 1 + 0.12f * stripe;
    }
    shade = std::max(shade, 0.05f);
    return shade * Vec3f{std::clamp(colour.x, 0.0f, 0.95f), std::clamp(colour.y, 0.0f, 0.95f),
                         std::clamp(colour.z, 0.0f, 0.95f)};
}

}  // namespace rumple
