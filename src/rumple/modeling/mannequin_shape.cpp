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

// Where a limb lies: unit vectors at right angles.
struct LimbFrame {
    Vec3d origin, axis, side, front;
};

// Its sections along the axis [m], how far its ends bulge out [m], and how square it is (see Limb).
struct Profile {
    std::vector<LimbStation> stations;
    double cap_begin, cap_end, squareness;
};

Limb limb(const LimbFrame& at, Profile shape) {
    return make_limb({at.origin, at.axis, at.side, at.front, std::move(shape.stations), shape.cap_begin,
                      shape.cap_end, shape.squareness});
}

//   t (here the height z)   out    in     front  back
Profile torso() {
    return {{{0.872, 0.105, 0.105, 0.078, 0.088},
             {0.915, 0.160, 0.160, 0.092, 0.104},
             {0.960, 0.163, 0.163, 0.100, 0.105},
             {1.010, 0.155, 0.155, 0.104, 0.092},
             {1.070, 0.143, 0.143, 0.104, 0.078},
             {1.120, 0.138, 0.138, 0.103, 0.077},
             {1.180, 0.142, 0.142, 0.106, 0.088},
             {1.250, 0.154, 0.154, 0.113, 0.104},
             {1.310, 0.160, 0.160, 0.112, 0.115},
             {1.350, 0.162, 0.162, 0.102, 0.119},
             {1.390, 0.160, 0.160, 0.084, 0.114},
             {1.420, 0.146, 0.146, 0.068, 0.102},
             {1.445, 0.112, 0.112, 0.052, 0.086},
             {1.470, 0.072, 0.072, 0.040, 0.070}},
            0.040,
            0.022,
            0.6};
}

Profile neck() {
    return {{{0, 0.070, 0.070, 0.060, 0.062},
             {0.05, 0.059, 0.059, 0.054, 0.058},
             {0.10, 0.056, 0.056, 0.054, 0.056},
             {0.17, 0.055, 0.055, 0.054, 0.056}},
            0.02,
            0.02,
            0};
}

Profile head() {
    return {{{1.538, 0.034, 0.034, 0.074, 0.020},
             {1.560, 0.050, 0.050, 0.087, 0.048},
             {1.600, 0.064, 0.064, 0.093, 0.078},
             {1.640, 0.073, 0.073, 0.095, 0.095},
             {1.668, 0.076, 0.076, 0.094, 0.100}},
            0.016,
            0.082,
            0.2};
}

Profile leg() {
    return {{{0.000, 0.068, 0.068, 0.080, 0.085},
             {0.060, 0.081, 0.080, 0.088, 0.090},
             {0.120, 0.084, 0.081, 0.090, 0.088},
             {0.200, 0.079, 0.076, 0.088, 0.081},
             {0.300, 0.066, 0.063, 0.076, 0.068},
             {0.370, 0.056, 0.056, 0.064, 0.059},
             {0.415, 0.054, 0.054, 0.060, 0.053},
             {0.450, 0.053, 0.052, 0.055, 0.052},
             {0.490, 0.052, 0.050, 0.049, 0.058},
             {0.560, 0.055, 0.053, 0.048, 0.068},
             {0.620, 0.050, 0.049, 0.046, 0.064},
             {0.700, 0.040, 0.039, 0.041, 0.050},
             {0.780, 0.033, 0.032, 0.037, 0.040},
             {0.840, 0.034, 0.034, 0.037, 0.040},
             {0.870, 0.036, 0.036, 0.038, 0.042}},
            0.050,
            0.030,
            0.35};
}

// Along the foot from the heel; front is up. The sole is cut flat at z = 0.
Profile foot() {
    constexpr double kHeel = -0.052;
    return {{{kHeel + 0.022, 0.029, 0.029, 0.058, 0.05, 0, 0.012},
             {0.000, 0.034, 0.034, 0.080, 0.05, 0, 0.012},
             {0.045, 0.037, 0.036, 0.073, 0.05, 0, 0.012},
             {0.095, 0.044, 0.041, 0.048, 0.05, 0.002, 0.012},
             {0.140, 0.048, 0.044, 0.029, 0.05, 0.002, 0.012},
             {0.175, 0.045, 0.044, 0.021, 0.05, -0.001, 0.010},
             {kHeel + kFoot - 0.022, 0.034, 0.037, 0.016, 0.05, -0.004, 0.009}},
            0.022,
            0.022,
            0.55};
}

Profile arm() {
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

Profile hand() {
    return {{{0.000, 0.018, 0.018, 0.026, 0.026},
             {0.035, 0.017, 0.017, 0.035, 0.035},
             {0.080, 0.015, 0.015, 0.042, 0.040},
             {0.120, 0.012, 0.013, 0.040, 0.038, -0.003},
             {0.155, 0.010, 0.011, 0.034, 0.031, -0.008},
             {kHand - 0.014, 0.008, 0.009, 0.022, 0.020, -0.013}},
            0.015,
            0.014,
            0.55};
}

Profile thumb() {
    return {{{0.0, 0.016, 0.016, 0.016, 0.016},
             {0.05, 0.014, 0.014, 0.013, 0.013},
             {0.088, 0.010, 0.010, 0.010, 0.010}},
            0.012,
            0.012,
            0};
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

    torso_ = limb({{}, kUp, kLeft, kAhead}, torso());
    const double lean = radians(12);  // the neck leans forward
    neck_ = limb({{0, 0.030, 1.43},
                  {0, -std::sin(lean), std::cos(lean)},
                  kLeft,
                  {0, -std::cos(lean), -std::sin(lean)}},
                 neck());
    head_ = limb({{0, -0.012, 0}, kUp, kLeft, kAhead}, head());
    breast_ = {{0.070, -0.062, 1.300}, {0.088, 0.056, 0.070}};
    seat_ = {{0.074, 0.050, 0.905}, {0.086, 0.078, 0.098}};

    leg_ = limb({hip, leg_axis, {std::cos(leg_angle), 0, std::sin(leg_angle)}, kAhead}, leg());
    const double out = radians(7);  // toes point outwards
    foot_ = limb(
        {{ankle.x, ankle.y, 0}, {std::sin(out), -std::cos(out), 0}, {std::cos(out), std::sin(out), 0}, kUp},
        foot());

    const Vec3d arm_up{std::sin(arm_angle), 0, std::cos(arm_angle)};  // the side away from the body
    const Vec3d wrist = shoulder + (kUpperArm + kForearm) * arm_axis;
    arm_ = limb({shoulder, arm_axis, arm_up, kAhead}, arm());
    hand_ = limb({wrist, arm_axis, arm_up, kAhead}, hand());
    const Vec3d thumb_axis = normalized(0.78 * arm_axis + 0.56 * kAhead - 0.28 * arm_up);
    const Vec3d thumb_side = normalized(cross(thumb_axis, arm_up));
    thumb_ = limb(
        {wrist + 0.022 * arm_axis + 0.012 * kAhead, thumb_axis, thumb_side, cross(thumb_axis, thumb_side)},
        thumb());
}

double MannequinShape::trunk_field(Vec3d p) const {
    double f = smooth_min(torso_(p), breast_(p), 0.05);
    f = smooth_min(f, seat_(p), 0.045);
    f = smooth_min(f, neck_(p), 0.055);
    return smooth_min(f, head_(p), 0.03);
}

double MannequinShape::arm_field(Vec3d p) const {
    return smooth_min(smooth_min(arm_(p), hand_(p), 0.02), thumb_(p), 0.02);
}

double MannequinShape::operator()(Vec3d p) const {
    constexpr double kSeam = 0.010;  // m, over which the halves are rounded into each other
    p.x = std::sqrt(p.x * p.x + kSeam * kSeam) - 0.4 * kSeam;
    const double sole = -p.z;
    const double foot = -smooth_min(-foot_(p), -sole, 0.008);
    const double leg = smooth_min(leg_(p), foot, 0.03);
    return smooth_min(smooth_min(trunk_field(p), leg, 0.05), arm_field(p), 0.065);
}

}  // namespace rumple
