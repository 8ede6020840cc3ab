// "select" in a scene file.
#pragma once

#include <rumple/scene/json_place.hpp>
#include <rumple/scene/selector.hpp>

namespace rumple {

Selector read_selector(const JsonPlace& place);

}  // namespace rumple
