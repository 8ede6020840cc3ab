// The part of a State that belongs to contact: what friction remembers, and where rigid bodies are.
#pragma once

#include <cstdint>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

// What friction between surfaces remembers: for each pair that touches, how far its stuck points have been
// displaced along the surface since they met (docs/theory/contact.md). Sorted by kind, a, b, as
// contact/pair.hpp orders them; each pair once.
struct ContactMemory {
    std::vector<std::int32_t> kind, a, b;
    std::vector<Vec3d> tangential_displacement;  // m, of the point on a against the point on b
    // Cloth vertices inside an obstacle, or of triangles cut by one; ascending.
    std::vector<std::int32_t> inside;

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

}  // namespace rumple
