// A tube of cloth around a limb: convex cross sections along a straight axis, as a scalar field.
//
// A section is known by its support function: how far it reaches in each of a fixed set of directions. That
// makes a section convex (cloth bridges hollows), and easing, smoothing and interpolating are sums of
// numbers.
#pragma once

#include <array>
#include <functional>
#include <rumple/modeling/slice.hpp>
#include <vector>

namespace rumple {

inline constexpr std::size_t kDirections = 72;
using Support = std::array<double, kDirections>;  // m, from the frame's origin

Support support_of(const Loop& loop);

class Tube {
  public:
    // Sections at t = first, first + step, ... along frame.normal from frame.origin.
    Tube(const SectionFrame& frame, double first, double step, std::vector<Support> sections);

    // Widens by ease(t) [m].
    void widen(const std::function<double(double)>& ease);
    // Cloth hangs straight from where it is wide: towards falling t no section is narrower than those before
    // it, less `taper` metres a metre.
    void hang(double taper);
    // Evens out over about `length` [m] along the axis, without getting narrower than before anywhere.
    void smooth(double length);

    // Negative inside. Beyond its ends the tube continues with its last section.
    double operator()(Vec3d p) const;

  private:
    double t_of(std::size_t i) const { return first_ + step_ * double(i); }

    SectionFrame frame_;
    double first_, step_;
    std::vector<Support> sections_;
    std::array<Vec2d, kDirections> direction_;
};

}  // namespace rumple
