// Head, hand and foot of the mannequin as scalar fields: the parts that need more than one limb each.
//
// A part is a smooth union of limbs and ellipsoids. Bumps then raise or lower its surface by a few
// millimetres where an anatomist would draw a form too small for a limb of its own (eye sockets, lips,
// knuckles, ankles).
#pragma once

#include <rumple/modeling/limb_shape.hpp>
#include <vector>

namespace rumple {

// Where a limb lies: unit vectors at right angles.
struct LimbFrame {
    Vec3d origin, axis, side, front;
};

// Its sections along the axis [m], how far its ends bulge out [m], and how square it is (see Limb).
struct LimbProfile {
    std::vector<LimbStation> stations;
    double cap_begin, cap_end, squareness;
};

Limb make_limb(const LimbFrame& at, LimbProfile shape);

// Raises the surface near `centre` by `height` [m] (lowers it where negative), as a Gaussian of the distance
// measured in `radii` [m].
struct Bump {
    Vec3d centre, radii;
    double height;

    double operator()(Vec3d p) const;  // what to subtract from the field
};
double raised(const std::vector<Bump>& bumps, Vec3d p);

// All of them: negative inside, of the left half.
class HeadShape {
  public:
    HeadShape();
    double operator()(Vec3d p) const;

  private:
    Limb face_;
    Ellipsoid skull_;
    std::vector<Bump> bumps_;
};

class HandShape {
  public:
    HandShape() = default;
    // `wrist`: origin at the wrist, axis towards the fingers, side out of the back of the hand, front towards
    // the thumb. `length` [m] reaches to the tip of the middle finger.
    HandShape(const LimbFrame& wrist, double length);
    double operator()(Vec3d p) const { return with_fingers(p, true); }
    // The same hand with its fingers in one: a start for a mesh that cannot yet resolve the grooves.
    double mitten(Vec3d p) const { return with_fingers(p, false); }

  private:
    double with_fingers(Vec3d p, bool apart) const;

    Vec3d centre_;
    Limb palm_, web_, mitten_, thenar_, thumb_;
    std::vector<Limb> fingers_;
};

class FootShape {
  public:
    FootShape() = default;
    // Below the ankle, standing on z = 0; `length` [m] from heel to toe.
    FootShape(Vec3d ankle, double length);
    double operator()(Vec3d p) const;

  private:
    Limb foot_;
    std::vector<Ellipsoid> toes_;
    std::vector<Bump> bumps_;
};

}  // namespace rumple
