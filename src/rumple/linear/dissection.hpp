// Nested dissection by geometry, and the symbolic Cholesky factor it gives.
//
// A set of nodes is cut in two by a plane; the nodes along the cut are eliminated last. Each cut, and each
// small set left over, becomes a supernode: columns that share one row structure and are treated as one dense
// panel.
//
// clang-format off
//        |       |            order of elimination: A, B, s | C, D, t | S
//     A  s   B   S            rows of A's panel below its own: s, S as far as A reaches them
//        |       |
// clang-format on
#pragma once

#include <rumple/linear/block_matrix.hpp>

namespace rumple {

struct Supernode {
    int first = 0, last = 0;  // its own nodes, in the new numbering: [first, last)
    std::vector<int> row;     // nodes below its own that its columns reach, ascending, in the new numbering
    int parent = -1;          // supernode that holds row[0]; -1 at a root
    int size() const { return last - first; }
    int height() const { return size() + static_cast<int>(row.size()); }
};

struct Dissection {
    std::vector<int> new_of_old, old_of_new;
    std::vector<Supernode> supernode;    // in the order of elimination: children before parents
    std::vector<int> supernode_of_node;  // by new number
};

// Row of a panel at which a node (by new number; one of its own or of its rows) stands.
int local_row(const Supernode& supernode, int node);

// graph: adjacency of the nodes (a block pattern); position: where they are.
Dissection dissect(const BlockPattern& graph, std::span<const Vec3d> position, int leaf_size);

}  // namespace rumple
