// Points that move with a surface as it moves and bends: a waistband on a body.
//
// Each point stores its coordinates in the frames of the nearest triangles and moves with their weighted
// mean: exact where the surface moves rigidly, smooth where it bends.
//
//        * point      frame of a triangle: origin at its centre, first axis along its first side,
//   -----+-----       third axis along its normal
//     surface
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

class Attachment {
  public:
    // `surface` and `points` where they are at the moment of attaching. Keeps a copy of the triangles used.
    Attachment(std::span<const Vec3d> points, std::span<const Vec3d> surface,
               std::span<const std::array<int, 3>> triangles);

    // Appends where the points are when the surface is there.
    void add_targets(std::span<const Vec3d> surface, std::vector<Vec3d>& targets) const;

  private:
    struct Anchor {
        std::array<int, 3> triangle;
        double weight;  // those of a point sum to 1
        Vec3d local;    // m, in the triangle's frame
    };
    std::vector<Anchor> anchors_;
    std::vector<std::size_t> begin_;  // of each point in anchors_, and the end
};

}  // namespace rumple
