// Where a plane cuts a closed mesh: closed loops of points, measured in the plane.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <span>
#include <vector>

namespace rumple {

// A plane through `origin` with unit normal `normal`; `right` and `up` span it.
struct SectionFrame {
    Vec3d origin, normal, right, up;

    Vec2d in_plane(Vec3d p) const { return {dot(p - origin, right), dot(p - origin, up)}; }
};

using Loop = std::vector<Vec2d>;  // m, closed, in order, without the first point again

std::vector<Loop> slice(const TriMesh& mesh, const SectionFrame& frame);

double enclosed_area(const Loop& loop);  // > 0 counter-clockwise
Vec2d centre(const Loop& loop);          // mean of the points, weighted by the lengths between them
// Counter-clockwise, without points on its edges.
Loop convex_hull(Loop points);
double perimeter(const Loop& loop);

}  // namespace rumple
