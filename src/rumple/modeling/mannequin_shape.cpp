#include <cmath>
#include <numbers>
#include <rumple/modeling/mannequin_shape.hpp>

namespace rumple {

namespace {

constexpr double kH = kStature;
// Drillis and Contini
constexpr double kAnkle = 0.039 * kH, kKnee = 0.285 * kH, kHip = 0.530 * kH, kShoulder = 0.818 * kH;
constexpr double kUpperArm = 0.186 * kH, kForearm = 0.146 * kH, kHand = 0.108 * kH;
constexpr double kThigh = kHip - kKnee, kShank = kKnee - kAnkle, kFoot = 0.152 * kH;

constexpr double kHipX = 0.088, kShoulderX = 0.180;  // m, of the joints' centres
constexpr double kShoulderDrop = 0.036;              // m, of the joint below the tip of the shoulder

constexpr double kWristBlend = 0.015;  // m

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

constexpr Vec3d kUp{0, 0, 1}, kLeft{1, 0, 0}, kAhead{0, -1, 0};

void add_side(Skeleton& s, const std::string& side, double sign, const MannequinShape& shape) {
    const auto mirrored = [&](Vec3d p) { return Vec3d{sign * p.x, p.y, p.z}; };
    const auto add = [&](const std::string& name, const std::string& parent, Vec3d p) {
        s.joints.push_back({name + side, int(s.index(parent)), mirrored(p)});
    };
    const Vec3d shoulder{kShoulderX, 0.012, kShoulder - kShoulderDrop}, hip{kHipX, 0, kHip};
    add("clavicle_", "chest", {0.03, 0, kShoulder});
    add("upper_arm_", "clavicle_" + side, shoulder);
    add("forearm_", "upper_arm_" + side, shoulder + kUpperArm * shape.arm_axis);
    add("hand_", "forearm_" + side, shoulder + (kUpperArm + kForearm) * shape.arm_axis);
    add("thigh_", "pelvis", hip);
    add("shin_", "thigh_" + side, hip + kThigh * shape.leg_axis);
    const Vec3d ankle = hip + (kThigh + kShank) * shape.leg_axis;
    add("foot_", "shin_" + side, ankle);
    add("toes_", "foot_" + side, {ankle.x + 0.015, ankle.y - 0.125, 0.02});
}

Skeleton make_skeleton(const MannequinShape& shape) {
    Skeleton s;
    s.joints = {{"pelvis", -1, {0, 0.005, kHip + 0.03}}, {"spine_lower", 0, {0, 0.02, 1.03}},
                {"spine_upper", 1, {0, 0.02, 1.15}},     {"chest", 2, {0, 0.015, 1.26}},
                {"neck", 3, {0, 0.022, 1.475}},          {"head", 4, {0, 0.0, 1.565}}};
    add_side(s, "left", 1, shape);
    add_side(s, "right", -1, shape);
    return s;
}

//   t (here the height z)   out    in     front  back
LimbProfile torso() {
    return {{{0.872, 0.062, 0.062, 0.058, 0.068},
             {0.915, 0.142, 0.142, 0.080, 0.090},
             {0.960, 0.160, 0.160, 0.091, 0.096},
             {1.010, 0.155, 0.155, 0.096, 0.086},
             {1.060, 0.138, 0.138, 0.093, 0.073},
             {1.105, 0.124, 0.124, 0.090, 0.067},
             {1.150, 0.121, 0.121, 0.090, 0.071},
             {1.200, 0.127, 0.127, 0.093, 0.081},
             {1.260, 0.138, 0.138, 0.098, 0.093},
             {1.310, 0.145, 0.145, 0.098, 0.101},
             {1.350, 0.148, 0.148, 0.092, 0.105},
             {1.390, 0.146, 0.146, 0.080, 0.103},
             {1.420, 0.134, 0.134, 0.066, 0.098},
             {1.445, 0.106, 0.106, 0.053, 0.089},
             {1.470, 0.070, 0.070, 0.042, 0.077}},
            0.040,
            0.022,
            0.35};
}

LimbProfile neck() {
    return {{{0, 0.066, 0.066, 0.056, 0.060},
             {0.05, 0.054, 0.054, 0.050, 0.054},
             {0.10, 0.050, 0.050, 0.050, 0.053},
             {0.17, 0.050, 0.050, 0.050, 0.055}},
            0.02,
            0.02,
            0};
}

LimbProfile leg() {
    return {{{0.000, 0.076, 0.066, 0.078, 0.084},
             {0.060, 0.083, 0.076, 0.086, 0.088},
             {0.120, 0.077, 0.077, 0.088, 0.085},
             {0.200, 0.069, 0.073, 0.086, 0.077},
             {0.300, 0.060, 0.061, 0.075, 0.065},
             {0.370, 0.055, 0.054, 0.064, 0.057},
             {0.415, 0.052, 0.052, 0.059, 0.051},
             {0.450, 0.050, 0.050, 0.054, 0.049},
             {0.490, 0.049, 0.048, 0.047, 0.055},
             {0.560, 0.053, 0.050, 0.045, 0.066},
             {0.620, 0.049, 0.046, 0.043, 0.062},
             {0.700, 0.038, 0.037, 0.039, 0.048},
             {0.780, 0.031, 0.030, 0.035, 0.038},
             {0.840, 0.031, 0.031, 0.035, 0.038},
             {0.870, 0.033, 0.033, 0.036, 0.040}},
            0.080,
            0.030,
            0.3};
}

LimbProfile arm() {
    return {{{0.000, 0.053, 0.056, 0.058, 0.060},
             {0.050, 0.055, 0.050, 0.056, 0.057},
             {0.100, 0.051, 0.044, 0.050, 0.052},
             {0.170, 0.044, 0.042, 0.049, 0.046},
             {0.250, 0.040, 0.040, 0.045, 0.041},
             {kUpperArm, 0.037, 0.037, 0.037, 0.038},
             {kUpperArm + 0.05, 0.037, 0.037, 0.043, 0.039},
             {kUpperArm + 0.10, 0.034, 0.034, 0.041, 0.036},
             {kUpperArm + 0.18, 0.026, 0.026, 0.032, 0.029},
             {kUpperArm + kForearm, 0.021, 0.021, 0.028, 0.028},
             {kUpperArm + kForearm + 0.02, 0.020, 0.020, 0.029, 0.029}},
            0.048,
            0.02,
            0};
}

// From the neck to the shoulder: collar bone, and the muscle behind it.
LimbProfile yoke() {
    return {{{0.00, 0.040, 0.045, 0.034, 0.046},
             {0.06, 0.036, 0.045, 0.036, 0.046},
             {0.12, 0.033, 0.045, 0.040, 0.046},
             {0.17, 0.032, 0.045, 0.043, 0.046}},
            0.020,
            0.030,
            0.1};
}

}  // namespace

MannequinShape::MannequinShape() {
    const double arm_angle = radians(kBindArm), leg_angle = radians(kBindLeg);
    arm_axis = {std::cos(arm_angle), 0, -std::sin(arm_angle)};
    leg_axis = {std::sin(leg_angle), 0, -std::cos(leg_angle)};
    skeleton = make_skeleton(*this);
    const Vec3d shoulder = skeleton.joints[skeleton.index("upper_arm_left")].position;
    const Vec3d hip = skeleton.joints[skeleton.index("thigh_left")].position;
    const Vec3d ankle = skeleton.joints[skeleton.index("foot_left")].position;

    torso_ = make_limb({{}, kUp, kLeft, kAhead}, torso());
    const double lean = radians(12);  // the neck leans forward
    neck_ = make_limb({{0, 0.030, 1.43},
                       {0, -std::sin(lean), std::cos(lean)},
                       kLeft,
                       {0, -std::cos(lean), -std::sin(lean)}},
                      neck());
    const Vec3d nape{0.020, 0.026, 1.462};
    const Vec3d out = normalized(shoulder + Vec3d{-0.004, 0, 0.006} - nape);
    const Vec3d ahead = normalized(kAhead - dot(kAhead, out) * out);
    yoke_ = make_limb({nape, out, cross(ahead, out), ahead}, yoke());
    breast_ = {{0.069, -0.058, 1.298}, {0.061, 0.051, 0.061}};
    seat_ = {{0.074, 0.050, 0.905}, {0.083, 0.076, 0.094}};
    bumps_ = {{{0, 0.110, 1.20}, {0.022, 0.06, 0.16}, -0.006},         // along the spine
              {{0.085, 0.110, 1.335}, {0.045, 0.05, 0.055}, 0.005},    // shoulder blade
              {{0.012, -0.062, 1.432}, {0.014, 0.03, 0.016}, -0.004},  // between the collar bones
              {{0.0, -0.105, 1.10}, {0.020, 0.05, 0.09}, -0.004},      // middle of the belly
              {hip + kThigh * leg_axis + 0.056 * kAhead, {0.026, 0.03, 0.034}, 0.004}};  // kneecap

    const double leg_cos = std::cos(leg_angle), leg_sin = std::sin(leg_angle);
    leg_ = make_limb({hip, leg_axis, {leg_cos, 0, leg_sin}, kAhead}, leg());
    foot_ = FootShape(ankle, kFoot);

    const Vec3d arm_up{std::sin(arm_angle), 0, std::cos(arm_angle)};  // the side away from the body
    arm_ = make_limb({shoulder, arm_axis, arm_up, kAhead}, arm());
    wrist_ = shoulder + (kUpperArm + kForearm) * arm_axis;
    hand_ = HandShape({wrist_, arm_axis, arm_up, kAhead}, kHand);
}

double MannequinShape::trunk_field(Vec3d p) const {
    double f = smooth_min(torso_(p), breast_(p), 0.045);
    f = smooth_min(f, seat_(p), 0.045);
    f = smooth_min(f, yoke_(p), 0.060);
    f = smooth_min(f, neck_(p), 0.045);
    return smooth_min(f, head_(p), 0.018);
}

double MannequinShape::arm_field(Vec3d p) const { return smooth_min(arm_(p), hand_(p), kWristBlend); }

double MannequinShape::whole(Vec3d p, bool fingers) const {
    constexpr double kSeam = 0.010;  // m, over which the halves are rounded into each other
    p.x = std::sqrt(p.x * p.x + kSeam * kSeam) - 0.4 * kSeam;
    const double leg = smooth_min(leg_(p), foot_(p), 0.025);
    const double body = smooth_min(trunk_field(p), leg, 0.065) - raised(bumps_, p);
    const double arm = smooth_min(arm_(p), fingers ? hand_(p) : hand_.mitten(p), kWristBlend);
    return smooth_min(body, arm, 0.070);
}

double MannequinShape::detail(Vec3d p) const {
    const double x = std::abs(p.x);
    const Vec3d q{x, p.y, p.z};
    const double head = smooth_step(1.50, 1.56, p.z);
    const double face = smooth_step(0.02, -0.05, p.y);
    const double hand = x < 0.35 ? 0 : smooth_step(-0.03, 0.03, dot(q - wrist_, arm_axis));
    const double foot = smooth_step(0.10, 0.05, p.z) * (0.6 + 0.4 * smooth_step(-0.08, -0.13, p.y));
    return 1 - 0.32 * head - 0.20 * head * face - 0.62 * hand - 0.45 * foot;
}

}  // namespace rumple
