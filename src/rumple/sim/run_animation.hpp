// What a run or a cache holds, as one animation for other programs (io/animation.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/io/animation.hpp>
#include <rumple/scene/scene.hpp>
#include <rumple/sim/run_layout.hpp>

namespace rumple {

struct AnimationOptions {
    std::optional<double> rate = {};                 // frames a second; default: the run's, or 30
    std::size_t every = 1;                           // only every n-th frame
    std::optional<std::filesystem::path> mesh = {};  // of a cache; default: the mesh beside it
};

// A run's folder with all its cloths and obstacles, a cache (.pc2, .mdd) with its mesh, or a mesh.
// InputError: none of these, or without frames.
Animation open_animation(const std::filesystem::path& path, const AnimationOptions& options = {});

// The same of a run that is about to end: its caches are written.
Animation animation_of(const Scene& scene, const RunLayout& layout);

}  // namespace rumple
