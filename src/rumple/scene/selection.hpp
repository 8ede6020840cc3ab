// Which vertices of a cloth a handle holds: "select" in a scene file.
#pragma once

#include <map>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/scene/json_place.hpp>
#include <span>
#include <vector>

namespace rumple {

// Vertices of the mesh, ascending, each once. `positions` stand for the mesh's own: the placed cloth without
// its imperfection, so that a selection does not depend on a seed. Fails when nothing is selected and says
// what there is to select from. `sets` are those that a garment brings, by their names.
std::vector<int> select_vertices(const JsonPlace& place, const TriMesh& mesh,
                                 std::span<const Vec3d> positions,
                                 const std::map<std::string, std::vector<int>>& sets = {});

// The border of a mesh as lists of vertices: connected edges that have one triangle only, the loops ordered
// by their lowest vertex, ascending inside.
std::vector<std::vector<int>> boundary_loops(const TriMesh& mesh);

}  // namespace rumple
