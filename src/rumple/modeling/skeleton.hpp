// A tree of joints, the poses it can take, and dual-quaternion skinning.
//
// In the bind pose no joint is turned: its frame is the world's, moved to the joint. A pose turns each joint
// within its parent's frame and moves the root. Skinning blends the joints' motions as unit dual quaternions
// (Kavan, Collins, Zara, O'Sullivan, "Geometric Skinning with Approximate Dual Quaternion Blending", ACM TOG
// 2008): a point between two bones turns about their joint by its share of the angle, so that a bent limb is
// a bent tube and keeps its volume, where blended matrices would pinch it.
#pragma once

#include <array>
#include <rumple/core/quaternion.hpp>
#include <rumple/core/vec.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

struct Joint {
    std::string name;
    int parent;      // index of an earlier joint; -1: the root
    Vec3d position;  // m, in the bind pose
};

struct Skeleton {
    std::vector<Joint> joints;

    // Throws std::out_of_range for a name that is not there.
    std::size_t index(std::string_view name) const;
};

struct SkeletonPose {
    Vec3d root_motion;        // m, how far the root has moved from its place in the bind pose
    std::vector<Quat> turns;  // one a joint, in its parent's frame
};

// A rigid motion x -> rotate(turn, x) + shift from the bind pose to where the joint is now.
struct JointMotion {
    Quat turn;
    Vec3d shift;

    Vec3d operator()(Vec3d x) const { return rotate(turn, x) + shift; }
};
std::vector<JointMotion> joint_motions(const Skeleton& skeleton, const SkeletonPose& pose);

// Up to four joints a vertex; weights sum to 1, unused ones are 0.
struct SkinWeights {
    std::vector<std::array<int, 4>> joints;
    std::vector<std::array<double, 4>> weights;
};

// Positions of the vertices `bind` under the motions.
void skin(std::span<const Vec3d> bind, const SkinWeights& weights, std::span<const JointMotion> motions,
          std::vector<Vec3d>& positions);

}  // namespace rumple
