// Where a T-shirt is sewn: sides, sleeves, armholes, shoulders, and a ribbed collar.
#pragma once

#include <rumple/mesh/seam_line.hpp>
#include <rumple/modeling/landmarks.hpp>

namespace rumple {

// hem: z of the lower border.
std::vector<SeamLine> tshirt_seams(const TriMesh& cloth, const BodyLandmarks& mark, double hem);

}  // namespace rumple
