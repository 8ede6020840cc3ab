#include <rumple/contact/orientation.hpp>

#include <array>
#include <limits>

namespace rumple::contact {

namespace {

constexpr double kUnit =
    std::numeric_limits<double>::epsilon() / 2;  // largest relative error of one rounding

int sign(double x) { return (x > 0) - (x < 0); }

// A number as a sum of at most N doubles of growing size that do not overlap: exact, and its sign is that of
// the last.
template <int N>
struct Expansion {
    std::array<double, static_cast<std::size_t>(N > 0 ? N : 1)> term{};
    int count = 0;

    void append(double x) {
        if (x != 0) term[static_cast<std::size_t>(count++)] = x;
    }
    double operator[](int i) const { return term[static_cast<std::size_t>(i)]; }
    int sign_of() const { return count == 0 ? 0 : sign(term[static_cast<std::size_t>(count - 1)]); }
};

// sum + error == a + b exactly (Knuth)
void two_sum(double a, double b, double& sum, double& error) {
    sum = a + b;
    const double from_b = sum - a, from_a = sum - from_b;
    error = (a - from_a) + (b - from_b);
}

Expansion<2> difference(double a, double b) {
    double sum, error;
    two_sum(a, -b, sum, error);
    Expansion<2> e;
    e.append(error);
    e.append(sum);
    return e;
}

// e + x: x is carried up through the terms (Shewchuk, theorem 10).
template <int N, int M>
void grow(Expansion<N>& e, const Expansion<M>& from, double x) {
    e.count = 0;
    for (int i = 0; i < from.count; ++i) {
        double sum, error;
        two_sum(x, from[i], sum, error);
        e.append(error);
        x = sum;
    }
    e.append(x);
}

template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
    Expansion<N + M> sum;
    for (int i = 0; i < a.count; ++i) sum.append(a[i]);
    for (int i = 0; i < b.count; ++i) {
        const Expansion<N + M> before = sum;
        grow(sum, before, b[i]);
    }
    return sum;
}

template <int N>
Expansion<N> operator-(Expansion<N> a) {
    for (double& t : a.term) t = -t;
    return a;
}

template <int N, int M>
Expansion<2 * N * M> operator*(const Expansion<N>& a, const Expansion<M>& b) {
    Expansion<2 * N * M> sum;
    const auto add = [&sum](double x) {
        const Expansion<2 * N* M> before = sum;
        grow(sum, before, x);
    };
    for (int i = 0; i < a.count; ++i)
        for (int j = 0; j < b.count; ++j) {
            const double product = a[i] * b[j];
            const double error = __builtin_fma(a[i], b[j], -product);
            if (error != 0) add(error);
            if (product != 0) add(product);
        }
    return sum;
}

int exact_orientation(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const auto ax = difference(a.x, d.x), ay = difference(a.y, d.y), az = difference(a.z, d.z);
    const auto bx = difference(b.x, d.x), by = difference(b.y, d.y), bz = difference(b.z, d.z);
    const auto cx = difference(c.x, d.x), cy = difference(c.y, d.y), cz = difference(c.z, d.z);
    const auto first = ax * (by * cz + -(bz * cy));
    const auto second = ay * (bz * cx + -(bx * cz));
    const auto third = az * (bx * cy + -(by * cx));
    return (first + second + third).sign_of();
}

int exact_orientation(Vec2d a, Vec2d b, Vec2d c) {
    const auto ax = difference(a.x, c.x), ay = difference(a.y, c.y);
    const auto bx = difference(b.x, c.x), by = difference(b.y, c.y);
    return (ax * by + -(ay * bx)).sign_of();
}

}  // namespace

int orientation(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const Vec3d p = a - d, q = b - d, r = c - d;
    const double yz = q.y * r.z, zy = q.z * r.y, zx = q.z * r.x, xz = q.x * r.z, xy = q.x * r.y,
                 yx = q.y * r.x;
    const double value = p.x * (yz - zy) + p.y * (zx - xz) + p.z * (xy - yx);
    const double size = std::abs(p.x) * (std::abs(yz) + std::abs(zy)) +
                        std::abs(p.y) * (std::abs(zx) + std::abs(xz)) +
                        std::abs(p.z) * (std::abs(xy) + std::abs(yx));
    // Each of the six products carries three differences, two multiplications and at most four additions:
    // nine roundings, (1 + u)^9 - 1 < 10 u; `size` itself is rounded down by less than as much again of that,
    // which 16 covers.
    if (std::abs(value) > 16 * kUnit * size) return sign(value);
    return exact_orientation(a, b, c, d);
}

int orientation(Vec2d a, Vec2d b, Vec2d c) {
    const Vec2d p = a - c, q = b - c;
    const double left = p.x * q.y, right = p.y * q.x, value = left - right;
    // Two differences, one multiplication and one subtraction: four roundings of each product.
    if (std::abs(value) > 8 * kUnit * (std::abs(left) + std::abs(right))) return sign(value);
    return exact_orientation(a, b, c);
}

}  // namespace rumple::contact
