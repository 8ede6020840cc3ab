#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/modeling/chair.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/mannequin_shape.hpp>
#include <rumple/modeling/remesh.hpp>

namespace rumple {

namespace {

// Metres for a stature of 1.75 m. The seat lies 10 mm below the sitting mannequin.
constexpr double kSeatTop = 0.372, kSeatFront = 0.16, kSeatBack = 0.65, kSeatHalfWidth = 0.215;
constexpr double kSeatMiddle = 0.40, kSeatSlope = 0.1;  // where the top is at kSeatTop; it rises forward
constexpr double kBackTop = 0.80, kBackBottom = 0.48, kLegInset = 0.030;

struct RoundedBox {
    Vec3d low, high;
    double radius;

    double operator()(Vec3d p) const {
        const Vec3d centre = 0.5 * (low + high), half = 0.5 * (high - low);
        const Vec3d v = p - centre;
        const Vec3d q{std::abs(v.x) - half.x + radius, std::abs(v.y) - half.y + radius,
                      std::abs(v.z) - half.z + radius};
        const Vec3d outside{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
        return norm(outside) + std::min(std::max({q.x, q.y, q.z}), 0.0) - radius;
    }
};

// A round rod between two points.
double rod(Vec3d p, Vec3d a, Vec3d b, double radius) {
    const Vec3d ab = b - a;
    const double s = std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0);
    return norm(p - a - s * ab) - radius;
}

double chair(Vec3d p) {
    p.x = std::abs(p.x);
    const RoundedBox seat{
        {-kSeatHalfWidth, kSeatFront, kSeatTop - 0.045}, {kSeatHalfWidth, kSeatBack, kSeatTop}, 0.020};
    const double x = kSeatHalfWidth - kLegInset;
    const double front =
        rod(p, {x, kSeatFront + kLegInset, kSeatTop - 0.03}, {x + 0.012, kSeatFront + 0.012, 0.019}, 0.019);
    // The hind legs run up into the back, which leans away.
    const Vec3d hip{x, kSeatBack - 0.012, kSeatTop - 0.02},
        top{x - 0.004, kSeatBack + 0.075, kBackTop - 0.03};
    const double behind =
        std::min(rod(p, hip, {x + 0.012, kSeatBack + 0.045, 0.019}, 0.019), rod(p, hip, top, 0.017));
    Vec3d q = p;  // the back lies in a plane of its own
    q.y -= (p.z - hip.z) / (top.z - hip.z) * (top.y - hip.y);
    const RoundedBox back{{-x, hip.y - 0.010, kBackBottom}, {x, hip.y + 0.012, kBackTop}, 0.010};
    const Vec3d level{p.x, p.y, p.z - kSeatSlope * (kSeatMiddle - p.y)};
    double f = smooth_min(seat(level), front, 0.02);
    f = smooth_min(f, behind, 0.02);
    return smooth_min(f, back(q), 0.012);
}

}  // namespace

TriMesh make_chair(const ChairOptions& options) {
    const auto require = [](double value, double low, double high, const char* name) {
        if (!(value >= low && value <= high))
            throw InputError("chair", fmt::format("{} is {} m", name, value),
                             fmt::format("it must lie between {} and {} m", low, high));
    };
    require(options.height, 1.0, 2.5, "height");
    require(options.edge_length, 0.005, 0.05, "edge_length");
    const double scale = options.height / kStature;
    const ScalarField field = [](Vec3d p) { return chair(p); };
    RemeshOptions remeshing;
    remeshing.edge_length = std::min(options.edge_length / scale, 0.02);  // longer ones lose the legs
    remeshing.project = [&](Vec3d p, bool) { return project_to_zero(field, p, 1e-4); };
    const Bounds box{{-0.26, kSeatFront - 0.03, -0.01}, {0.26, kSeatBack + 0.12, kBackTop + 0.02}};
    TriMesh mesh = remesh(isosurface(field, box, 0.012), remeshing);
    for (Vec3d& p : mesh.positions) p *= scale;
    return mesh;
}

}  // namespace rumple
