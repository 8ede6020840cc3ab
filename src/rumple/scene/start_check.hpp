// Does anything intersect as a scene begins? Contact keeps apart what is apart. It cannot separate surfaces
// that intersect from the start, so the author is warned.
#pragma once

#include <rumple/scene/scene.hpp>
#include <string>
#include <vector>

namespace rumple {

// One sentence for each pair that intersects: a cloth and itself, two cloths, a cloth and an obstacle that is
// active in the first phase (how many vertices are inside, and how deep). None without contact.
std::vector<std::string> warn_of_crossings(const Scene& scene);

}  // namespace rumple
