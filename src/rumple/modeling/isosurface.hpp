// Surfaces cut out of a scalar field: where it is zero (marching tetrahedra), where they meet a second field
// (clipping), and how far a point is from them (projection). The field is negative inside.
//
// Marching tetrahedra (Doi and Koide 1991) has no ambiguous cases, so the surface is always a manifold; it
// comes with slivers, which remesh() takes away.
#pragma once

#include <functional>
#include <rumple/core/bounds.hpp>
#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

using ScalarField = std::function<double(Vec3d)>;

// The zero surface of `field` within the box, front towards the outside. Open where it leaves the box, with a
// border that lies exactly in the box's faces. Cells have about the size `cell` [m] (they fit the box).
TriMesh isosurface(const ScalarField& field, const Bounds& box, double cell);

// The part of the mesh where keep(x) >= 0, cut through the triangles. Its new border lies where the linear
// interpolant of `keep` along the edges is zero. UVs are dropped.
TriMesh clip_mesh(const TriMesh& mesh, const ScalarField& keep);

// The piece with the most vertices; vertices that no triangle uses are dropped.
TriMesh largest_piece(const TriMesh& mesh);

// Newton's method along the gradient: the zero of `field` near p. `step` is the length of the finite
// differences [m]. The second form stays where `also` is zero, too (a curve: the border of a clipped mesh).
Vec3d project_to_zero(const ScalarField& field, Vec3d p, double step);
Vec3d project_to_zero(const ScalarField& field, const ScalarField& also, Vec3d p, double step);

}  // namespace rumple
