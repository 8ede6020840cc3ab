// Cloths and obstacles for the tests of contact in a step, without a scene.
#pragma once

#include <deque>
#include <rumple/contact/intersections.hpp>

#include "sample_cloth.hpp"
#include "solids.hpp"

namespace rumple {

inline ObstaclePart obstacle_of(test::Solid solid) {
    ObstaclePart part;
    part.vertices = std::move(solid.vertices);
    part.triangles = std::move(solid.triangles);
    return part;
}

// A square of two triangles in z = 0.
inline ObstaclePart floor_part(double half = 1) {
    ObstaclePart part;
    part.vertices = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
    part.triangles = {{0, 1, 2}, {0, 2, 3}};
    return part;
}

inline TriMesh moved(TriMesh mesh, Vec3d by, const Mat3d& turn = Mat3d::identity()) {
    for (Vec3d& p : mesh.positions) p = turn * p + by;
    return mesh;
}

// Several cloths of one material with what they may touch.
struct ContactCloths {
    std::vector<TriMesh> meshes;
    Material material;
    std::deque<RestShape> rests;
    Model model;
    contact::Surface surface;
    std::vector<std::uint8_t> active;

    ContactCloths(std::vector<TriMesh> m, Material mat, std::vector<ObstaclePart> obstacles,
                  ContactSettings settings = {})
        : meshes(std::move(m)), material(std::move(mat)) {
        std::vector<ClothPart> parts;
        std::vector<contact::BodyMesh> bodies;
        for (const TriMesh& mesh : meshes) {
            rests.push_back(make_rest_shape(mesh, {}, "sample"));
            parts.push_back({&mesh, &rests.back(), &material});
            bodies.push_back(
                {contact::BodyKind::cloth, static_cast<int>(mesh.positions.size()), mesh.triangles, true});
        }
        for (const ObstaclePart& o : obstacles)
            bodies.push_back({o.mass > 0 ? contact::BodyKind::rigid_body : contact::BodyKind::obstacle,
                              static_cast<int>(o.vertices.size()), o.triangles, true});
        surface = contact::make_surface(bodies);
        active.assign(bodies.size(), 1);
        model = make_model(parts, settings, std::move(obstacles));
    }
    State at_rest() const { return make_state(model, model.initial); }

    std::vector<Vec3d> given() const {  // obstacles where they begin
        std::vector<Vec3d> all;
        for (const ObstaclePart& o : model.contact.obstacles)
            all.insert(all.end(), o.vertices.begin(), o.vertices.end());
        return all;
    }
    // Pairs of triangles that intersect: of cloth with cloth, and of cloth with obstacles.
    struct Crossings {
        int cloth = 0, obstacles = 0;
    };
    Crossings crossings(const State& state, std::span<const Vec3d> obstacles) const {
        std::vector<Vec3d> x = state.x;
        x.insert(x.end(), obstacles.begin(), obstacles.end());
        Crossings found;
        for (const auto& [a, b] : contact::intersecting_triangles(Threads(1), surface, x, active))
            ++(b < model.triangle_count() ? found.cloth : found.obstacles);
        return found;
    }
};

inline double largest_difference(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double largest = 0;
    for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, norm(a[v] - b[v]));
    return largest;
}

inline Vec3d mean_of(std::span<const Vec3d> a) {
    Vec3d sum;
    for (const Vec3d& p : a) sum += p;
    return (1 / static_cast<double>(a.size())) * sum;
}

}  // namespace rumple
