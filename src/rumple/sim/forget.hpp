// Scales what a part of the cloth remembers (docs/theory/time.md).
#pragma once

#include <rumple/dynamics/model.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

// Hinges whose edge, and triangles all of whose vertices, are among those selected.
void forget(const Model& model, const Forget& what, State& state);

}  // namespace rumple
