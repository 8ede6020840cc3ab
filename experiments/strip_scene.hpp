// One crease in a strip of cloth: the scene of `ablation` and `recovery-curve`.
//
// clang-format off
//   left        free        right       The outer parts (limbs) of a flat strip are clamped and turned up by 90
//   =======----------------=======      degrees each until they face each other across a gap; the free part
//                                       between them makes the fold. With gap = 2 free/pi it is a half circle:
//         ||        ||                  its curvature is pi/free everywhere. Nothing touches anything: contact
//         ||        ||                  plays no role.
//          \\______//
// clang-format on
#pragma once

#include <nlohmann/json.hpp>
#include <rumple/core/vec.hpp>
#include <span>
#include <string>

namespace rumple {

struct StripScene {
    std::string name = "fold";
    std::string material = "cotton";
    double edge = 0.0008;                   // m
    int limb = 18, free = 16, across = 20;  // edges: of each limb, of the free part (even), of the width
    double pull = 0;                        // N on each end after the release; 0: none
    int seed = 1;                           // of the imperfection
    std::string gate = "load";              // when friction ages: under load, or always ("none": the paper)

    int columns() const { return 2 * limb + free + 1; }
    int rows() const { return across + 1; }
    double curvature() const;  // 1/m, of the fold
};

// Phases: fold, rest, hold (500 s), settle (let go), and with a pull: pull (soon, before friction has aged
// again), relax.
nlohmann::json strip_scene(const StripScene& options);

// Angle between the limbs [degrees]: 0 flat, 180 closed. Lines fitted to the outer 7.5 mm of each limb (or
// all of it).
double fold_angle(const StripScene& options, std::span<const Vec3d> x);

}  // namespace rumple
