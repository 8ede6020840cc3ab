#include "contact_cases.hpp"

#include <experiments/crumple_scene.hpp>
#include <rumple/sim/run.hpp>

namespace rumple {

ContactCase crumple_case(int across) {
    CrumpleScene crumple;
    crumple.across = across;
    crumple.side = 0.4;
    crumple.mass = 5;
    const SceneFile file{crumple_scene(crumple), "crumple", {}};
    const std::vector<std::string> only{"weight-brief"};
    ContactCase found{build_variants(file, only).front()};
    while (found.scene.phases.at(static_cast<std::size_t>(found.phase)).name != "weight") ++found.phase;
    found.step = found.scene.phases[static_cast<std::size_t>(found.phase)].steps / 2;
    return found;
}

}  // namespace rumple
