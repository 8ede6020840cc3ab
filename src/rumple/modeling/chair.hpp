// A plain chair for the mannequin's clip sit_chair: a closed surface that stands behind its legs while it
// stands, and carries it with room for two layers of cloth when it sits.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

struct ChairOptions {
    double height = 1.75;        // m, of the mannequin it is made for, 1.0 to 2.5; everything scales with it
    double edge_length = 0.013;  // m, 0.005 to 0.05
};

// Metres, Z up, in the mannequin's world. Deterministic. InputError: an option out of range.
TriMesh make_chair(const ChairOptions& options = {});

}  // namespace rumple
