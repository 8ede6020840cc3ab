// The vertices to which groups of vertices are coupled by a sparse matrix of 3x3 blocks: the structure of
// P^T A, whose rows are the modes of groups and whose columns are vertices.
#pragma once

#include <rumple/linear/aggregation.hpp>

namespace rumple {

struct Reach {
    // Of group g: vertex[begin[g] .. outside[g]) are outside of the group, vertex[outside[g] .. begin[g + 1])
    // are members; both ascending.
    std::vector<int> begin, outside, vertex;
    std::vector<int> restricted_begin;  // of group g: the number of outside vertices of all groups before it
    std::vector<int> slot;              // of each block: its column's place in the reach of its row's group
    std::size_t max_size = 0;           // vertices that a group reaches

    // row_begin, column: the pattern of the matrix.
    void find(const Threads& threads, const Aggregates& groups, std::span<const int> row_begin,
              std::span<const int> column);

    void release_scratch() { std::vector<int>().swap(list_); }  // when find() is not called again

  private:
    std::vector<int> start_, count_, outside_count_, list_;  // unpacked
};

}  // namespace rumple
