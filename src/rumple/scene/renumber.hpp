// Cloths that a file numbers at random get numbers that follow the mesh (mesh/numbering.hpp): steps are
// faster. Result files and messages keep the file's numbers: see SceneCloth::numbering.
#pragma once

#include <rumple/scene/scene.hpp>

namespace rumple {

// Renumbers mesh, rest shape and sets of a cloth, and the handles that hold it, unless its own numbers are
// nearly as good. The last step of resolving a scene.
void renumber_along_cloth(Scene& scene, std::size_t cloth);

}  // namespace rumple
