// Which vertices and faces, and which edges, may touch in a step: everything whose moving boxes overlap
// (box.hpp).
//
// Each body has a tree over its triangles (bvh.hpp). Where the boxes of two leaves overlap, the vertices,
// edges and triangles in them (leaf_batches.hpp) are compared, box by box. The result is a sorted set, so it
// depends neither on the threads nor on the history of the trees.
#pragma once

#include <cstdint>
#include <rumple/contact/bvh.hpp>
#include <rumple/contact/leaf_batches.hpp>
#include <rumple/contact/pair.hpp>
#include <rumple/contact/proximity_filter.hpp>
#include <rumple/contact/smooth_patches.hpp>
#include <rumple/contact/surface.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

class BroadPhase {
  public:
    // Keeps a reference to the surface, which must live longer.
    explicit BroadPhase(const Surface& surface);

    // From now on searches with a filter leave out smooth cloth (smooth_patches.hpp), where it stays further
    // apart than the filter asks. Does nothing where cloth is so fine that there is none.
    //   rest     one a vertex of the surface
    //   within   m: what the filter asks, about
    void set_rest_shape(const Threads& threads, std::span<const Vec3d> rest, double within);

    // Boxes around the linear motion x0 -> x1 of every vertex, grown by margin[body] [m].
    //   x0, x1   one a vertex of the surface. A body that does not move has the same positions in each call;
    //            its tree is built once. A vertex that is not a number touches nothing.
    //   margin   one a body
    //   active   one a body; bodies that are not are not looked at
    void update(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                std::span<const double> margin, std::span<const std::uint8_t> active);

    // All vertex-face and edge-edge pairs whose moving boxes overlap, each once, ascending: cloth with cloth
    // (each with itself too), cloth with obstacles and rigid bodies, rigid bodies with obstacles and each
    // other. Not obstacles among themselves, not primitives that share a vertex. One call at a time: it uses
    // scratch of this object. With a filter, of these only the ones that it keeps.
    void find_pairs(const Threads& threads, std::vector<ContactPair>& pairs, bool cloth_on_cloth = true,
                    const ProximityFilter* filter = nullptr) const;
    // Of these pairs only those in which one of the vertices has a part.
    void find_pairs_with(const Threads& threads, std::span<const int> vertices,
                         std::vector<ContactPair>& pairs, bool cloth_on_cloth,
                         const ProximityFilter& filter) const;

  private:
    struct Task {
        int body_a, body_b;
        NodePair nodes;
    };
    struct Found {  // one task's pairs, packed: a in the high half, b in the low
        std::vector<std::uint64_t> vertex_face, edge_edge;
    };
    // What is looked for: pairs in which something marked has a part. One mark a primitive, and one a node of
    // each tree, for what is below it.
    struct Marks {
        std::vector<std::uint8_t> vertex, edge, triangle;
        std::vector<std::vector<std::uint8_t>> node;
    };
    bool compared(int body_a, int body_b, bool cloth_on_cloth) const;
    bool find_changed(const Threads& threads, std::size_t body, std::span<const Vec3d> x0,
                      std::span<const Vec3d> x1, double margin);
    void refit(const Threads& threads, std::size_t body);
    void mark(std::span<const int> vertices) const;
    void find_with(int vertex, int body, Found& found) const;
    void find_pairs_of_few(const Threads& threads, std::span<const int> vertices,
                           std::vector<ContactPair>& pairs, bool cloth_on_cloth,
                           const ProximityFilter& filter) const;
    void update_boxes(const Threads& threads, const SurfaceBody& body, std::span<const Vec3d> x0,
                      std::span<const Vec3d> x1, double margin);
    void collect_tasks(bool cloth_on_cloth) const;
    void sort_found(const Threads& threads, std::vector<ContactPair>& pairs) const;
    // Visits the leaves of all tasks, several tasks at once: visit(task, leaf of a, leaf of b, found).
    template <class Visit, class Enter>
    void visit_tasks(const Threads& threads, const ProximityFilter* filter, Visit&& visit,
                     Enter&& enter) const;
    // `marked`: only pairs in which something marked has a part.
    template <bool kMarked>
    void compare(const Task& task, int leaf_a, int leaf_b, Found& found) const;
    template <bool kMarked>
    void vertices_on_faces(const Task& task, int leaf_a, int leaf_b, Found& found) const;

    const Surface& surface_;
    std::vector<Bvh> trees_;                                             // one a body
    std::vector<LeafBatches> leaves_;                                    // one a tree
    std::vector<MovingBox> vertex_boxes_, edge_boxes_, triangle_boxes_;  // of the whole surface
    std::vector<Box> swept_;                                             // of the triangles
    struct {
        std::vector<Vec3d> begin, end;      // m: for which the boxes were made
        std::vector<std::uint8_t> changed;  // one a vertex: it has another one now
    } motion_;
    std::vector<std::uint8_t> active_;
    std::vector<double> margin_;  // with which a body's boxes were made last; negative: never

    std::vector<Vec3d> rest_;  // m; empty: not known
    RestGaps gaps_;

    mutable std::vector<SmoothPatches> patches_;  // one a cloth, where rest is known
    mutable std::vector<Task> tasks_;
    mutable std::vector<NodePair> cut_;
    mutable Marks marks_;
    mutable std::vector<Found> found_;
    mutable std::vector<int> bucket_[2],
        bucket_end_[2];  // by kind: the b of every a, and where those of an a end
};

// May primitives of these two bodies touch at all?
bool can_touch(const Surface& surface, int body_a, int body_b);

}  // namespace rumple::contact
