// One hinge that is bent, held or not, and released so slowly that it is always in balance: what a fold keeps
// by the laws alone, without mesh, inertia or neighbours.
#pragma once

#include <rumple/constitutive/laws.hpp>

namespace rumple {

struct HingeMemory {
    double kept = 0;     // strain without load after the release / strain of the fold
    double plastic = 0;  // share of it that is plastic strain; the rest is held by friction
};

// Bent to `strain` in 1 s, 0.4 s of rest, `hold` seconds (0: none) in 50 steps, released in 1 s.
HingeMemory remember(const ComponentLaw<double>& law, double strain, double hold);

}  // namespace rumple
