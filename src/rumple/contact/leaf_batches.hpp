// The vertices, edges and triangles of each leaf of a tree, their boxes eight side by side: so that one box
// is compared with eight at once where two leaves overlap.
//
// A leaf holds the vertices and edges that its triangles stand for (surface.hpp), and its triangles.
#pragma once

#include <rumple/contact/bvh.hpp>
#include <rumple/contact/surface.hpp>
#include <rumple/core/pack.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

struct BoxBatch {
    static constexpr int kLanes = 8;
    struct Corners {
        alignas(32) float lo[3][kLanes];
        alignas(32) float hi[3][kLanes];
    };
    Corners begin, end;
    int id[kLanes];  // -1: nothing, and the box is empty
};

// Bit k is set if the k-th box of the batch overlaps the box, as overlap() of two moving ones says.
inline unsigned overlaps(const BoxBatch& batch, const MovingBox& box) {
    Pack<int, 8> all = {1, 2, 4, 8, 16, 32, 64, 128};
    for (int k = 0; k < 3; ++k)
        all &= ((load_pack<8>(batch.begin.lo[k]) <= box.begin.hi[k]) |
                (load_pack<8>(batch.end.lo[k]) <= box.end.hi[k])) &
               ((load_pack<8>(batch.begin.hi[k]) >= box.begin.lo[k]) |
                (load_pack<8>(batch.end.hi[k]) >= box.end.lo[k]));
    using Quarters = Pack<unsigned long long, 4>;
    const Quarters q = reinterpret_cast<Quarters>(all);
    const unsigned long long folded = (q[0] | q[1]) | (q[2] | q[3]);
    return static_cast<unsigned>(folded | folded >> 32);
}

// One kind of primitive: the batches of node i are [first[i], first[i + 1]); only leaves have any.
struct BatchList {
    std::vector<int> first;
    std::vector<BoxBatch> batches;

    std::span<const BoxBatch> of(int node) const {
        const auto i = static_cast<std::size_t>(node);
        return std::span(batches).subspan(static_cast<std::size_t>(first[i]),
                                          static_cast<std::size_t>(first[i + 1] - first[i]));
    }
};

struct LeafBatches {
    BatchList vertices, edges, triangles;
    std::vector<MovingBox> boxes;  // one a node: of a leaf, around all in it

    // Which primitive stands where: after the tree was built.
    void build(const Surface& surface, const SurfaceBody& body, const Bvh& tree);
    // The boxes: of all vertices, edges and triangles of the surface.
    void refit(const Threads& threads, std::span<const MovingBox> vertex_boxes,
               std::span<const MovingBox> edge_boxes, std::span<const MovingBox> triangle_boxes);
};

}  // namespace rumple::contact
