// The structure of the multigrid hierarchy: which nodes form a group, where products of sparse matrices find
// their factors. It depends on the mesh alone and is found once, on the host.
//
// Level 0 has the vertices as nodes (3 unknowns each), further levels the groups of the level below with
// their six rigid modes. Nodes of a level are numbered by *domains*, groups of nodes with at most 48 unknowns
// that the smoother solves exactly. *Aggregates* are the groups that become nodes of the next level. P is the
// prolongation: the rigid modes of the aggregates, smoothed once, so that a node takes part in its own
// aggregate and in those of its neighbours.
#pragma once

#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
#include <rumple_cuda/block_layout.hpp>
#include <span>
#include <vector>

namespace rumple::cuda {

inline constexpr int kDomainUnknowns = 48;
inline constexpr int kModes = 6;

struct IndexPair {
    int first, second;
};

// A sum of products for each slot: item[begin[s]] .. item[begin[s + 1]].
struct ProductList {
    std::vector<int> begin{0};
    std::vector<IndexPair> item;
};

struct LevelStructure {
    int unknowns = 3;  // of a node
    BlockPattern graph;
    BlockLayout layout;
    std::vector<int> domain_begin;

    std::vector<int> aggregate_of;  // of each node
    std::vector<int> aggregate_begin, aggregate_member;
    // P by rows: slots p_begin[i] .. p_begin[i + 1] of node i, ascending columns.
    std::vector<int> p_begin, p_column, p_row;
    ProductList p_items;       // of each slot: (place in A, node) of the neighbours in its aggregate
    std::vector<int> p_place;  // of each slot in the transpose
    ProductList p_transposed;  // of each coarse node: (node, slot of P)
    std::vector<int> ap_begin, ap_column;  // A P by rows
    ProductList ap;                        // (place in A, slot of P)
    // Of each block of P^T A P on or above the diagonal: (slot of P, slot of A P), and its place and that of
    // its transpose in the next level's layout.
    ProductList galerkin;
    std::vector<IndexPair> galerkin_place;

    int nodes() const { return graph.rows; }
};

struct HierarchyOptions {
    std::vector<int> group_sizes;  // of each level below the last; empty: chosen by the number of vertices
    bool as_if_large = false;      // kernels and cycle of the largest meshes: for tests
};

struct Hierarchy {
    std::vector<int> number;  // new number of each vertex
    std::vector<LevelStructure> levels;
    BlockPattern top_graph;  // the last level, solved by its dense inverse
    BlockLayout top_layout;
    bool small = true;     // few enough vertices for several threads a row and overlapping launches
    bool w_cycle = false;  // levels from the third on are visited twice
    bool by_rows = false;  // Galerkin products as where there are many blocks, on every level
};

std::vector<int> default_group_sizes(int vertices);
Hierarchy make_hierarchy(const Threads& threads, const BlockPattern& pattern, std::span<const Vec3d> rest,
                         const HierarchyOptions& options = {});

}  // namespace rumple::cuda
