// The edges of a triangle mesh: each triangle walks around its three edges; two triangles that share an edge
// must walk it in opposite directions. Hinges and validation both start from this table.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

// One triangle's walk along one edge: from vertex `from` (corner `corner` of the triangle) to vertex `to`.
struct EdgeWalk {
    int from, to;
    int triangle, corner;

    int low() const { return from < to ? from : to; }
    int high() const { return from < to ? to : from; }
};

struct EdgeWalks {
    std::vector<EdgeWalk> walks;
    std::vector<int> end;  // past the walks of which a vertex is the lower one
};

// All 3T walks, those of one edge side by side, within an edge ordered by (triangle, corner). In linear time;
// what `sorted` holds is used again.
void sort_edge_walks(std::span<const std::array<int, 3>> triangles, std::size_t vertex_count,
                     EdgeWalks& sorted);
std::vector<EdgeWalk> sorted_edge_walks(const TriMesh& mesh);

// The walks of one edge, starting at walks[begin].
std::span<const EdgeWalk> edge_at(const std::vector<EdgeWalk>& walks, std::size_t begin);

// Throws InputError when an edge has three or more triangles, when two triangles walk it in the same
// direction, or when a triangle uses it twice.
void require_manifold(std::span<const EdgeWalk> edge, const std::string& name);

}  // namespace rumple
