// Where trousers are sewn: side seams, inseams, the seam through the crotch, a waistband with loops, fly,
// pockets and a yoke.
#pragma once

#include <functional>
#include <rumple/mesh/seam_line.hpp>
#include <rumple/modeling/landmarks.hpp>

namespace rumple {

struct TrouserShape {
    double waist = 0, cuff = 0, saddle = 0;                // z: upper border, lower border, under the crotch
    std::function<Vec3d(bool left, double z)> leg_middle;  // inside a leg
};

std::vector<SeamLine> trouser_seams(const TriMesh& cloth, const BodyLandmarks& mark,
                                    const TrouserShape& shape);

}  // namespace rumple
