#include <rumple/contact/penetration.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/contact/triangle_overlap.hpp>

namespace rumple::contact {

namespace {

constexpr double kDown = 1 - 1e-12;  // rounding of a squared distance

Box box_of(const std::array<Vec3d, 3>& t) {
    return joined(box_around(t[0], t[1], 0), box_around(t[2], t[2], 0));
}

Vec3d face_normal(const Surface& surface, std::span<const Vec3d> x, int triangle) {
    const auto& v = surface.triangles[at(triangle)];
    const Vec3d n = cross(x[at(v[1])] - x[at(v[0])], x[at(v[2])] - x[at(v[0])]);
    const double length = norm(n);
    return length > 0 ? (1 / length) * n : Vec3d{};
}

Vec3d edge_normal(const Surface& surface, std::span<const Vec3d> x, int edge) {
    Vec3d sum;
    for (int t : surface.edge_triangles[at(edge)])
        if (t >= 0) sum += face_normal(surface, x, t);
    return sum;
}

// Weighted by angles: a point near the vertex is behind the surface where it is behind this normal.
Vec3d vertex_normal(const Surface& surface, std::span<const Vec3d> x, int vertex) {
    Vec3d sum;
    for (int t : surface.triangles_around(vertex)) {
        Vec3d side[2];
        int n = 0;
        for (int i : surface.triangles[at(t)])
            if (i != vertex && n < 2) side[n++] = x[at(i)] - x[at(vertex)];
        const double angle = std::atan2(norm(cross(side[0], side[1])), dot(side[0], side[1]));
        sum += angle * face_normal(surface, x, t);
    }
    return sum;
}

// Where the sides of one triangle go through the other.
void add_crossings(const std::array<Vec3d, 3>& sides, const std::array<Vec3d, 3>& face,
                   std::vector<Vec3d>& points) {
    const Vec3d normal = cross(face[1] - face[0], face[2] - face[0]);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d p = sides[i], q = sides[(i + 1) % 3];
        if (!segment_meets_triangle(p, q, face.data())) continue;
        const double a = dot(normal, p - face[0]), b = dot(normal, q - face[0]);
        points.push_back(a != b ? p + std::clamp(a / (a - b), 0.0, 1.0) * (q - p) : 0.5 * (p + q));
    }
}

}  // namespace

Penetration::Penetration(const Surface& surface) : surface_(surface), cloth_vertices_(0) {
    for (const SurfaceBody& body : surface.bodies)
        if (body.kind == BodyKind::cloth) cloth_vertices_ = std::max(cloth_vertices_, body.vertex_end);
    for (std::size_t b = 0; b < surface.bodies.size(); ++b)
        if (const SurfaceBody& body = surface.bodies[b]; body.kind != BodyKind::cloth)
            obstacles_.push_back({b, Bvh(body.triangle_end - body.triangle_begin)});
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

Vec3d Penetration::normal_at(int triangle, const Closest& closest, std::span<const Vec3d> x) const {
    const auto [corners, corner, missing] = place_on_face(closest);
    if (corners == 3) return face_normal(surface_, x, triangle);
    if (corners == 1) return vertex_normal(surface_, x, surface_.triangles[at(triangle)][at(corner)]);
    return edge_normal(surface_, x, surface_.triangle_edges[at(triangle)][at((missing + 1) % 3)]);
}

Vec3d Penetration::obstacle_normal(ContactPair pair, const Closest& closest, std::span<const Vec3d> x) const {
    Vec3d normal;
    int body = 0;
    if (pair.kind == PairKind::edge_edge) {  // the later body's
        normal = edge_normal(surface_, x, pair.b);
        body = surface_.body_of_edge[at(pair.b)];
    } else if (pair.a >= cloth_vertices_) {
        normal = vertex_normal(surface_, x, pair.a);
        body = surface_.body_of_vertex[at(pair.a)];
    } else {
        normal = normal_at(pair.b, closest, x);
        body = surface_.body_of_triangle[at(pair.b)];
    }
    for (const Obstacle& obstacle : obstacles_)
        if (static_cast<int>(obstacle.body) == body) return obstacle.inside_out ? -normal : normal;
    return {};
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
            boxes[i] = box_of(corners(body.triangle_begin + static_cast<int>(i)));
        });
        if (obstacle.tree.built()) obstacle.tree.refit(threads, boxes);
        if (!obstacle.tree.built() || obstacle.tree.degraded()) obstacle.tree.build(threads, boxes);
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

NearestFace Penetration::nearest_to(Vec3d p, double reach) const {
    NearestFace best;
    bool inside_out = false;
    for (const Obstacle& obstacle : obstacles_) {
        if (!active_[obstacle.body]) continue;
        const int before = best.triangle;
        nearest_of(obstacle, p, reach, best);
        if (best.triangle != before) inside_out = obstacle.inside_out;
    }
    if (best.triangle < 0) return best;
    Vec3d normal = normal_at(best.triangle, best.closest, x_);
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

std::array<Vec3d, 3> Penetration::corners(int triangle) const {
    const auto& v = surface_.triangles[at(triangle)];
    return {x_[at(v[0])], x_[at(v[1])], x_[at(v[2])]};
}

template <class Visit>
void Penetration::visit_meeting(int triangle, Visit&& visit) const {
    const std::array<Vec3d, 3> cloth = corners(triangle);
    const Box box = box_of(cloth);
    for (const Obstacle& obstacle : obstacles_) {
        if (!active_[obstacle.body]) continue;
        const Bvh& tree = obstacle.tree;
        for (int node = 0; node < tree.node_count();) {
            if (!overlap(tree.node(node).box, box)) {
                node = tree.after(node);
                continue;
            }
            if (tree.node(node).second == 0)
                for (int slot = tree.node(node).begin; slot < tree.leaf_end(node); ++slot) {
                    const int t = surface_.bodies[obstacle.body].triangle_begin + tree.item(slot);
                    if (overlap(tree.item_box(slot), box) &&
                        triangles_meet(cloth.data(), corners(t).data()) && !visit(t))
                        return;
                }
            ++node;
        }
    }
}

// The places where the two surfaces cross surround what is inside, so that their middle is inside, too. Where
// it is not (two spikes through one triangle), one of those places stands for what is near it.
PiercedPoint Penetration::pierced(int triangle, double reach) const {
    PiercedPoint deepest;
    std::vector<Vec3d> points;
    const std::array<Vec3d, 3> cloth = corners(triangle);
    visit_meeting(triangle, [&](int t) {
        add_crossings(cloth, corners(t), points);
        add_crossings(corners(t), cloth, points);
        return true;
    });
    if (points.empty()) return deepest;
    Vec3d middle;
    for (Vec3d p : points) middle += (1.0 / static_cast<double>(points.size())) * p;
    Vec3d point = middle;
    deepest.face = nearest_to(point, reach);
    if (!(deepest.face.height < 0)) {
        point = points.front();
        deepest.face = nearest_to(point, reach);
    }
    const Vec3d place[4] = {point, cloth[0], cloth[1], cloth[2]};
    const Closest on_cloth = closest_vertex_face(place);
    for (int i = 0; i < 3; ++i) deepest.weight[i] = -on_cloth.weight[i + 1];
    return deepest;
}

std::vector<int> Penetration::find(const Threads& threads) const {
    std::vector<std::uint8_t> penetrating(at(cloth_vertices_), 0);
    std::vector<int> front;
    int cloth_triangles = 0;
    for (const SurfaceBody& body : surface_.bodies)
        if (body.kind == BodyKind::cloth) cloth_triangles = std::max(cloth_triangles, body.triangle_end);
    std::vector<std::uint8_t> cuts(at(cloth_triangles), 0);
    threads.for_each(cuts.size(), 64, [&](std::size_t t) {
        visit_meeting(static_cast<int>(t), [&](int) {
            cuts[t] = 1;
            return false;
        });
    });
    for (std::size_t t = 0; t < cuts.size(); ++t) {
        if (!cuts[t]) continue;
        for (int i : surface_.triangles[t])
            if (!penetrating[at(i)]) {
                penetrating[at(i)] = 1;
                front.push_back(i);
            }
    }
    // from those behind a surface on to their neighbours behind it
    while (!front.empty()) {
        std::vector<std::uint8_t> behind(front.size());
        threads.for_each(front.size(), 16, [&](std::size_t k) {
            behind[k] = nearest(front[k], kContactTuning.max_depth).height < 0;
        });
        std::vector<int> next;
        for (std::size_t k = 0; k < front.size(); ++k) {
            if (!behind[k]) {
                if (penetrating[at(front[k])] == 2) penetrating[at(front[k])] = 0;
                continue;
            }
            for (int t : surface_.triangles_around(front[k]))
                for (int w : surface_.triangles[at(t)]) {
                    if (penetrating[at(w)]) continue;
                    penetrating[at(w)] = 2;  // if it turns out to be behind
                    next.push_back(w);
                }
        }
        front.swap(next);
    }
    std::vector<int> found;
    for (int v = 0; v < cloth_vertices_; ++v)
        if (penetrating[at(v)]) found.push_back(v);
    return found;
}

}  // namespace rumple::contact
