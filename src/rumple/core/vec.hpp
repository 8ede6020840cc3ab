// Small vectors and matrices that work on host and device: plain data, no Eigen.
#pragma once

#include <cmath>
#include <rumple/core/scalar.hpp>

namespace rumple {

template <class T>
struct Vec2 {
    T x{}, y{};

    friend RUMPLE_HD Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
    friend RUMPLE_HD Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
    friend RUMPLE_HD Vec2 operator*(T s, Vec2 a) { return {s * a.x, s * a.y}; }
    friend RUMPLE_HD bool operator==(const Vec2&, const Vec2&) = default;
};

template <class T>
RUMPLE_HD T dot(Vec2<T> a, Vec2<T> b) {
    return a.x * b.x + a.y * b.y;
}
// z component of the cross product: twice the signed area spanned by a and b
template <class T>
RUMPLE_HD T cross(Vec2<T> a, Vec2<T> b) {
    return a.x * b.y - a.y * b.x;
}
template <class T>
RUMPLE_HD T norm(Vec2<T> a) {
    return sqrt(dot(a, a));
}

template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    RUMPLE_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
    RUMPLE_HD T operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }

    RUMPLE_HD Vec3& operator+=(Vec3 b) { return *this = *this + b; }
    RUMPLE_HD Vec3& operator-=(Vec3 b) { return *this = *this - b; }
    RUMPLE_HD Vec3& operator*=(T s) { return *this = s * *this; }

    friend RUMPLE_HD Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend RUMPLE_HD Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend RUMPLE_HD Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend RUMPLE_HD Vec3 operator*(T s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend RUMPLE_HD bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
RUMPLE_HD T dot(Vec3<T> a, Vec3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
RUMPLE_HD Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
RUMPLE_HD T norm(Vec3<T> a) {
    return sqrt(dot(a, a));
}
// Of a zero vector: NaN. Callers that may meet one check first.
template <class T>
RUMPLE_HD Vec3<T> normalized(Vec3<T> a) {
    return (T(1) / norm(a)) * a;
}

// Row-major 3x3 matrix.
template <class T>
struct Mat3 {
    T m[9]{};

    RUMPLE_HD T& operator()(int r, int c) { return m[3 * r + c]; }
    RUMPLE_HD T operator()(int r, int c) const { return m[3 * r + c]; }

    RUMPLE_HD Mat3& operator+=(const Mat3& b) {
        for (int i = 0; i < 9; ++i) m[i] += b.m[i];
        return *this;
    }
    friend RUMPLE_HD Mat3 operator*(T s, Mat3 a) {
        for (T& e : a.m) e *= s;
        return a;
    }
    friend RUMPLE_HD Vec3<T> operator*(const Mat3& a, Vec3<T> v) {
        return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
    }
    friend RUMPLE_HD Mat3 operator*(const Mat3& a, const Mat3& b) {
        Mat3 c;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
        return c;
    }
    static RUMPLE_HD Mat3 identity(T s = T(1)) {
        Mat3 a;
        a.m[0] = a.m[4] = a.m[8] = s;
        return a;
    }
};

template <class T>
RUMPLE_HD Mat3<T> outer(Vec3<T> a, Vec3<T> b) {
    return {
        {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
template <class T>
RUMPLE_HD Mat3<T> transposed(const Mat3<T>& a) {
    return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

// Rotation about a unit axis by an angle in radians, right-handed (Rodrigues' formula).
template <class T>
RUMPLE_HD Mat3<T> rotation(Vec3<T> unit_axis, T angle) {
    const T c = std::cos(angle), s = std::sin(angle);
    Mat3<T> r = (T(1) - c) * outer(unit_axis, unit_axis);
    r += Mat3<T>::identity(c);
    r += Mat3<T>{{T(0), -s * unit_axis.z, s * unit_axis.y, s * unit_axis.z, T(0), -s * unit_axis.x,
                  -s * unit_axis.y, s * unit_axis.x, T(0)}};
    return r;
}

using Vec2d = Vec2<double>;
using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

inline bool finite(Vec3d a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

}  // namespace rumple
