// Unit quaternions (w + xi + yj + zk) for rotations of joints. Plain data; products compose right to left, as
// matrices do: (a * b) turns by b first.
#pragma once

#include <cmath>
#include <rumple/core/vec.hpp>

namespace rumple {

struct Quat {
    double w = 1, x = 0, y = 0, z = 0;

    friend Quat operator*(Quat a, Quat b) {
        return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }
    friend Quat operator+(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Quat operator*(double s, Quat a) { return {s * a.w, s * a.x, s * a.y, s * a.z}; }
    friend bool operator==(const Quat&, const Quat&) = default;
};

inline double dot(Quat a, Quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
inline Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Quat normalized(Quat q) { return (1 / std::sqrt(dot(q, q))) * q; }

inline Vec3d rotate(Quat q, Vec3d v) {
    const Vec3d u{q.x, q.y, q.z};
    const Vec3d t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}

// Right-handed turn about a unit axis [rad].
inline Quat turn(Vec3d unit_axis, double angle) {
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * unit_axis.x, s * unit_axis.y, s * unit_axis.z};
}

// The shorter way from a to b at an even pace.
inline Quat slerp(Quat a, Quat b, double s) {
    double c = dot(a, b);
    if (c < 0) {
        b = -1.0 * b;
        c = -c;
    }
    if (c > 0.9995) return normalized((1 - s) * a + s * b);
    const double angle = std::acos(c), sine = std::sin(angle);
    return (std::sin((1 - s) * angle) / sine) * a + (std::sin(s * angle) / sine) * b;
}

}  // namespace rumple
