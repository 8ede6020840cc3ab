// Does a Scene hold together? The reader and SceneBuilder only make scenes that do; one that a caller put
// together by hand may not.
#pragma once

#include <rumple/scene/scene.hpp>

namespace rumple {

// InputError, naming the place in the Scene, unless every index and every size fits: one motion a handle and
// one command an obstacle in each phase, handles of vertices that there are, rest shapes of their meshes.
void check_scene(const Scene& scene);

}  // namespace rumple
