#include <rumple/contact/intersections.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <rumple/contact/bvh.hpp>
#include <rumple/contact/triangle_overlap.hpp>

namespace rumple::contact {

namespace {

constexpr int kTasks = 400;  // a pair of bodies

bool share_vertex(const std::array<int, 3>& s, const std::array<int, 3>& t) {
    for (int v : s)
        if (v == t[0] || v == t[1] || v == t[2]) return true;
    return false;
}

struct Corners {
    Vec3d x[3];
    Corners(const Surface& surface, std::span<const Vec3d> positions, int triangle) {
        for (int k = 0; k < 3; ++k)
            x[k] = positions[at(surface.triangles[at(triangle)][static_cast<std::size_t>(k)])];
    }
};

Bvh tree_of(const Threads& threads, const Surface& surface, const SurfaceBody& body,
            std::span<const Vec3d> positions) {
    std::vector<Box> boxes(at(body.triangle_end - body.triangle_begin));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Corners c(surface, positions, body.triangle_begin + static_cast<int>(i));
        Box corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = box_around(c.x[k], c.x[k], 0);
        if (std::ranges::count(corner, Box{}) == 0)
            boxes[i] = joined(joined(corner[0], corner[1]), corner[2]);
    }
    Bvh tree(static_cast<int>(boxes.size()));
    tree.build(threads, boxes);
    return tree;
}

}  // namespace

std::vector<std::pair<int, int>> intersecting_triangles(const Threads& threads, const Surface& surface,
                                                        std::span<const Vec3d> positions,
                                                        std::span<const std::uint8_t> active) {
    const std::size_t body_count = surface.bodies.size();
    std::vector<Bvh> trees(body_count);
    for (std::size_t i = 0; i < body_count; ++i)
        if (active[i]) trees[i] = tree_of(threads, surface, surface.bodies[i], positions);

    std::vector<std::pair<int, int>> all;
    std::vector<NodePair> tasks;
    for (std::size_t a = 0; a < body_count && surface.bodies[a].kind == BodyKind::cloth; ++a)
        for (std::size_t b = a; b < body_count; ++b) {
            cut_into_tasks(trees[a], trees[b], kTasks, tasks);
            std::vector<std::vector<std::pair<int, int>>> found(tasks.size());
            threads.for_each(tasks.size(), 1, [&](std::size_t i) {
                visit_overlaps(trees[a], trees[b], tasks[i], [&](int item_a, int item_b) {
                    const int s = surface.bodies[a].triangle_begin + item_a,
                              t = surface.bodies[b].triangle_begin + item_b;
                    if (share_vertex(surface.triangles[at(s)], surface.triangles[at(t)])) return;
                    const Corners cs(surface, positions, s), ct(surface, positions, t);
                    if (triangles_meet(cs.x, ct.x)) found[i].push_back(std::minmax(s, t));
                });
            });
            for (const auto& list : found) all.insert(all.end(), list.begin(), list.end());
        }
    std::ranges::sort(all);
    return all;
}

}  // namespace rumple::contact
