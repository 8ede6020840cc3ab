// A generated shop mannequin: a closed, smooth surface without holes, a skeleton of 22 joints, skin that
// follows it. Metres, Z up, feet on z = 0, facing -Y, its left is +X.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/modeling/clip.hpp>
#include <rumple/modeling/skeleton.hpp>

namespace rumple {

struct MannequinOptions {
    double height = 1.75;         // m, 1.0 to 2.5; everything scales with it
    double edge_length = 0.0142;  // m, 0.005 to 0.05; 0.0142 gives about 11 000 vertices at 1.75 m
};

struct Mannequin {
    TriMesh mesh;  // in the bind pose (limbs spread: for skinning, not for dressing)
    Skeleton skeleton;
    SkinWeights weights;
    double height = 0;  // m

    // Where the vertices are in a pose; at a time of a clip.
    std::vector<Vec3d> positions(const SkeletonPose& pose) const;
    std::vector<Vec3d> positions(Clip clip, double time) const;
};

// Deterministic. InputError: an option out of range.
Mannequin make_mannequin(const MannequinOptions& options = {});

}  // namespace rumple
