#include <rumple/contact/continuous.hpp>

#include <algorithm>
#include <limits>
#include <rumple/contact/closest.hpp>

namespace rumple::contact {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxRounds = 400;
constexpr double kEnough = 1.2;            // an impact is reported at this many separations
constexpr double kEnoughNear = 1.02;       // the same for a pair that began nearer than kNear separations:
constexpr double kNear = 1.5;              // it must be able to go on without coming nearer
static_assert(kEnough < kReported);        // by more than rounding
constexpr double kContactOverEdge = 1e-6;  // plain contact, as a part of the longest edge

// The vertices relative to the first one, and how they move relative to it: far from the origin nothing is
// lost.
struct Motion {
    Vec3d x[4], v[4];
    int a_count;  // the first 1 or 2 vertices are of primitive a

    // Vertices at time t.
    void at(double t, Vec3d out[4]) const {
        for (int i = 0; i < 4; ++i) out[i] = x[i] + t * v[i];
    }
};

double largest(double a, Vec3d b) { return std::max({a, std::abs(b.x), std::abs(b.y), std::abs(b.z)}); }

// The distance bound along n, g(dt) = min over ij of gap[ij] + dt rate[ij].
struct Bound {
    double gap[4], rate[4];
    int count = 0;

    Bound(const Motion& m, const Vec3d x[4], Vec3d n) {
        double p[4], q[4];
        for (int i = 0; i < 4; ++i) {
            p[i] = dot(n, x[i]);
            q[i] = dot(n, m.v[i]);
        }
        for (int i = 0; i < m.a_count; ++i)
            for (int j = m.a_count; j < 4; ++j) {
                gap[count] = p[i] - p[j];
                rate[count++] = q[i] - q[j];
            }
    }

    // False for NaN too.
    bool stays_above(double least, double duration) const {
        for (int k = 0; k < count; ++k)
            if (!(gap[k] > least && gap[k] + duration * rate[k] > least)) return false;
        return true;
    }
    // How long g surely stays above `least`; 0 if it is not.
    double time_above(double least) const {
        double time = std::numeric_limits<double>::infinity();
        for (int k = 0; k < count; ++k) {
            if (!(gap[k] > least)) return 0;
            if (rate[k] < 0) time = std::min(time, (gap[k] - least) / -rate[k]);
        }
        return time;
    }
};

// The unit vector along which to bound the distance. Close to touching, the separation is the small
// difference of large numbers; if both closest points are inside their primitives, the normal of these gives
// the same direction without loss.
Vec3d direction(const Closest& c, int a_count, const Vec3d x[4]) {
    const bool inside = c.weight[0] != 0 && c.weight[1] != 0 && c.weight[2] != 0 && c.weight[3] != 0;
    if (inside) {
        const Vec3d n = a_count == 1 ? cross(x[2] - x[1], x[3] - x[1]) : cross(x[1] - x[0], x[3] - x[2]);
        const double length = norm(n);
        if (c.distance * c.distance < 1e-8 * length)
            return (dot(n, c.separation) < 0 ? -1 / length : 1 / length) * n;
    }
    return (1 / c.distance) * c.separation;
}

double longest_edge(const Motion& m) {
    const Vec3d* x = m.x;
    if (m.a_count == 2) return std::max(norm(x[1] - x[0]), norm(x[3] - x[2]));
    return std::max({norm(x[2] - x[1]), norm(x[3] - x[2]), norm(x[1] - x[3])});
}

}  // namespace

double time_of_impact(PairKind kind, const Vec3d x0[4], const Vec3d x1[4], double separation) {
    Motion m;
    m.a_count = kind == PairKind::vertex_face ? 1 : 2;
    double extent = 0, place = 0;
    const Vec3d mean = x1[0] - x0[0];
    for (int i = 0; i < 4; ++i) {
        m.x[i] = x0[i] - x0[0];
        m.v[i] = (x1[i] - x0[i]) - mean;
        extent = largest(largest(extent, m.x[i]), m.v[i]);
        place = largest(largest(place, x0[i]), x1[i]);
    }
    // Rounding. Relative positions and velocities are differences of given numbers: the differences of
    // positions err by eps/2 of themselves, those of velocities by 3 eps/2 of the displacements, which are at
    // most 2 `place`. A position at time t, its dot product with n (|n| <= 1 + 2 eps) and the bound's gap +
    // dt rate add some ten roundings of numbers below 4 `extent`. 64 eps (extent + place) is above the sum of
    // all of them; what is certified below therefore holds for the exact motion too, and after the caller's
    // own rounding of x0 + t (x1 - x0).
    const double slack = 64 * kEpsilon * (extent + place);
    const double least = separation > 0 ? separation : kContactOverEdge * longest_edge(m);
    double target = least + slack;

    Closest closest = closest_points(kind, m.x);
    const bool begins_within = !(closest.distance > target);
    if (begins_within) {
        target = kKeptDistance * closest.distance;
        if (!(target > slack)) return 0;
    }
    const bool begins_near = begins_within || !(closest.distance > kNear * target);
    const double enough = (begins_near ? kEnoughNear : kEnough) * target;
    double t = 0;
    Vec3d x[4];
    for (int round = 0; round < kMaxRounds; ++round) {
        m.at(t, x);
        if (round > 0) closest = closest_points(kind, x);
        if (round > 0 && !(closest.distance > enough)) break;
        if (!(closest.distance > 0)) break;
        const Bound bound(m, x, direction(closest, m.a_count, x));
        if (bound.stays_above(target, 1 - t)) return kNoImpact;
        const double step = bound.time_above(target);
        if (!(t + step > t)) break;  // no headway: the bound is spent
        t = std::min(1.0, t + step);
    }
    return begins_within ? 0 : t;
}

}  // namespace rumple::contact
