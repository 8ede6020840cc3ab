// One numbering for everything that can touch: all cloth vertices first, then those of the obstacles and
// rigid bodies.
//
// Contact works on triangles, but touches are between a vertex and a face or between two edges. A vertex
// belongs to six triangles and an edge to two; so that no pair is found more than once, every vertex and
// every edge is assigned to one of its triangles, which stands for it ("representative triangles": Curtis,
// Tamstorf and Manocha, Fast collision detection for deformable models using representative-triangles, I3D
// 2008).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rumple::contact {

// cloth: simulated; obstacle: its motion is prescribed; rigid_body: with mass
enum class BodyKind { cloth, obstacle, rigid_body };

// One a cloth, obstacle or rigid body: its ranges in the surface.
struct SurfaceBody {
    BodyKind kind = BodyKind::cloth;
    int vertex_begin = 0, vertex_end = 0;
    int triangle_begin = 0, triangle_end = 0;
    bool moves = true;  // false: its positions never change
    int edge_begin = 0, edge_end = 0;
};

struct Surface {
    int vertex_count = 0;
    std::vector<SurfaceBody> bodies;
    std::vector<std::array<int, 3>> triangles;       // global vertex indices, grouped by body
    std::vector<std::array<int, 2>> edges;           // each once, ascending vertex indices, grouped by body
    std::vector<std::array<int, 3>> triangle_edges;  // edge k joins corners k and (k + 1) % 3
    std::vector<std::uint8_t> owns;  // bits 0-2: corners, bits 3-5: edges that this triangle stands for
    std::vector<int> body_of_vertex, body_of_triangle, body_of_edge;
    std::vector<std::array<int, 2>> edge_triangles;  // -1: none; the first two of an edge with more
    std::vector<int> around_begin, around;           // triangles around a vertex, ascending

    std::span<const int> triangles_around(int vertex) const {
        const auto v = static_cast<std::size_t>(vertex);
        return std::span(around).subspan(static_cast<std::size_t>(around_begin[v]),
                                         static_cast<std::size_t>(around_begin[v + 1] - around_begin[v]));
    }
};

// A body as make_surface() takes it. Triangles count its own vertices from 0.
struct BodyMesh {
    BodyKind kind = BodyKind::cloth;
    int vertex_count = 0;
    std::span<const std::array<int, 3>> triangles;
    bool moves = true;
};

// Vertices without triangles touch nothing; edges of any number of triangles and triangles that repeat a
// corner are accepted. Throws InputError when a cloth comes after an obstacle or a triangle has a vertex that
// does not exist.
Surface make_surface(std::span<const BodyMesh> bodies);

}  // namespace rumple::contact
