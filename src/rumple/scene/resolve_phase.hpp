// From the description of a phase to a Phase, and what phases require of each other.
#pragma once

#include <rumple/scene/scene_description.hpp>

namespace rumple {

// `scene` has its handles and obstacles already, `h` is the step unless the phase has its own. A phase of no
// steps is skipped with everything in it: its motions, grabs, releases and commands are checked but left out.
Phase resolve_phase(const PhaseDescription& phase, const Scene& scene, double h);

// Grabs and releases make sense, nothing moves that is not held, no two handles hold one vertex.
void check_handles(const std::vector<PhaseDescription>& phases, const Scene& scene);
// Only what is away is activated and only what is there deactivated; no clip jumps while its obstacle is
// there.
void check_obstacles(const std::vector<PhaseDescription>& phases, const Scene& scene);

}  // namespace rumple
