// Axis-aligned bounds of points.
#pragma once

#include <algorithm>
#include <cmath>
#include <rumple/core/vec.hpp>
#include <span>

namespace rumple {

struct Bounds {
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL};  // m
    Vec3d high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    void add(Vec3d p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    Vec3d size() const { return high - low; }
    Vec3d center() const { return 0.5 * (low + high); }
};

inline Bounds bounds_of(std::span<const Vec3d> points) {
    Bounds bounds;
    for (const Vec3d& p : points) bounds.add(p);
    return bounds;
}

}  // namespace rumple
