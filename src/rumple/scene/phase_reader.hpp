// One element of "phases" of a scene file.
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_description.hpp>

namespace rumple {

PhaseDescription read_phase(const JsonPlace& place);

}  // namespace rumple
