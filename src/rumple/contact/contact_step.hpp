// What contact is given for a step, and what it reports of it.
#pragma once

#include <cstdint>
#include <rumple/contact/contact_state.hpp>
#include <span>

namespace rumple {

// Where the obstacles are: all their vertices, one obstacle after the other. Rigid bodies move by themselves:
// their entries are not read. A step moves obstacles in straight lines from begin to end.
struct ObstacleMotion {
    std::span<const Vec3d> begin, end;      // m; both empty: every obstacle stands where it began
    std::span<const std::uint8_t> present;  // one an obstacle; 0: it is not there. Empty: all are
    // Since the last step something appeared, or cloth was moved: search for cloth inside obstacles again.
    // The first step does so by itself.
    bool rearranged = false;
};

struct ContactStepInput {
    double h = 0;   // s
    Vec3d gravity;  // m/s^2
    ObstacleMotion obstacles;
    // The state at the beginning of the step. It stays as it is until commit().
    std::span<const Vec3d> x, v;
    const ContactMemory& memory;
    std::span<const RigidBodyState> rigid_bodies;
    bool first_step = false;  // of the simulation
    // One a cloth vertex: 1 where a handle puts it to `target` at the end of the step.
    std::span<const std::uint8_t> constrained;
    std::span<const Vec3d> target;
    // Share of their speed that bodies on sliders keep: below 1 where their impact is resolved.
    double slider_speed = 1;
};

struct ContactTiming {  // s
    double contact_broad = 0, contact_narrow = 0, contact_response = 0;
};

// What contact did in a step. Trouble is what an author of a scene would want to know of.
struct ContactReport {
    int pairs = 0;       // vertex-face and edge-edge pairs within reach of each other
    int touching = 0;    // of them, that press on each other
    int sliding = 0;     // of them, that slip
    int collisions = 0;  // found on the way and resolved
    int substeps = 1;    // the step was divided into so many
    // Trouble.
    int rolled_back = 0;  // vertices returned to where the step began: nothing else kept cloth from cloth
    // Vertices of cloth inside an obstacle at the end, or of triangles cut by one (a pinch, or from the
    // start).
    int inside = 0;
    double deepest = 0;  // m, of those behind its surface
    double closest = 0;  // m: smallest distance of a touching pair; 0 when nothing touches
};

}  // namespace rumple
