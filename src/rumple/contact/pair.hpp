// Two primitives that may touch: a vertex and a face, or two edges.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <rumple/contact/surface.hpp>

namespace rumple::contact {

enum class PairKind : std::uint8_t { vertex_face, edge_edge };

// vertex_face: a = vertex, b = triangle; edge_edge: a < b, edges. Ordered by kind, then a, then b.
struct ContactPair {
    PairKind kind = PairKind::vertex_face;
    int a = 0, b = 0;

    friend auto operator<=>(const ContactPair&, const ContactPair&) = default;
};

// vertex_face: the vertex, then the triangle's corners; edge_edge: edge a's ends, then edge b's ends
inline std::array<int, 4> pair_vertices(const Surface& surface, ContactPair pair) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    if (pair.kind == PairKind::vertex_face) {
        const auto& t = surface.triangles[b];
        return {pair.a, t[0], t[1], t[2]};
    }
    return {surface.edges[a][0], surface.edges[a][1], surface.edges[b][0], surface.edges[b][1]};
}

}  // namespace rumple::contact
