// The identity of a run: a hash of everything in a Scene that determines it. Equal hashes share simulations,
// and a checkpoint belongs to the scene whose hash it carries.
//
// Not part of it, because they change no result: the names of the scene, of its variant and of materials,
// cameras, warnings, the number of threads.
#pragma once

#include <rumple/scene/scene.hpp>
#include <string>
#include <vector>

namespace rumple {

struct SceneHashes {
    std::string run;                  // 16 hex digits: of the whole run and of what it measures
    std::vector<std::string> phases;  // 32 hex digits each: of the run up to the end of that phase
};
// Reads the samples of all clips. InputError: a file of a clip can no longer be read.
SceneHashes scene_hashes(const Scene& scene);

inline std::string scene_hash(const Scene& scene) { return scene_hashes(scene).run; }

}  // namespace rumple
