// Does anything cross anything as a scene begins? Contact keeps apart what was apart; what crosses from the
// start is trouble that the author should know of.
#pragma once

#include <rumple/scene/scene.hpp>
#include <string>
#include <vector>

namespace rumple {

// One sentence for each two things that cross: cloth with itself, with other cloth, with an obstacle that is
// there in the first phase. None without contact.
std::vector<std::string> warn_of_crossings(const Scene& scene);

}  // namespace rumple
