// Generated closed surfaces, for obstacles: wound counter-clockwise seen from outside, without UVs.
//
// Round ones are about the Z axis. `edge` [m] is the longest edge wished for on what is curved: a chord of
// length e keeps within e^2 / (8 r) of the circle it stands for. What is flat or straight takes as few
// triangles as it can.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

TriMesh make_box(Vec3d size);  // about the origin
// Icosahedron, each face cut into n x n and blown up to the sphere: nearly equal triangles, no poles.
TriMesh make_sphere(double radius, double edge);
TriMesh make_cylinder(double radius, double height, double edge);  // about the origin
// Two half spheres, the centres of which lie `length` apart, and the cylinder between them; about the origin.
TriMesh make_capsule(double radius, double length, double edge);
// A pot: inside free from z = 0 to height within the radius, with a wall and a floor of thickness `wall`
// around and under it; open above.
TriMesh make_container(double radius, double height, double wall, double edge);

}  // namespace rumple
