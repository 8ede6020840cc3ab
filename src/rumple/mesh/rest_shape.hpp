// The stress-free shape of a cloth: a flat piece of material for each triangle, and hinges between them.
//
//            x2                 A hinge is an interior edge x0-x1 with its two wings x2 and x3.
//           /  \                Triangle 0 is (x0, x1, x2) in that winding, triangle 1 is (x1, x0, x3).
//      t0  /    \               l   rest length of the edge                       [m]
//        x0 ---- x1             H   mean of the two rest heights over the edge    [m]
//          \    /               l H = A0 + A1, the two rest areas                 [m^2]
//      t1   \  /
//            x3
#pragma once

#include <array>
#include <rumple/core/vec.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class RestSource {
    automatic,  // UVs if their total area is within 0.8-1.25 of the 3D area, otherwise the mesh, with a
                // warning
    uv,         // UV coordinates in metres; a mismatch of area is an error
    mesh        // the 3D mesh, with a warp direction projected into each triangle's plane
};
enum class RestAngles {
    automatic,
    flat,
    mesh
};  // automatic: flat with a UV rest shape, mesh with a mesh one

struct RestOptions {
    RestSource source = RestSource::automatic;
    RestAngles angles = RestAngles::automatic;
    Vec3d warp{0, 0, 1};  // used with a mesh rest shape; need not have unit length
};

struct Hinge {
    int x0, x1, x2, x3;  // see the drawing
    int t0, t1;          // triangles
};

struct RestShape {
    // For each triangle: rest area [m^2] and the gradients of its three shape functions in the material
    // plane [1/m], so that the deformation gradient is F = sum_i x_i (x) gradient_i. u is warp, v is weft.
    std::vector<double> area;
    std::vector<std::array<Vec2d, 3>> gradient;

    // For each hinge
    std::vector<Hinge> hinges;
    std::vector<double> hinge_length;  // l [m]
    std::vector<double> hinge_height;  // H [m]
    std::vector<double> hinge_angle;   // rest angle [rad], 0 is flat

    double mean_edge_length = 0;        // [m], over the rest edges of all triangles
    std::vector<std::string> warnings;  // for the author of the scene
};

// Interior edges with their wings, ordered by (t0, edge in t0). Throws InputError for a non-manifold edge.
std::vector<Hinge> find_hinges(const TriMesh& mesh);

// Throws InputError (with `name` as the place) when the rest shape cannot be built as asked.
RestShape make_rest_shape(const TriMesh& mesh, const RestOptions& options, const std::string& name);

}  // namespace rumple
