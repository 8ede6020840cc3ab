#include <rumple/contact/penetration.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/intersections.hpp>

namespace rumple {

namespace {

constexpr double kDown = 1 - 1e-12;  // rounding of a squared distance
constexpr double kDeepest = 0.1;     // m: cloth further behind a surface than this is not taken to be inside

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Penetration::Penetration(const Surface& surface) : surface_(surface), cloth_vertices_(0) {
    for (const SurfaceBody& body : surface.bodies)
        if (body.kind == BodyKind::cloth) cloth_vertices_ = std::max(cloth_vertices_, body.vertex_end);
    for (std::size_t b = 0; b < surface.bodies.size(); ++b)
        if (const SurfaceBody& body = surface.bodies[b]; body.kind != BodyKind::cloth)
            obstacles_.push_back({b, Bvh(body.triangle_end - body.triangle_begin)});
}

Vec3d Penetration::face_normal(int triangle) const {
    const auto& x = x_;
    const auto& v = surface_.triangles[at(triangle)];
    const Vec3d n = cross(x[at(v[1])] - x[at(v[0])], x[at(v[2])] - x[at(v[0])]);
    const double length = norm(n);
    return length > 0 ? (1 / length) * n : Vec3d{};
}

// Volume enclosed by the obstacle's faces as they are turned, about its first vertex.
bool Penetration::turned_in(std::size_t body) const {
    const auto& x = x_;
    const SurfaceBody& b = surface_.bodies[body];
    const Vec3d origin = x[at(b.vertex_begin)];
    double volume = 0, size = 0;
    for (int t = b.triangle_begin; t < b.triangle_end; ++t) {
        const auto& v = surface_.triangles[at(t)];
        const Vec3d p = x[at(v[0])] - origin, q = x[at(v[1])] - origin, r = x[at(v[2])] - origin;
        const double part = dot(p, cross(q, r));
        volume += part;
        size += std::abs(part);
    }
    return volume < -1e-9 * size;
}

Vec3d Penetration::outward_normal(int triangle, const Closest& closest) const {
    const auto& x = x_;
    const auto& v = surface_.triangles[at(triangle)];
    const auto [corners, corner, missing] = place_on_face(closest);
    if (corners == 3) return face_normal(triangle);
    Vec3d sum;
    if (corners == 2) {
        for (int t :
             surface_.edge_triangles[at(surface_.triangle_edges[at(triangle)][at((missing + 1) % 3)])])
            if (t >= 0) sum += face_normal(t);
        return sum;
    }
    const int vertex = v[at(corner)];
    for (int t : surface_.triangles_around(vertex)) {
        const auto& w = surface_.triangles[at(t)];
        Vec3d side[2];
        int n = 0;
        for (int i : w)
            if (i != vertex && n < 2) side[n++] = x[at(i)] - x[at(vertex)];
        const double angle = std::atan2(norm(cross(side[0], side[1])), dot(side[0], side[1]));
        sum += angle * face_normal(t);
    }
    return sum;
}

void Penetration::place(const Threads& threads, std::span<const Vec3d> x,
                        std::span<const std::uint8_t> active) {
    x_ = x;
    active_.assign(active.begin(), active.end());
    std::vector<Box> boxes;
    for (Obstacle& obstacle : obstacles_) {
        const SurfaceBody& body = surface_.bodies[obstacle.body];
        if (!active[obstacle.body] || (obstacle.placed && !body.moves)) continue;
        boxes.resize(at(body.triangle_end - body.triangle_begin));
        threads.for_each(boxes.size(), 1024, [&](std::size_t i) {
            const auto& v = surface_.triangles[at(body.triangle_begin) + i];
            boxes[i] =
                joined(box_around(x[at(v[0])], x[at(v[1])], 0), box_around(x[at(v[2])], x[at(v[2])], 0));
        });
        if (obstacle.tree.arranged()) obstacle.tree.refit(threads, boxes);
        if (!obstacle.tree.arranged() || obstacle.tree.degraded()) obstacle.tree.arrange(threads, boxes);
        obstacle.inside_out = turned_in(obstacle.body);
        obstacle.placed = true;
    }
}

void Penetration::nearest_of(const Obstacle& obstacle, Vec3d p, double reach, NearestFace& best) const {
    const auto squared = [&](const Box& box) {  // distance, from below
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
            const double off = std::max({0.0, double{box.lo[i]} - p[i], p[i] - double{box.hi[i]}});
            sum += off * off;
        }
        return kDown * sum;
    };
    const Bvh& tree = obstacle.tree;
    const int first = surface_.bodies[obstacle.body].triangle_begin;
    const auto limit = [&] { return best.triangle < 0 ? reach : best.closest.distance; };
    int stack[64], top = 0;
    if (!tree.empty()) stack[top++] = 0;
    while (top > 0) {
        const int node = stack[--top];
        if (squared(tree.node(node).box) > limit() * limit()) continue;
        if (const int second = tree.node(node).second; second != 0) {
            const bool nearer = squared(tree.node(second).box) < squared(tree.node(node + 1).box);
            stack[top++] = nearer ? node + 1 : second;
            stack[top++] = nearer ? second : node + 1;
            continue;
        }
        for (int slot = tree.node(node).begin; slot < tree.leaf_end(node); ++slot) {
            if (squared(tree.item_box(slot)) > limit() * limit()) continue;
            const int t = first + tree.item(slot);
            const auto& v = surface_.triangles[at(t)];
            const Vec3d q[4] = {p, x_[at(v[0])], x_[at(v[1])], x_[at(v[2])]};
            const Closest c = closest_vertex_face(q);
            const bool better =
                c.distance < limit() || (best.triangle >= 0 && c.distance == limit() && t < best.triangle);
            if (!better) continue;
            best.triangle = t;
            best.closest = c;
        }
    }
}

NearestFace Penetration::nearest(int vertex, double reach) const {
    NearestFace best;
    bool inside_out = false;
    for (const Obstacle& obstacle : obstacles_) {
        if (!active_[obstacle.body]) continue;
        const int before = best.triangle;
        nearest_of(obstacle, x_[at(vertex)], reach, best);
        if (best.triangle != before) inside_out = obstacle.inside_out;
    }
    if (best.triangle < 0) return best;
    Vec3d normal = outward_normal(best.triangle, best.closest);
    if (inside_out) normal = -normal;
    const bool behind = dot(normal, best.closest.separation) < 0;
    const double distance = best.closest.distance, length = norm(normal);
    best.height = behind ? -distance : distance;
    if (distance > 0)
        best.outward = ((behind ? -1.0 : 1.0) / distance) * best.closest.separation;
    else if (length > 0)
        best.outward = (1 / length) * normal;
    return best;
}

std::vector<int> Penetration::find(const Threads& threads) const {
    std::vector<std::uint8_t> exempt(at(cloth_vertices_), 0);
    std::vector<int> front;
    for (const auto& [a, b] : intersecting_triangles(threads, surface_, x_, active_)) {
        const auto& v = surface_.triangles[at(a)];  // the lower one is cloth
        if (surface_.triangles[at(b)][0] < cloth_vertices_) continue;
        for (int i : v)
            if (!exempt[at(i)]) {
                exempt[at(i)] = 1;
                front.push_back(i);
            }
    }
    // from those behind a surface on to their neighbours behind it
    while (!front.empty()) {
        std::vector<std::uint8_t> behind(front.size());
        threads.for_each(front.size(), 16,
                         [&](std::size_t k) { behind[k] = nearest(front[k], kDeepest).height < 0; });
        std::vector<int> next;
        for (std::size_t k = 0; k < front.size(); ++k) {
            if (!behind[k]) {
                if (exempt[at(front[k])] == 2) exempt[at(front[k])] = 0;
                continue;
            }
            for (int t : surface_.triangles_around(front[k]))
                for (int w : surface_.triangles[at(t)]) {
                    if (exempt[at(w)]) continue;
                    exempt[at(w)] = 2;  // if it turns out to be behind
                    next.push_back(w);
                }
        }
        front.swap(next);
    }
    std::vector<int> found;
    for (int v = 0; v < cloth_vertices_; ++v)
        if (exempt[at(v)]) found.push_back(v);
    return found;
}

}  // namespace rumple
