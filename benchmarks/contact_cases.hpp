// Where in which scene steps with contact are timed, on every backend.
#pragma once

#include <rumple/scene/scene.hpp>

namespace rumple {

struct ContactCase {
    Scene scene;
    int phase = 0, step = 0;  // where timing begins
};

// A sheet of across x across vertices, crumpled in a pot: the middle of the phase in which the weight comes
// to rest on it.
ContactCase crumple_case(int across);

}  // namespace rumple
