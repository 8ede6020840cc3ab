// From a Scene to the Model that a Stepper steps.
#pragma once

#include <rumple/dynamics/model.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

// The constant part of a scene: all its cloths and obstacles, one after the other.
Model make_model(const Scene& scene);

}  // namespace rumple
