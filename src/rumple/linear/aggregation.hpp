// Groups of neighbouring vertices: the coarse unknowns of the multilevel preconditioner.
//
// Groups grow greedily from the edge of what is already grouped, always by the free neighbour that keeps them
// compact in the rest shape; then a few rounds of Lloyd's iteration on the graph even them out.
#pragma once

#include <rumple/linear/block_matrix.hpp>

namespace rumple {

struct Aggregates {
    std::vector<int> of;             // the group of each vertex
    std::vector<int> begin, member;  // members of group a: member[begin[a] .. begin[a+1]), ascending
    int count() const { return static_cast<int>(begin.size()) - 1; }
};

// From the group of each vertex: numbered anew where a number below `count` has no vertex.
Aggregates groups_of(std::vector<int> of, int count);

// Groups of about `size` vertices; none larger than `largest`, by default 3/2 of it. Every vertex belongs to
// one.
Aggregates aggregate(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int size,
                     int largest = 0);

}  // namespace rumple
