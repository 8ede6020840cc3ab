// What a tailor measures, found on a mesh: any closed body that stands upright with legs apart and arms away
// from the trunk (A-pose or T-pose). Metres, Z up, facing -Y or +Y.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/modeling/slice.hpp>
#include <string>

namespace rumple {

struct BodyLandmarks {
    double floor = 0, height = 0;  // m
    double middle = 0;             // x of the plane between left and right
    double facing = -1;            // towards which y the toes point: -1 or +1

    double crotch = 0, waist = 0, knee = 0, ankle = 0;  // z; waist: the narrowest place of the trunk
    double armpit = 0;                                  // z of the lower of the two

    Vec2d neck_centre;           // x, y, where the neck is narrowest
    double neck = 0;             // z there
    double neck_half_width = 0;  // m, along x
    double neck_half_depth = 0;  // m, along y

    struct Arm {
        Vec3d tip;                                // of the hand
        Vec3d axis;                               // unit, from the hand to the shoulder
        double wrist = 0, elbow = 0, armpit = 0;  // m from the tip along the axis
        Vec3d at(double t) const { return tip + t * axis; }
    };
    Arm left, right;     // left: x above the middle
    double arm_gap = 0;  // m, from the middle to where an arm leaves the trunk
};

// InputError, with `name` as the place: a body in other units or lying down, or one whose legs or arms cannot
// be distinguished.
BodyLandmarks find_landmarks(const TriMesh& body, const std::string& name = "body");

// Sections at one height [m], or none where the body has none there.
// The trunk: the loop around the middle, cut at `reach` from the middle (arms of a T-pose).
Loop trunk_section(const TriMesh& body, double z, double middle, double reach);
// One leg, below the crotch.
Loop leg_section(const TriMesh& body, double z, double middle, bool left);
// One arm, at t along its axis from the tip, in the frame of arm_frame.
SectionFrame arm_frame(const BodyLandmarks::Arm& arm);
Loop arm_section(const TriMesh& body, const BodyLandmarks::Arm& arm, double t);

inline SectionFrame horizontal(double z) { return {{0, 0, z}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}}; }

}  // namespace rumple
