#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/modeling/body_parts.hpp>

namespace rumple {

namespace {

constexpr Vec3d kUp{0, 0, 1}, kLeft{1, 0, 0}, kAhead{0, -1, 0};

//   t (here the height z)   out    in     front  back
LimbProfile face() {
    return {{{1.542, 0.036, 0.036, 0.074, 0.010},
             {1.558, 0.051, 0.051, 0.082, 0.036},
             {1.580, 0.059, 0.059, 0.084, 0.057},
             {1.610, 0.0635, 0.0635, 0.083, 0.072},
             {1.640, 0.065, 0.065, 0.080, 0.080},
             {1.670, 0.066, 0.066, 0.079, 0.083}},
            0.012,
            0.065,
            0.5};
}

LimbProfile palm() {
    return {{{0.000, 0.0175, 0.0175, 0.026, 0.026},
             {0.030, 0.0165, 0.0175, 0.032, 0.030},
             {0.060, 0.0145, 0.0165, 0.038, 0.036},
             {0.088, 0.0120, 0.0140, 0.039, 0.037}},
            0.015,
            0.018,
            0.55};
}

struct FingerPlan {
    double base, length;  // m along the hand; of the finger
    double across, tip;   // m towards the thumb, at its base and at its tip
    double radius;        // m
};
// Index to little finger. The tips lie close together: fingers of one surface, with grooves between them.
constexpr FingerPlan kFingers[] = {{0.093, 0.078, 0.0285, 0.0212, 0.0096},
                                   {0.096, 0.087, 0.0098, 0.0070, 0.0098},
                                   {0.092, 0.081, -0.0090, -0.0068, 0.0094},
                                   {0.086, 0.063, -0.0262, -0.0196, 0.0085}};
constexpr double kFingerCurl = 0.020;  // m, of the tip towards the palm
constexpr double kDrop = 0.10;         // slope of the fingers towards the palm

// A thin plate inside the fingers: grooves end on it, so that the hand stays one surface without holes.
Limb web(const LimbFrame& wrist, double thickness) {
    LimbProfile shape{{}, 0.012, 0.006, 0.6};
    struct Width {
        double t, front, back;
    };
    for (const Width& w : {Width{0.080, 0.036, 0.032}, Width{0.100, 0.034, 0.031}, Width{0.120, 0.031, 0.027},
                           Width{0.138, 0.028, 0.023}, Width{0.155, 0.022, 0.011}}) {
        const double u = std::max(0.0, (w.t - 0.093) / 0.080);
        const double shift = -kDrop * 0.080 * u - kFingerCurl * u * u;
        shape.stations.push_back({w.t, thickness, thickness, w.front, w.back, shift, 0});
    }
    return make_limb(wrist, std::move(shape));
}

Limb finger(const LimbFrame& wrist, const FingerPlan& plan) {
    const double slope = (plan.tip - plan.across) / plan.length;
    const Vec3d axis = normalized(wrist.axis + slope * wrist.front - kDrop * wrist.side);
    const Vec3d front = normalized(wrist.front - dot(wrist.front, axis) * axis);
    const Vec3d side = cross(front, axis);
    const double sign = dot(side, wrist.side) > 0 ? 1 : -1;
    LimbProfile shape{{}, 0.010, 0.8 * plan.radius, 0.15};
    constexpr double kAt[] = {0, 0.25, 0.42, 0.58, 0.75, 0.92};
    constexpr double kThick[] = {1.0, 0.93, 0.96, 0.88, 0.90, 0.78};  // knuckles are a little thicker
    for (std::size_t i = 0; i < std::size(kAt); ++i) {
        const double u = kAt[i], r = kThick[i] * plan.radius;
        shape.stations.push_back({u * plan.length, r, r, r, r, -kFingerCurl * u * u, 0});
    }
    return make_limb(
        {wrist.origin + plan.base * wrist.axis + plan.across * wrist.front, axis, sign * side, front},
        std::move(shape));
}

// A limb of round sections between two points.
Limb rod(Vec3d from, Vec3d to, Vec3d front, double thick, double thin) {
    const Vec3d axis = normalized(to - from);
    front = normalized(front - dot(front, axis) * axis);
    const double length = norm(to - from);
    return make_limb({from, axis, cross(front, axis), front},
                     {{{0, thick, thick, thick, thick}, {length, thin, thin, thin, thin}}, thick, thin, 0});
}

// Along the foot from below the ankle; front is up. The sole is cut flat at z = 0.
LimbProfile foot(double length) {
    constexpr double kHeel = -0.052;
    return {{{kHeel + 0.022, 0.028, 0.028, 0.058, 0.05, 0, 0.012},
             {0.000, 0.033, 0.032, 0.080, 0.05, 0, 0.012},
             {0.045, 0.036, 0.034, 0.074, 0.05, 0.001, 0.012},
             {0.095, 0.043, 0.038, 0.049, 0.05, 0.003, 0.012},
             {0.135, 0.046, 0.041, 0.029, 0.05, 0.003, 0.012},
             {kHeel + length - 0.050, 0.042, 0.041, 0.019, 0.05, 0.000, 0.008}},
            0.022,
            0.020,
            0.5};
}

}  // namespace

Limb make_limb(const LimbFrame& at, LimbProfile shape) {
    return make_limb(Limb{at.origin, at.axis, at.side, at.front, std::move(shape.stations), shape.cap_begin,
                          shape.cap_end, shape.squareness});
}

double Bump::operator()(Vec3d p) const {
    const Vec3d v = p - centre;
    const double x = v.x / radii.x, y = v.y / radii.y, z = v.z / radii.z, r2 = x * x + y * y + z * z;
    return r2 > 12 ? 0 : height * std::exp(-r2);
}

double raised(const std::vector<Bump>& bumps, Vec3d p) {
    double sum = 0;
    for (const Bump& bump : bumps) sum += bump(p);
    return sum;
}

// A shop window's head: an egg with the planes of a face and no features.
HeadShape::HeadShape() {
    skull_ = {{0, 0.010, 1.6630}, {0.0700, 0.0955, 0.0865}};
    face_ = make_limb({{0, -0.012, 0}, kUp, kLeft, kAhead}, face());
    bumps_ = {{{0.0000, -0.100, 1.6180}, {0.015, 0.03, 0.034}, 0.0060},    // nose
              {{0.0380, -0.090, 1.6400}, {0.030, 0.03, 0.026}, -0.0020}};  // eye socket
}

double HeadShape::operator()(Vec3d p) const {
    const double f = smooth_min(skull_(p), face_(p), 0.030);
    return f > 0.06 ? f : f - raised(bumps_, p);  // bumps do not reach further
}

HandShape::HandShape(const LimbFrame& wrist, double length)
    : centre_(wrist.origin + 0.5 * length * wrist.axis) {
    const auto at = [&](double along, double across, double up) {
        return wrist.origin + along * wrist.axis + across * wrist.front + up * wrist.side;
    };
    palm_ = make_limb(wrist, palm());
    web_ = web(wrist, 0.0052);
    mitten_ = web(wrist, 0.0070);
    thenar_ = rod(at(0.014, 0.018, -0.006), at(0.055, 0.042, -0.016), wrist.side, 0.0165, 0.0125);
    thumb_ = rod(at(0.053, 0.041, -0.016), at(0.104, 0.062, -0.023), wrist.side, 0.0120, 0.0090);
    for (const FingerPlan& plan : kFingers) fingers_.push_back(finger(wrist, plan));
}

double HandShape::with_fingers(Vec3d p, bool apart) const {
    const double far = norm(p - centre_) - 0.14;
    if (far > 0.05) return far;
    const double groove = apart ? 0.0050 : 0.0240;  // m
    double fingers = apart ? web_(p) : mitten_(p);
    for (const Limb& finger : fingers_) fingers = smooth_min(fingers, finger(p), groove);
    const double palm = smooth_min(palm_(p), thenar_(p), 0.022);
    return smooth_min(smooth_min(palm, fingers, 0.014), thumb_(p), 0.010);
}

FootShape::FootShape(Vec3d ankle, double length) {
    const double out = 7 * std::numbers::pi / 180;  // toes point outwards
    const Vec3d along{std::sin(out), -std::cos(out), 0}, across{std::cos(out), std::sin(out), 0};
    const Vec3d below{ankle.x, ankle.y, 0};
    foot_ = make_limb({below, along, across, kUp}, foot(length));
    struct Toe {
        double along, across, width, reach, height;  // m
    };
    for (const Toe& toe :
         {Toe{0.186, -0.024, 0.0135, 0.026, 0.0125}, Toe{0.190, -0.004, 0.0095, 0.022, 0.0105},
          Toe{0.184, 0.011, 0.0090, 0.021, 0.0100}, Toe{0.175, 0.025, 0.0088, 0.019, 0.0095},
          Toe{0.163, 0.037, 0.0088, 0.017, 0.0090}})
        toes_.push_back({below + toe.along * along + toe.across * across + 0.010 * kUp,
                         {toe.width, toe.reach, toe.height}});
    bumps_ = {{{ankle.x + 0.034, ankle.y + 0.010, ankle.z - 0.002}, {0.014, 0.016, 0.016}, 0.005},
              {{ankle.x - 0.033, ankle.y, ankle.z + 0.010}, {0.014, 0.016, 0.016}, 0.005},
              {{ankle.x - 0.030, ankle.y - 0.050, 0.012}, {0.018, 0.050, 0.016}, -0.007}};  // arch
}

double FootShape::operator()(Vec3d p) const {
    double f = foot_(p);
    if (f > 0.08) return f;
    double toes = toes_[0](p);
    for (std::size_t i = 1; i < toes_.size(); ++i) toes = smooth_min(toes, toes_[i](p), 0.003);
    f = smooth_min(f, toes, 0.010) - raised(bumps_, p);
    return -smooth_min(-f, p.z, 0.008);  // the sole
}

}  // namespace rumple
