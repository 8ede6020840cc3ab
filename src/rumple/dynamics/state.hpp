// Everything that changes during a simulation, as structures of arrays. A checkpoint is exactly this.
#pragma once

#include <cstdint>
#include <rumple/constitutive/laws.hpp>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

// The history of many strain components. Columns, their types and their meaning: constitutive/laws.hpp.
struct HistoryArrays : HistoryColumns<std::vector> {
    std::size_t size() const { return strain.size(); }  // components
    void resize(std::size_t components, const HistoryLayout& layout);
    // Has every column the length that this layout asks for?
    bool fits(std::size_t components, const HistoryLayout& layout) const;
    ComponentHistory<double> get(std::size_t i) const;
    void set(std::size_t i, const ComponentHistory<double>& history);
};

// What friction between surfaces remembers: for each pair that touches, how far its stuck points have been
// drawn apart since they met (docs/theory/contact.md). Sorted by kind, a, b, as contact/pair.hpp orders them.
struct ContactMemory {
    std::vector<std::int32_t> kind, a, b;
    std::vector<Vec3d> offset;         // m, of the point on a against the point on b, along the surface
    std::vector<std::int32_t> inside;  // cloth vertices inside an obstacle, or cut by one; ascending

    friend bool operator==(const ContactMemory&, const ContactMemory&) = default;
};

// A rigid body that moves by itself (ObstaclePart::mass). At the beginning: position 0, rotation 1.
struct RigidBodyState {
    Vec3d position;                      // m: displacement of the centre of mass from where it starts
    Mat3d rotation = Mat3d::identity();  // about the centre of mass
    Vec3d velocity, spin;                // m/s, rad/s

    friend bool operator==(const RigidBodyState& p, const RigidBodyState& q) {
        for (int i = 0; i < 9; ++i)
            if (p.rotation.m[i] != q.rotation.m[i]) return false;
        return p.position == q.position && p.velocity == q.velocity && p.spin == q.spin;
    }
};

struct State {
    std::vector<Vec3d> x;    // m
    std::vector<Vec3d> v;    // m/s
    HistoryArrays bending;   // one a hinge
    HistoryArrays membrane;  // three a triangle (uu, vv, uv); empty unless the model has tensile laws
    ContactMemory contact;
    std::vector<RigidBodyState> rigid_bodies;  // one an obstacle that has mass, in their order
    std::int64_t step = 0;                     // steps taken
    double time = 0;                           // s, dynamic
    double material_time = 0;                  // s

    friend bool operator==(const State&, const State&) = default;
};

}  // namespace rumple
