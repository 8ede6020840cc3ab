#include <rumple/contact/leaf_batches.hpp>

#include <algorithm>
#include <limits>

namespace rumple::contact {

namespace {

// Of a lane that holds nothing: it overlaps no box, not even one that reaches to infinity, as those of
// vertices do that a failing step throws beyond the range of a float.
constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

void append(BatchList& list, std::span<const int> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i % BoxBatch::kLanes == 0) {
            list.batches.emplace_back();
            std::ranges::fill(list.batches.back().id, -1);
        }
        list.batches.back().id[i % BoxBatch::kLanes] = ids[i];
    }
    list.first.push_back(static_cast<int>(list.batches.size()));
}

void put(BoxBatch::Corners& corners, int lane, const Box* box) {
    for (int k = 0; k < 3; ++k) {
        corners.lo[k][lane] = box ? box->lo[k] : kNowhere;
        corners.hi[k][lane] = box ? box->hi[k] : kNowhere;
    }
}

void fill(const Threads& threads, BatchList& list, std::span<const MovingBox> boxes) {
    threads.for_each(list.batches.size(), 256, [&](std::size_t i) {
        BoxBatch& batch = list.batches[i];
        for (int lane = 0; lane < BoxBatch::kLanes; ++lane) {
            const int id = batch.id[lane];
            const MovingBox* box = id < 0 ? nullptr : &boxes[static_cast<std::size_t>(id)];
            put(batch.begin, lane, box ? &box->begin : nullptr);
            put(batch.end, lane, box ? &box->end : nullptr);
        }
    });
}

}  // namespace

void LeafBatches::build(const Surface& surface, const SurfaceBody& body, const Bvh& tree) {
    for (BatchList* list : {&vertices, &edges, &triangles}) {
        list->first.assign(1, 0);
        list->batches.clear();
    }
    boxes.resize(static_cast<std::size_t>(tree.node_count()));
    std::vector<int> own_vertices, own_edges, own_triangles;
    for (int node = 0; node < tree.node_count(); ++node) {
        own_vertices.clear();
        own_edges.clear();
        own_triangles.clear();
        const bool is_leaf = tree.node(node).second == 0;
        for (int slot = tree.node(node).begin; is_leaf && slot < tree.leaf_end(node); ++slot) {
            const int triangle = body.triangle_begin + tree.item(slot);
            const auto t = static_cast<std::size_t>(triangle);
            own_triangles.push_back(triangle);
            for (unsigned k = 0; k < 3; ++k) {
                if (surface.owns[t] >> k & 1u) own_vertices.push_back(surface.triangles[t][k]);
                if (surface.owns[t] >> (3 + k) & 1u) own_edges.push_back(surface.triangle_edges[t][k]);
            }
        }
        append(vertices, own_vertices);
        append(edges, own_edges);
        append(triangles, own_triangles);
    }
}

void LeafBatches::refit(const Threads& threads, std::span<const MovingBox> vertex_boxes,
                        std::span<const MovingBox> edge_boxes, std::span<const MovingBox> triangle_boxes) {
    fill(threads, vertices, vertex_boxes);
    fill(threads, edges, edge_boxes);
    fill(threads, triangles, triangle_boxes);
    threads.for_each(boxes.size(), 256, [&](std::size_t node) {
        boxes[node] = {};
        for (const BoxBatch& batch : triangles.of(static_cast<int>(node)))
            for (const int id : batch.id)
                if (id >= 0) boxes[node] = joined(boxes[node], triangle_boxes[static_cast<std::size_t>(id)]);
    });
}

}  // namespace rumple::contact
