#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/modeling/cut.hpp>
#include <rumple/modeling/grid_field.hpp>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/remesh.hpp>

namespace rumple {

namespace {

constexpr double kCell = 0.010;        // m; narrower passages than this are closed
constexpr double kBand = 0.03;         // m, within which the body's distance matters
constexpr double kFillet = 0.008;      // m, between the garment's shape and the body's clearance
constexpr double kLongestMove = 0.01;  // m
constexpr double kDifference = 1e-3;   // m, of the field's gradients

// The box grown so that its middle in x lies on the grid and cells are cubes.
Bounds fitted(const Bounds& box) {
    Bounds out = box;
    for (int k = 0; k < 3; ++k) {
        const double centre = (box.low[k] + box.high[k]) / 2;
        const double half = std::ceil((box.high[k] - box.low[k]) / 2 / kCell) * kCell;
        out.low[k] = centre - half;
        out.high[k] = centre + half;
    }
    return out;
}

}  // namespace

TriMesh cut_cloth(const ScalarField& shape, const ScalarField& keep, const MeshDistance& body,
                  const CutOptions& options) {
    const Bounds box = fitted(options.box);
    const auto wanted = [&](Vec3d p) {
        const double f = shape(p);
        if (f < -kBand || (f > kBand && !options.follow)) return f;
        return smooth_min(f, body(p, kBand) - options.clearance, kFillet);
    };
    const GridField sampled(wanted, box, kCell);
    const ScalarField field = [&](Vec3d p) { return sampled(p); };
    RemeshOptions remesh_options;
    remesh_options.edge_length = options.edge_length;
    remesh_options.rounds = 10;
    remesh_options.project = [&](Vec3d p, bool on_border) {
        const Vec3d to =
            on_border ? project_to_zero(field, keep, p, kDifference) : project_to_zero(field, p, kDifference);
        // Where surface and cut are nearly tangent Newton's method may run away: then the point stays.
        return norm(to - p) < kLongestMove ? to : p;
    };
    return remesh(largest_piece(clip_mesh(isosurface(field, box, kCell), keep)), remesh_options);
}

Garment cut_garment(const ScalarField& shape, const ScalarField& keep,
                    const std::function<WeaveFrame(Vec3d)>& weave, const TriMesh& body,
                    const CutOptions& options) {
    const MeshDistance distance(body.positions, body.triangles);
    Garment garment;
    garment.mesh = cut_cloth(shape, keep, distance, options);
    lay_out(garment.mesh, weave);
    return garment;
}

void require_in_range(const std::string& garment, std::initializer_list<SizeOption> options) {
    for (const auto& [name, value, low, high] : options)
        if (!(value >= low && value <= high))
            throw InputError(garment, fmt::format("{} is {}", name, value),
                             fmt::format("it must lie between {} and {}", low, high));
}

}  // namespace rumple
