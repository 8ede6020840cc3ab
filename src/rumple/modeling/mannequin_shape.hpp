// The shape of the mannequin in its bind pose, as a scalar field, and where its joints are.
//
// Metres for a stature of 1.75 m; Z up, feet on z = 0, facing -Y, its left is +X. In the bind pose the arms
// hang 45 degrees off the trunk and the legs stand 8 degrees apart: half way between the poses that are
// needed, so that no joint is turned far, and wide enough that no limb melts into another.
//
// Heights and lengths of segments are fractions of the stature after R. Drillis and R. Contini, "Body Segment
// Parameters", Technical Report 1166-03, New York University 1966, as reprinted in D. A. Winter,
// "Biomechanics and Motor Control of Human Movement", 4th edition, Wiley 2009, figure 4.1 (docs/body.md lists
// them). Widths and girths are those of a slim shop mannequin.
#pragma once

#include <rumple/modeling/body_parts.hpp>
#include <rumple/modeling/skeleton.hpp>

namespace rumple {

inline constexpr double kStature = 1.75;  // m, of the shape below
inline constexpr double kBindArm = 45;    // degrees below the horizontal
inline constexpr double kBindLeg = 8;     // degrees off the vertical

struct MannequinShape {
    MannequinShape();

    // Negative inside. Symmetric in x.
    double operator()(Vec3d p) const { return whole(p, true); }
    // The same body with mittens: a start for meshes that cannot yet resolve fingers.
    double with_mittens(Vec3d p) const { return whole(p, false); }
    // Parts of the left half, for the skin weights.
    double trunk_field(Vec3d p) const;
    double arm_field(Vec3d p) const;
    // How long edges should be at a point, as a fraction: short on the face, the hands and the toes.
    double detail(Vec3d p) const;

    Skeleton skeleton;
    Vec3d arm_axis, leg_axis;  // unit, of the left limbs, away from the trunk

  private:
    double whole(Vec3d p, bool fingers) const;

    Limb torso_, neck_, yoke_, leg_, arm_;
    Ellipsoid seat_, breast_;
    HeadShape head_;
    HandShape hand_;
    FootShape foot_;
    std::vector<Bump> bumps_;
    Vec3d wrist_;  // the left one
};

}  // namespace rumple
