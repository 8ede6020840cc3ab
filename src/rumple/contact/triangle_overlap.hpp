// Do two triangles have a point in common? Exact; touching counts. Triangles may be degenerate.
#pragma once

#include <rumple/core/vec.hpp>

namespace rumple::contact {

// The closed segment p q against the closed triangle.
bool segment_meets_triangle(Vec3d p, Vec3d q, const Vec3d triangle[3]);

// Two triangles meet where an edge of one meets the other: the ends of their common segment are such places,
// and of two in one plane either borders cross or one lies within the other.
bool triangles_meet(const Vec3d a[3], const Vec3d b[3]);

}  // namespace rumple::contact
