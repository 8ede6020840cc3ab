#include <rumple/contact/broad_phase.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace rumple::contact {

namespace {

constexpr int kTasks = 400;  // a pair of bodies: enough to balance any number of threads
constexpr std::size_t kGrain = 2048;
constexpr std::size_t kFewShare = 200;  // of so many vertices one: then each is searched for by itself
constexpr double kGapsOfInterest = 2;   // in distances that are asked for: more at rest is more than enough

std::uint64_t packed(int a, int b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
}
int high(std::uint64_t p) { return static_cast<int>(p >> 32); }
int low(std::uint64_t p) { return static_cast<int>(p & 0xffffffffu); }

bool share_vertex(const std::array<int, 2>& e, const std::array<int, 2>& f) {
    return (e[0] == f[0]) | (e[0] == f[1]) | (e[1] == f[0]) | (e[1] == f[1]);
}
template <class Visit>
void for_each_bit(unsigned bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
}

// Keeps what the filter keeps.
void keep_near(const ProximityFilter& filter, PairKind kind, std::vector<std::uint64_t>& pairs) {
    ContactPair some[ProximityFilter::kLanes];
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < pairs.size(); begin += ProximityFilter::kLanes) {
        const std::size_t count = std::min(ProximityFilter::kLanes, pairs.size() - begin);
        for (std::size_t k = 0; k < count; ++k)
            some[k] = {kind, high(pairs[begin + k]), low(pairs[begin + k])};
        for_each_bit(filter.near({some, count}),
                     [&](int k) { pairs[kept++] = pairs[begin + static_cast<std::size_t>(k)]; });
    }
    pairs.resize(kept);
}

bool has_vertex(const std::array<int, 3>& t, int v) { return (t[0] == v) | (t[1] == v) | (t[2] == v); }
bool has_vertex(const std::array<int, 2>& e, int v) { return (e[0] == v) | (e[1] == v); }

}  // namespace

bool can_touch(const Surface& surface, int body_a, int body_b) {
    const BodyKind a = surface.bodies[at(body_a)].kind, b = surface.bodies[at(body_b)].kind;
    if (a == BodyKind::cloth || b == BodyKind::cloth) return true;
    return body_a != body_b && (a == BodyKind::rigid_body || b == BodyKind::rigid_body);
}

BroadPhase::BroadPhase(const Surface& surface)
    : surface_(surface),
      vertex_boxes_(at(surface.vertex_count)),
      edge_boxes_(surface.edges.size()),
      triangle_boxes_(surface.triangles.size()),
      swept_(surface.triangles.size()),
      active_(surface.bodies.size(), 0),
      margin_(surface.bodies.size(), -1) {
    leaves_.resize(surface.bodies.size());
    motion_ = {std::vector<Vec3d>(vertex_boxes_.size()), std::vector<Vec3d>(vertex_boxes_.size()),
               std::vector<std::uint8_t>(vertex_boxes_.size())};
    for (const SurfaceBody& body : surface.bodies)
        trees_.emplace_back(body.triangle_end - body.triangle_begin);
}

void BroadPhase::set_rest_shape(const Threads& threads, std::span<const Vec3d> rest, double within) {
    if (!has_gaps(surface_, rest, within)) return;
    rest_.assign(rest.begin(), rest.end());
    gaps_ = rest_gaps(threads, surface_, rest, kGapsOfInterest * within);
    patches_.clear();
    for (std::size_t i = 0; i < trees_.size() && surface_.bodies[i].kind == BodyKind::cloth; ++i) {
        patches_.emplace_back();
        if (trees_[i].built()) patches_[i].build(surface_, surface_.bodies[i], trees_[i], gaps_, rest_);
    }
}

void BroadPhase::update(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                        std::span<const double> margin, std::span<const std::uint8_t> active) {
    active_.assign(active.begin(), active.end());
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        const SurfaceBody& body = surface_.bodies[i];
        const bool is_current = !body.moves && margin_[i] == margin[i];
        if (!active[i] || trees_[i].empty() || is_current) continue;
        if (!find_changed(threads, i, x0, x1, margin[i])) continue;
        update_boxes(threads, body, x0, x1, margin[i]);
        refit(threads, i);
    }
}

// Of the vertices of a body: which have another way than that of their boxes? False: none.
bool BroadPhase::find_changed(const Threads& threads, std::size_t i, std::span<const Vec3d> x0,
                              std::span<const Vec3d> x1, double margin) {
    const bool all = margin_[i] != margin;
    margin_[i] = margin;
    const SurfaceBody& body = surface_.bodies[i];
    const std::size_t first = at(body.vertex_begin), count = at(body.vertex_end) - first;
    threads.for_each(count, kGrain, [&](std::size_t k) {
        const std::size_t v = first + k;
        motion_.changed[v] = all || x0[v] != motion_.begin[v] || x1[v] != motion_.end[v];
        motion_.begin[v] = x0[v];
        motion_.end[v] = x1[v];
    });
    return std::ranges::any_of(std::span(motion_.changed).subspan(first, count),
                               [](auto c) { return c != 0; });
}

void BroadPhase::refit(const Threads& threads, std::size_t i) {
    const SurfaceBody& body = surface_.bodies[i];
    const auto boxes = std::span<const Box>(swept_).subspan(at(body.triangle_begin),
                                                            at(body.triangle_end - body.triangle_begin));
    if (trees_[i].built()) trees_[i].refit(threads, boxes);
    if (!trees_[i].built() || trees_[i].degraded()) {
        trees_[i].build(threads, boxes);
        leaves_[i].build(surface_, body, trees_[i]);
        if (i < patches_.size()) patches_[i].build(surface_, body, trees_[i], gaps_, rest_);
    }
    leaves_[i].refit(threads, vertex_boxes_, edge_boxes_, triangle_boxes_);
}

bool BroadPhase::compared(int a, int b, bool cloth_on_cloth) const {
    if (!active_[at(a)] || !active_[at(b)] || !can_touch(surface_, a, b)) return false;
    const bool both_cloth = surface_.bodies[at(std::max(a, b))].kind == BodyKind::cloth;  // they come first
    return cloth_on_cloth || !both_cloth;
}

void BroadPhase::update_boxes(const Threads& threads, const SurfaceBody& body, std::span<const Vec3d> x0,
                              std::span<const Vec3d> x1, double margin) {
    threads.for_each(at(body.vertex_end - body.vertex_begin), kGrain, [&](std::size_t i) {
        const std::size_t v = i + at(body.vertex_begin);
        if (motion_.changed[v]) vertex_boxes_[v] = moving_box(x0[v], x1[v], margin);
    });
    threads.for_each(at(body.edge_end - body.edge_begin), kGrain, [&](std::size_t i) {
        const std::size_t e = i + at(body.edge_begin);
        const auto [p, q] = surface_.edges[e];
        if (motion_.changed[at(p)] | motion_.changed[at(q)])
            edge_boxes_[e] = joined(vertex_boxes_[at(p)], vertex_boxes_[at(q)]);
    });
    threads.for_each(at(body.triangle_end - body.triangle_begin), kGrain, [&](std::size_t i) {
        const std::size_t t = i + at(body.triangle_begin);
        const auto [p, q, r] = surface_.triangles[t];
        if (!(motion_.changed[at(p)] | motion_.changed[at(q)] | motion_.changed[at(r)])) return;
        triangle_boxes_[t] = joined(joined(vertex_boxes_[at(p)], vertex_boxes_[at(q)]), vertex_boxes_[at(r)]);
        swept_[t] = swept(triangle_boxes_[t]);
    });
}

void BroadPhase::collect_tasks(bool cloth_on_cloth) const {
    tasks_.clear();
    const int body_count = static_cast<int>(trees_.size());
    for (int a = 0; a < body_count; ++a)
        for (int b = a; b < body_count; ++b) {
            if (!compared(a, b, cloth_on_cloth)) continue;
            cut_into_tasks(trees_[at(a)], trees_[at(b)], kTasks, cut_);
            for (NodePair nodes : cut_) tasks_.push_back({a, b, nodes});
        }
}

// The vertices of leaf a against the triangles of leaf b.
template <bool kMarked>
void BroadPhase::vertices_on_faces(const Task& task, int leaf_a, int leaf_b, Found& found) const {
    const MovingBox& box_b = leaves_[at(task.body_b)].boxes[at(leaf_b)];
    const bool all = !kMarked || marks_.node[at(task.body_b)][at(leaf_b)] != 0;
    const auto faces = leaves_[at(task.body_b)].triangles.of(leaf_b);
    for (const BoxBatch& vertices : leaves_[at(task.body_a)].vertices.of(leaf_a))
        for_each_bit(overlaps(vertices, box_b), [&](int k) {
            const int v = vertices.id[k];
            const bool marked = !kMarked || marks_.vertex[at(v)] != 0;
            if (!marked && !all) return;
            for (const BoxBatch& triangles : faces)
                for_each_bit(overlaps(triangles, vertex_boxes_[at(v)]), [&](int m) {
                    const int t = triangles.id[m];
                    if (!marked && marks_.triangle[at(t)] == 0) return;
                    if (!has_vertex(surface_.triangles[at(t)], v)) found.vertex_face.push_back(packed(v, t));
                });
        });
}

// All pairs between two leaves, or within one.
template <bool kMarked>
void BroadPhase::compare(const Task& task, int leaf_a, int leaf_b, Found& found) const {
    const bool same = task.body_a == task.body_b && leaf_a == leaf_b;
    vertices_on_faces<kMarked>(task, leaf_a, leaf_b, found);
    if (!same) vertices_on_faces<kMarked>({task.body_b, task.body_a, {}}, leaf_b, leaf_a, found);

    const MovingBox& box_b = leaves_[at(task.body_b)].boxes[at(leaf_b)];
    const bool all = !kMarked || marks_.node[at(task.body_b)][at(leaf_b)] != 0;
    const auto edges_a = leaves_[at(task.body_a)].edges.of(leaf_a);
    const auto edges_b = leaves_[at(task.body_b)].edges.of(leaf_b);
    for (std::size_t i = 0; i < edges_a.size(); ++i)
        for_each_bit(overlaps(edges_a[i], box_b), [&](int k) {
            const int e = edges_a[i].id[k];
            const bool marked = !kMarked || marks_.edge[at(e)] != 0;
            if (!marked && !all) return;
            const std::array<int, 2> ends = surface_.edges[at(e)];
            for (std::size_t j = same ? i : 0; j < edges_b.size(); ++j) {
                unsigned found_lanes = overlaps(edges_b[j], edge_boxes_[at(e)]);
                if (same && i == j) found_lanes &= ~0u << (k + 1);  // each two edges once
                for_each_bit(found_lanes, [&](int m) {
                    const int f = edges_b[j].id[m];
                    if (!marked && marks_.edge[at(f)] == 0) return;
                    if (!share_vertex(ends, surface_.edges[at(f)]))
                        found.edge_edge.push_back(packed(std::min(e, f), std::max(e, f)));
                });
            }
        });
}

template <class Visit, class Enter>
void BroadPhase::visit_tasks(const Threads& threads, const ProximityFilter* filter, Visit&& visit,
                             Enter&& enter) const {
    if (found_.size() < tasks_.size()) found_.resize(tasks_.size());
    threads.for_each(tasks_.size(), 1, [&](std::size_t i) {
        const Task& task = tasks_[i];
        Found& found = found_[i];
        found.vertex_face.clear();
        found.edge_edge.clear();
        visit_leaves(
            trees_[at(task.body_a)], trees_[at(task.body_b)], task.nodes,
            [&](int leaf_a, int leaf_b) {
                if (overlap(leaves_[at(task.body_a)].boxes[at(leaf_a)],
                            leaves_[at(task.body_b)].boxes[at(leaf_b)]))
                    visit(task, leaf_a, leaf_b, found);
            },
            [&](int a, int b) { return enter(task, a, b); });
        if (!filter) return;
        keep_near(*filter, PairKind::vertex_face, found.vertex_face);
        keep_near(*filter, PairKind::edge_edge, found.edge_edge);
    });
}

void BroadPhase::find_pairs(const Threads& threads, std::vector<ContactPair>& pairs, bool cloth_on_cloth,
                            const ProximityFilter* filter) const {
    collect_tasks(cloth_on_cloth);
    for (std::size_t i = 0; filter && cloth_on_cloth && i < patches_.size(); ++i)
        if (active_[i]) patches_[i].update(threads, *filter, filter->within[i]);
    const auto skip = [&](const Task& task, int leaf_a, int leaf_b) {
        return filter && task.body_a == task.body_b && at(task.body_a) < patches_.size() &&
               patches_[at(task.body_a)].apart(leaf_a, leaf_b);
    };
    visit_tasks(
        threads, filter,
        [&](const Task& task, int leaf_a, int leaf_b, Found& found) {
            if (!skip(task, leaf_a, leaf_b)) compare<false>(task, leaf_a, leaf_b, found);
        },
        [](const Task&, int, int) { return true; });
    sort_found(threads, pairs);
}

// These vertices, their edges and triangles, and the nodes above those.
void BroadPhase::mark(std::span<const int> vertices) const {
    marks_.vertex.assign(vertex_boxes_.size(), 0);
    marks_.edge.assign(edge_boxes_.size(), 0);
    marks_.triangle.assign(triangle_boxes_.size(), 0);
    for (int v : vertices) {
        marks_.vertex[at(v)] = 1;
        for (int t : surface_.triangles_around(v)) {
            marks_.triangle[at(t)] = 1;
            for (int e : surface_.triangle_edges[at(t)])
                if (has_vertex(surface_.edges[at(e)], v)) marks_.edge[at(e)] = 1;
        }
    }
    marks_.node.resize(trees_.size());
    for (std::size_t body = 0; body < trees_.size(); ++body) {
        const Bvh& tree = trees_[body];
        std::vector<std::uint8_t>& node = marks_.node[body];
        node.assign(at(tree.node_count()), 0);
        const int first = surface_.bodies[body].triangle_begin;
        for (int i = tree.node_count() - 1; i >= 0; --i) {
            const int second = tree.node(i).second;
            if (second != 0) node[at(i)] = node[at(i + 1)] | node[at(second)];
            for (int slot = tree.node(i).begin; second == 0 && slot < tree.leaf_end(i); ++slot)
                node[at(i)] |= marks_.triangle[at(first + tree.item(slot))];
        }
    }
}

// The vertex, its edges and its triangles against everything of a body.
void BroadPhase::find_with(int vertex, int body, Found& found) const {
    const Bvh& tree = trees_[at(body)];
    const LeafBatches& leaves = leaves_[at(body)];
    const std::span<const int> star = surface_.triangles_around(vertex);
    MovingBox around;
    for (int t : star) around = joined(around, triangle_boxes_[at(t)]);
    const Box whole = swept(around);
    for (int node = 0; node < tree.node_count();) {
        const bool leaf = tree.node(node).second == 0;
        if (!overlap(tree.node(node).box, whole) || (leaf && !overlap(leaves.boxes[at(node)], around))) {
            node = tree.after(node);
            continue;
        }
        if (!leaf) {
            ++node;
            continue;
        }
        for (const BoxBatch& batch : leaves.triangles.of(node))
            for_each_bit(overlaps(batch, vertex_boxes_[at(vertex)]), [&](int k) {
                if (!has_vertex(surface_.triangles[at(batch.id[k])], vertex))
                    found.vertex_face.push_back(packed(vertex, batch.id[k]));
            });
        for (int t : star) {
            for (const BoxBatch& batch : leaves.vertices.of(node))
                for_each_bit(overlaps(batch, triangle_boxes_[at(t)]), [&](int k) {
                    if (!has_vertex(surface_.triangles[at(t)], batch.id[k]))
                        found.vertex_face.push_back(packed(batch.id[k], t));
                });
            for (int e : surface_.triangle_edges[at(t)]) {
                const std::array<int, 2> ends = surface_.edges[at(e)];
                if (!has_vertex(ends, vertex)) continue;
                for (const BoxBatch& batch : leaves.edges.of(node))
                    for_each_bit(overlaps(batch, edge_boxes_[at(e)]), [&](int k) {
                        const int f = batch.id[k];
                        if (!share_vertex(ends, surface_.edges[at(f)]))
                            found.edge_edge.push_back(packed(std::min(e, f), std::max(e, f)));
                    });
            }
        }
        node = tree.after(node);
    }
}

// Star by star: what two of the vertices share is found several times.
void BroadPhase::find_pairs_of_few(const Threads& threads, std::span<const int> vertices,
                                   std::vector<ContactPair>& pairs, bool cloth_on_cloth,
                                   const ProximityFilter& filter) const {
    constexpr std::size_t kFew = 8;  // vertices a piece
    const std::size_t pieces = (vertices.size() + kFew - 1) / kFew;
    if (found_.size() < pieces) found_.resize(pieces);
    threads.for_pieces(vertices.size(), kFew, [&](std::size_t begin, std::size_t end) {
        Found& found = found_[begin / kFew];
        found.vertex_face.clear();
        found.edge_edge.clear();
        for (int v : vertices.subspan(begin, end - begin))
            for (int b = 0; b < static_cast<int>(trees_.size()); ++b)
                if (compared(surface_.body_of_vertex[at(v)], b, cloth_on_cloth)) find_with(v, b, found);
        keep_near(filter, PairKind::vertex_face, found.vertex_face);
        keep_near(filter, PairKind::edge_edge, found.edge_edge);
    });
    pairs.clear();
    for (std::size_t i = 0; i < pieces; ++i) {
        for (std::uint64_t p : found_[i].vertex_face)
            pairs.push_back({PairKind::vertex_face, high(p), low(p)});
        for (std::uint64_t p : found_[i].edge_edge) pairs.push_back({PairKind::edge_edge, high(p), low(p)});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void BroadPhase::find_pairs_with(const Threads& threads, std::span<const int> vertices,
                                 std::vector<ContactPair>& pairs, bool cloth_on_cloth,
                                 const ProximityFilter& filter) const {
    if (vertices.size() * kFewShare <= vertex_boxes_.size())
        return find_pairs_of_few(threads, vertices, pairs, cloth_on_cloth, filter);
    mark(vertices);
    collect_tasks(cloth_on_cloth);
    const auto marked = [&](const Task& task, int a, int b) {
        return (marks_.node[at(task.body_a)][at(a)] | marks_.node[at(task.body_b)][at(b)]) != 0;
    };
    visit_tasks(
        threads, &filter,
        [&](const Task& task, int leaf_a, int leaf_b, Found& found) {
            compare<true>(task, leaf_a, leaf_b, found);
        },
        marked);
    sort_found(threads, pairs);
}

// All tasks' pairs into one ascending list, by counting: how many has each a, where do they begin, put their
// b there, sort the few b of each a.
void BroadPhase::sort_found(const Threads& threads, std::vector<ContactPair>& pairs) const {
    const auto list = [&](std::size_t kind, std::size_t task) -> const std::vector<std::uint64_t>& {
        return kind == 0 ? found_[task].vertex_face : found_[task].edge_edge;
    };
    threads.for_each(2, 1, [&](std::size_t kind) {
        std::vector<int>& end = bucket_end_[kind];
        end.assign((kind == 0 ? vertex_boxes_.size() : edge_boxes_.size()) + 1, 0);
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            for (std::uint64_t p : list(kind, i)) ++end[at(high(p)) + 1];
        std::partial_sum(end.begin(), end.end(), end.begin());
        bucket_[kind].resize(at(end.back()));
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            for (std::uint64_t p : list(kind, i)) bucket_[kind][at(end[at(high(p))]++)] = low(p);
    });  // end[a] has moved from the beginning of a's bucket to its end
    const std::size_t first_edge_pair = bucket_[0].size();
    pairs.resize(first_edge_pair + bucket_[1].size());
    for (std::size_t kind = 0; kind < 2; ++kind)
        threads.for_each(bucket_end_[kind].size() - 1, kGrain, [&, kind](std::size_t a) {
            const int begin = a == 0 ? 0 : bucket_end_[kind][a - 1], end = bucket_end_[kind][a];
            std::sort(bucket_[kind].begin() + begin, bucket_[kind].begin() + end);
            ContactPair* out = pairs.data() + (kind == 0 ? 0 : first_edge_pair);
            for (int i = begin; i < end; ++i)
                out[i] = {static_cast<PairKind>(kind), static_cast<int>(a), bucket_[kind][at(i)]};
        });
}

}  // namespace rumple::contact
