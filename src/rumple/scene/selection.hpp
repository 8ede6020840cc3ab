// From a selector to the vertices of a cloth.
#pragma once

#include <map>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/scene/place.hpp>
#include <rumple/scene/selector.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

// What a selector can choose from.
struct Selectable {
    const TriMesh& mesh;
    // They stand for the mesh's own: the placed cloth without its imperfection, so that a selection does not
    // depend on a seed.
    std::span<const Vec3d> positions;
    const std::map<std::string, std::vector<int>>& sets;  // of a garment, by name
};

// Vertices of the mesh, ascending, each once. Fails when nothing is selected and says what there is to select
// from. `place` is that of the selector.
std::vector<int> select_vertices(const Place& place, const Selector& selector, const Selectable& cloth);

// The border of a mesh as lists of vertices: connected edges that have one triangle only, the loops ordered
// by their lowest vertex, ascending inside.
std::vector<std::vector<int>> boundary_loops(const TriMesh& mesh);

}  // namespace rumple
