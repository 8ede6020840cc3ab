#include <rumple/dynamics/weight.hpp>

#include <algorithm>

namespace rumple {

namespace {

Mat3d box_inertia(double mass, Vec3d size) {
    Mat3d inertia;
    for (int i = 0; i < 3; ++i) {
        const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
        inertia(i, i) = mass * (a * a + b * b) / 12;
    }
    return inertia;
}

}  // namespace

// The surface's triangles span tetrahedra with the origin; their signed volumes and second moments add up to
// the solid's (Gauss).
MassProperties mass_properties(const ObstaclePart& weight) {
    Vec3d low = weight.vertices.front(), high = low;
    for (const Vec3d& p : weight.vertices)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    const Vec3d origin = 0.5 * (low + high), size = high - low;
    double volume = 0;
    Vec3d moment;
    Mat3d second;  // integral of x x^T
    for (const auto& t : weight.triangles) {
        const Vec3d a = weight.vertices[static_cast<std::size_t>(t[0])] - origin;
        const Vec3d b = weight.vertices[static_cast<std::size_t>(t[1])] - origin;
        const Vec3d c = weight.vertices[static_cast<std::size_t>(t[2])] - origin;
        const double v = dot(a, cross(b, c)) / 6;
        volume += v;
        moment += (v / 4) * (a + b + c);
        const Vec3d s = a + b + c;
        for (const Vec3d& p : {a, b, c, s}) second += (v / 20) * outer(p, p);
    }
    if (!(volume > 1e-6 * size.x * size.y * size.z)) return {origin, box_inertia(weight.mass, size)};
    const Vec3d offset = (1 / volume) * moment;
    second += (-volume) * outer(offset, offset);
    const double trace = second(0, 0) + second(1, 1) + second(2, 2);
    Mat3d inertia = Mat3d::identity(trace);
    inertia += -1.0 * second;
    return {origin + offset, (weight.mass / volume) * inertia};
}

void place_weight(const ObstaclePart& weight, const WeightState& state, std::vector<Vec3d>& positions) {
    const Vec3d centre = mass_properties(weight).centre;
    for (const Vec3d& p : weight.vertices)
        positions.push_back(centre + state.position + state.rotation * (p - centre));
}

}  // namespace rumple
