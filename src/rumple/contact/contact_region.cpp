#include <rumple/contact/contact_region.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>
#include <cmath>

namespace rumple::contact {

namespace {

constexpr double kOver = 1e-6;     // sine from which on a direction leans over a face, rounding or not
constexpr double kEndShare = 0.1;  // of an edge, at each end: where its contacts fade
// Sine of the angle by which a direction may lean over a face: edges count fully below the first, and not at
// all beyond the second.
constexpr double kNearlyParallel = 1e-3;  // squared sine below which edges leave the pushing to their ends
constexpr double kLeanFull = 0.02, kLeanNone = 0.15;

bool leans_over(Vec3d inward, Vec3d away) { return dot(inward, away) > kOver * norm(inward) * norm(away); }

}  // namespace

double ContactRegion::weight(ContactPair pair, const Closest& closest, std::span<const Vec3d> x) const {
    if (pair.kind == PairKind::vertex_face) return face_weight(pair.b, closest, x);
    const double s = closest.weight[1], t = -closest.weight[3];
    const double from_end = std::min({s, 1 - s, t, 1 - t}) / kEndShare;
    if (!(from_end > 0)) return 0;
    const auto [p, q] = surface_.edges[at(pair.a)];
    const auto [r, o] = surface_.edges[at(pair.b)];
    const Vec3d u = x[at(q)] - x[at(p)], w = x[at(o)] - x[at(r)], n = cross(u, w);
    const double crossing = std::min(1.0, dot(n, n) / (dot(u, u) * dot(w, w)) / kNearlyParallel);
    const Vec3d away = (1 / closest.distance) * closest.separation;
    return std::min(1.0, from_end) * crossing * (2 - crossing) * edge_weight(pair.a, -away, x) *
           edge_weight(pair.b, away, x);
}

// `outward`: unit, from the edge to what is near it.
double ContactRegion::edge_weight(int edge, Vec3d outward, std::span<const Vec3d> x) const {
    const auto [p, q] = surface_.edges[at(edge)];
    const Vec3d along = x[at(q)] - x[at(p)];
    double lean = 0;
    for (int t : surface_.edge_triangles[at(edge)]) {
        if (t < 0) continue;
        const auto& v = surface_.triangles[at(t)];
        const int apex = v[0] + v[1] + v[2] - p - q;
        Vec3d inward = x[at(apex)] - x[at(p)];
        inward -= (dot(inward, along) / dot(along, along)) * along;
        const double length = norm(inward);
        if (length > 0) lean = std::max(lean, dot(inward, outward) / length);
    }
    return std::clamp((kLeanNone - lean) / (kLeanNone - kLeanFull), 0.0, 1.0);
}

double ContactRegion::face_weight(int triangle, const Closest& closest, std::span<const Vec3d> x) const {
    const auto& v = surface_.triangles[at(triangle)];
    const auto [corners, corner, missing] = place_on_face(closest);
    if (corners == 3) return 1;
    const Vec3d away = closest.separation;
    if (corners == 2) {  // on the edge opposite to `missing`
        const int edge = surface_.triangle_edges[at(triangle)][at((missing + 1) % 3)];
        for (int t : surface_.edge_triangles[at(edge)]) {
            if (t < 0 || t == triangle) continue;
            const auto [p, q] = surface_.edges[at(edge)];
            const auto& w = surface_.triangles[at(t)];
            const Vec3d along = x[at(q)] - x[at(p)];
            Vec3d inward = x[at(w[0] + w[1] + w[2] - p - q)] - x[at(p)];
            inward -= (dot(inward, along) / dot(along, along)) * along;
            if (leans_over(inward, away)) return 0;  // it is over that one
            if (t < triangle) return 0;              // the other one stands for the edge
        }
        return 1;
    }
    const int vertex = v[at(corner)];
    for (int t : surface_.triangles_around(vertex)) {
        for (int w : surface_.triangles[at(t)])
            if (w != vertex && leans_over(x[at(w)] - x[at(vertex)], away)) return 0;
        if (t < triangle) return 0;
    }
    return 1;
}

}  // namespace rumple::contact
