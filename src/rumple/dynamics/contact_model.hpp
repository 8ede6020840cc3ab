// What cloth can touch, and how: the constant part of contact (docs/theory/contact.md).
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

struct ContactSettings {
    bool cloth_on_cloth = true;  // cloth touches cloth, itself too
    double thickness = 1e-3;     // m, > 0: layers of cloth repel each other below this distance
    double friction = 0.3;       // Coulomb's coefficient of cloth on cloth, >= 0
    // Pa/m, > 0: two surfaces at the gap g of the thickness d press on each other with this times
    // 0.3 (d - g) + (d - g)^2/g. Larger: firmer layers, harder to solve.
    double stiffness = 5e6;
};

// Something that is not cloth: a triangle mesh whose motion is given, or a rigid body with mass.
struct ObstaclePart {
    std::vector<Vec3d> vertices;  // m, in the world, where it begins
    std::vector<std::array<int, 3>> triangles;
    double friction = 0.4;    // cloth on it
    double thickness = 1e-3;  // m: distance that cloth keeps from it
    bool moves = false;       // its motion is given step by step; false: it stands
    double mass = 0;          // kg; > 0: a weight, which falls, rests and presses by itself
    // A weight with a guide moves along this direction alone and does not turn (a press in its frame).
    bool guided = false;
    Vec3d guide{0, 0, 1};
};

struct ContactModel {
    ContactSettings settings;
    std::vector<ObstaclePart> obstacles;
    bool enabled = false;  // something can touch something
};

}  // namespace rumple
