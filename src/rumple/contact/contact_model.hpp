// What cloth can touch, and how: the constant part of contact (docs/theory/contact.md).
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
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
    double mass = 0;          // kg; > 0: a rigid body, which falls, rests and presses by itself
    // A rigid body on a slider moves along this direction alone and does not turn (a press in its frame).
    bool on_slider = false;
    Vec3d slider{0, 0, 1};
};

struct ContactModel {
    ContactSettings settings;
    std::vector<ObstaclePart> obstacles;
    bool enabled = false;  // something can touch something
};

// What contact needs of the cloth. Views: the arrays must live as long as whoever keeps this.
struct ClothView {
    std::span<const Vec3d> initial;  // m: where it begins; also the shape in which distances are at rest
    std::span<const double> mass;    // kg
    std::span<const std::array<int, 3>> triangles;
    std::span<const int> part_begin,
        part_triangle_begin;      // first vertex and triangle of each cloth, and the end
    double mean_edge_length = 0;  // m
};

}  // namespace rumple
