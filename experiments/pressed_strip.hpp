// A strip of cloth folded over and pressed between two plates: the scene of `fold` and `press`.
//
//    ____________       ______________
//   (                       plate
//   (____________       ( __________
//       table               table
//
// One end lies on a table, the other is turned over onto it, 1 s. A plate comes down, and the upper end with
// it, until the limbs are `gap` apart, 1 s. 0.4 s of rest, the hold, and plate and upper end are let go: the
// fold springs open as far as it does. Without gravity what is seen is the crease alone. The lower end stays
// where it is.
#pragma once

#include <experiments/strip_measure.hpp>
#include <nlohmann/json.hpp>
#include <rumple_render/camera.hpp>
#include <string>

namespace rumple {

struct PressedStrip {
    std::string name = "press";
    std::string material = "cotton";
    double length = 0.04, width = 0.015;  // m
    double gap = 0.002;                   // m, between the limbs under the plate
    double edge = 0.00125;                // m, of the mesh
    int seed = 1;                         // of the imperfection
    bool gravity = false;                 // after ISO 2313 a crease is measured without
    bool half_hour = false;               // a variant that is held for 1800 s, too

    StripGrid grid() const;
};

// From the open side of the fold: no limb is seen edge on.
inline constexpr ViewAngles kSideOn{-35, 14};

// Variants: brief (the steps of the hold without material time), held (500 s, as the paper simulates), and
// half-hour (1800 s, as its specimens were held).
nlohmann::json pressed_strip_scene(const PressedStrip& options);

}  // namespace rumple
