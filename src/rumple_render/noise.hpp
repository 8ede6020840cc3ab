// Smooth noise, for threads and ripples: hashed values on a lattice, the same on every machine.
#pragma once

#include <cmath>
#include <rumple_render/sampling.hpp>

namespace rumple {

// Smooth noise in [-1, 1] that never repeats: hashed values on a lattice, blended.
inline float noise(float x, float y, std::uint32_t seed) {
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

// The slopes of such noise in space, for lattice cells of size 1.
inline Vec3f noise_slopes(Vec3f p, std::uint32_t seed) {
    const Vec3f cell{std::floor(p.x), std::floor(p.y), std::floor(p.z)}, t = p - cell;
    const auto bits = [](float c) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(c)); };
    const std::uint32_t x[2] = {bits(cell.x) * 0x8da6b343u, (bits(cell.x) + 1) * 0x8da6b343u},
                        y[2] = {bits(cell.y) * 0xd8163841u, (bits(cell.y) + 1) * 0xd8163841u},
                        z[2] = {bits(cell.z) * 0xcb1ab31fu, (bits(cell.z) + 1) * 0xcb1ab31fu};
    float share[3][2], change[3][2];
    for (int axis = 0; axis < 3; ++axis) {
        share[axis][1] = t[axis] * t[axis] * (3 - 2 * t[axis]);
        share[axis][0] = 1 - share[axis][1];
        change[axis][1] = 6 * t[axis] * (1 - t[axis]);
        change[axis][0] = -change[axis][1];
    }
    Vec3f slopes;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k) {
                const float value = 2 * unit_float(mixed(x[i] ^ y[j] ^ z[k] ^ seed)) - 1;
                slopes += value * Vec3f{change[0][i] * share[1][j] * share[2][k],
                                        share[0][i] * change[1][j] * share[2][k],
                                        share[0][i] * share[1][j] * change[2][k]};
            }
    return slopes;
}

}  // namespace rumple
