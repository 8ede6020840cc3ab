// Checks a mesh from a file before anything is computed with it.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

// Throws InputError, with `name` as the place, for a mesh that cannot be simulated: no triangles; an index
// out of range; a coordinate that is not finite; a triangle without area (a vertex twice, or an area below
// 1e-12 of the squared mean edge); the same triangle twice; an edge with more than two triangles; neighbours
// that face different sides; UVs for only some triangles. Returns one sentence for each thing that can be
// simulated but may not be meant: vertices no triangle uses (they are kept), vertices where pieces touch in a
// single point, several separate pieces, a size that suggests other units than metres.
std::vector<std::string> validate_mesh(const TriMesh& mesh, const std::string& name);

// The same for a mesh that cloth only touches: edges with more than two triangles, double triangles and
// neighbours that face different sides give a warning, not an error.
std::vector<std::string> validate_obstacle(const TriMesh& mesh, const std::string& name);

}  // namespace rumple
