// How an attempt to take a step ends.
#pragma once

#include <string>
#include <utility>

namespace rumple {

// What is wrong with a step, for the author of the scene.
struct StepFault {
    std::string what;  // empty: nothing
    int vertex = -1;   // in the model's numbering; -1: no vertex in particular
};

// Why a step is taken as two of half its length.
enum class SubdivideReason {
    fault,                // it would end wrongly: StepOutcome::fault says how
    overshoot,            // the first solve went further than its linearisation holds
    impact,               // the first solve moves layers through many others
    too_many_collisions,  // a solve that knew of the contacts passes through as much all the same
    response_overshoot,   // the collision response would overstretch the cloth
    unresolved_contact,   // cloth goes through an obstacle, a handle gave way, or too much was rolled back
};

struct StepOutcome {
    enum class Kind { accepted, subdivide, failed };

    Kind kind = Kind::accepted;
    SubdivideReason reason = SubdivideReason::fault;  // to subdivide
    StepFault fault;                                  // of what failed, or is subdivided for a fault

    bool accepted() const { return kind == Kind::accepted; }

    static StepOutcome subdivide(SubdivideReason reason) { return {Kind::subdivide, reason, {}}; }
    // A fault is tried again in shorter steps; that of the shortest step is final.
    static StepOutcome faulty(StepFault fault, bool at_min_step) {
        return {at_min_step ? Kind::failed : Kind::subdivide, SubdivideReason::fault, std::move(fault)};
    }
};

}  // namespace rumple
