#include <algorithm>
#include <cmath>
#include <rumple/modeling/limb_shape.hpp>

namespace rumple {

namespace {

constexpr double kFar = 0.1;  // m, more than any blend between shapes is long

// Cubic interpolation through unevenly spaced stations (Catmull-Rom: slopes by differences of neighbours).
LimbStation station_at(const std::vector<LimbStation>& s, double t) {
    if (s.size() == 1) return s[0];
    std::size_t i = 0;
    while (i + 2 < s.size() && t > s[i + 1].t) ++i;
    const LimbStation &a = s[i], &b = s[i + 1];
    const LimbStation &before = i > 0 ? s[i - 1] : a, &after = i + 2 < s.size() ? s[i + 2] : b;
    const double h = b.t - a.t, u = (t - a.t) / h;
    const auto value = [&](double LimbStation::*f) {
        const double slope_a = (b.*f - before.*f) / (b.t - before.t);
        const double slope_b = (after.*f - a.*f) / (after.t - a.t);
        const double u2 = u * u, u3 = u2 * u;
        return (2 * u3 - 3 * u2 + 1) * (a.*f) + (u3 - 2 * u2 + u) * h * slope_a + (3 * u2 - 2 * u3) * (b.*f) +
               (u3 - u2) * h * slope_b;
    };
    return {t,
            value(&LimbStation::out),
            value(&LimbStation::in),
            value(&LimbStation::front),
            value(&LimbStation::back),
            value(&LimbStation::side_shift),
            value(&LimbStation::front_shift)};
}

}  // namespace

Limb make_limb(Limb limb) {
    for (const LimbStation& s : limb.stations)
        limb.widest = std::max(
            limb.widest, std::max({s.out, s.in, s.front, s.back}) + std::hypot(s.side_shift, s.front_shift));
    return limb;
}

double Limb::operator()(Vec3d p) const {
    const Vec3d v = p - origin;
    const double t = dot(v, axis);
    const double inside = std::clamp(t, stations.front().t, stations.back().t);
    const double excess = t - inside, cap = excess > 0 ? cap_end : cap_begin;
    double s = dot(v, side), n = dot(v, front);
    // Far away a bound is enough: it changes no blend.
    const double far = std::max(std::abs(excess) - cap, std::sqrt(s * s + n * n) - 1.2 * widest);
    if (far > kFar) return far;
    const LimbStation section = station_at(stations, inside);
    s -= section.side_shift;
    n -= section.front_shift;
    const double a = s > 0 ? section.out : section.in, b = n > 0 ? section.front : section.back;
    const double x2 = (s / a) * (s / a), y2 = (n / b) * (n / b), sum = x2 + y2;
    const double root = std::sqrt(std::max(0.0, sum * sum - 4 * squareness * squareness * x2 * y2));
    const double end = excess / cap;
    const double reach = std::sqrt((sum + root) / 2 + end * end);  // 1 on the surface
    const double smallest = std::min(a, b);
    if (reach < 1e-3) return -smallest;
    const double distance = std::sqrt(s * s + n * n + excess * excess);
    return std::max(distance - distance / reach, -smallest);
}

double Ellipsoid::operator()(Vec3d p) const {
    const Vec3d v = p - centre;
    const double reach = std::hypot(v.x / radii.x, v.y / radii.y, v.z / radii.z), distance = norm(v);
    return reach < 1e-3 ? -std::min({radii.x, radii.y, radii.z}) : distance - distance / reach;
}

double smooth_min(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * k / 4;
}

double smooth_step(double a, double b, double x) {
    const double u = std::clamp((x - a) / (b - a), 0.0, 1.0);
    return u * u * (3 - 2 * u);
}

}  // namespace rumple
