// One element of "phases": its length in steps, what its handles do.
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

inline constexpr NumberRange kStepRange{0, 0.1, true, "s"};

// `scene` has its handles and obstacles already, `h` is the step unless the phase has its own. A phase of no
// steps is skipped with everything in it: its motions, grabs, releases and what it says of obstacles are read
// and checked but left out.
Phase read_phase(const JsonPlace& place, const Scene& scene, double h);

// Grabs and releases make sense, nothing moves that is not held, no two handles hold one vertex.
void check_handles(const std::vector<JsonPlace>& places, const Scene& scene);

}  // namespace rumple
