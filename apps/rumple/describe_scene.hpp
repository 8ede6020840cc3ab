// A scene in words, for `check` and `info`.
#pragma once

#include <rumple/scene/scene.hpp>
#include <string>
#include <vector>

namespace rumple {

std::string describe(const std::vector<Scene>& variants);

}  // namespace rumple
