// Uniform (or slowly graded) triangles on a given surface: long edges are split, short ones collapsed, edges
// flipped towards six neighbours a vertex, vertices relaxed within the surface and put back onto it (Botsch
// and Kobbelt, "A Remeshing Approach to Multiresolution Modeling", SGP 2004). Borders stay borders: their
// vertices move only along them. Deterministic.
#pragma once

#include <functional>
#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

struct RemeshOptions {
    double edge_length = 0.01;  // m, > 0; wanted mean length
    int rounds = 8;             // 5 to 10 are enough; more is more uniform
    // Puts a point back onto the surface; for a border vertex, onto the border's curve.
    std::function<Vec3d(Vec3d point, bool on_border)> project;
    // The wanted length at a point as a fraction of edge_length; uniform where empty. It must change slowly.
    std::function<double(Vec3d point)> grading;
};

// A manifold mesh with or without border. UVs are dropped.
TriMesh remesh(const TriMesh& mesh, const RemeshOptions& options);

// How uniform a mesh is.
struct MeshQuality {
    double min_angle, mean_min_angle;      // degrees; smallest of all, mean of each triangle's smallest
    double max_angle;                      // degrees
    double mean_edge, min_edge, max_edge;  // m
    double edge_deviation;                 // standard deviation over mean
};
MeshQuality mesh_quality(const TriMesh& mesh);

}  // namespace rumple
