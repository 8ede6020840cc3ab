// What formulas that are templates of their number type T need beyond arithmetic, so that one text serves
// double, float and Lanes (core/lanes.hpp): functions found without `std::`, and choices instead of branches.
#pragma once

#include <cmath>
#include <rumple/core/hd.hpp>

namespace rumple {

using std::abs, std::atan2, std::copysign, std::exp, std::expm1, std::sqrt;

// What comparing two numbers gives: bool, or one for each lane.
template <class T>
using Truth = decltype(T{} < T{});

template <class T>
RUMPLE_HD T select(bool condition, T then, T otherwise) {
    return condition ? then : otherwise;
}
// Worth computing? True if the condition holds for the number, or for any of the lanes.
RUMPLE_HD inline bool any(bool condition) { return condition; }

}  // namespace rumple
