// Which joints the mannequin's skin follows. Along each limb a vertex passes from one bone to the next over a
// length that is long enough for the inner side of the bend not to fold over: a limb of radius r bent by an
// angle a needs a blend of at least 1.5 r a (docs/body.md).
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/modeling/mannequin_shape.hpp>

namespace rumple {

SkinWeights make_skin_weights(const MannequinShape& shape, const TriMesh& mesh);

}  // namespace rumple
