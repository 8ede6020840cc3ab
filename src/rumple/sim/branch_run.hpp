// Branches a run: a folder that continues where another run's checkpoint is.
//
// Two scenes that are the same up to the end of a phase share that beginning. One run simulates it, as a
// scene of its own that ends there (beginning_of); every other run takes a copy of its frames, its metrics
// and its checkpoint, and resumes. The folder then has the same bytes as that of a run from the start.
#pragma once

#include <filesystem>
#include <rumple/scene/scene.hpp>
#include <string>

namespace rumple {

// The scene up to the end of `phase`, counted from 0.
Scene beginning_of(Scene scene, int phase);

// What two scenes must have in common for one to continue the other's run from the end of `phase`: the phase
// hash, and what recovery has measured so far. Equal texts: it can.
std::string branch_point(const Scene& scene, int phase);

// Copies the run in `from` into the folder `to`, as far as its checkpoint and `scene` go. `to` then resumes
// as a run of `scene`. The caller has compared branch points. False, and nothing is copied: `scene` shows
// frames that the beginning does not have. InputError: `from` has no checkpoint that can be read, or a file
// cannot be copied; `to` has no checkpoint then.
bool branch_run(const std::filesystem::path& from, const std::filesystem::path& to, const Scene& scene);

}  // namespace rumple
