// Cloths that a file numbers at random get a numbering that follows them (mesh/numbering.hpp), for the sake
// of speed. What leaves the program has the file's numbering all the same: see SceneCloth::numbering.
#pragma once

#include <rumple/scene/scene.hpp>

namespace rumple {

// The last thing that happens to a cloth of a scene: its mesh, rest shape and sets, and the handles that hold
// it, get new numbers, unless its own are nearly as good.
void renumber_along_cloth(Scene& scene, std::size_t cloth);

}  // namespace rumple
