// In which order a mesh counts its vertices, triangles and hinges, and an order that follows the cloth.
//
// A step walks through vertices and elements by number. Where neighbours have numbers far apart, as in many
// files, it reads from all over the memory. The order of Cuthill and McKee (1969) goes through the mesh
// breadth first from one of its ends, so that neighbours are at most two fronts apart:
//
//     0 - 1 - 3 - 6
//     |   |   |   |
//     2 - 4 - 7 - 9      a front: 3, 4, 5
//     |   |   |   |
//     5 - 8 - 10- 11
#pragma once

#include <cstddef>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <span>
#include <vector>

namespace rumple {

struct Numbering {
    std::vector<int> vertices, triangles, hinges;  // for each new number the old one; all empty: the same

    bool changes() const { return !vertices.empty(); }
    friend bool operator==(const Numbering&, const Numbering&) = default;
};

// The old number of something, where an empty list says that it is the same.
inline int old_number(std::span<const int> old, std::size_t i) {
    return old.empty() ? static_cast<int>(i) : old[i];
}

// How far apart the numbers of two vertices are that share a side of a triangle, on the mean over all sides.
// `number`: other numbers for the vertices. 0 without triangles.
double mean_stride(const TriMesh& mesh, std::span<const int> number = {});

// Vertices as above, one connected part after the other, lone vertices included; triangles by their lowest
// vertex; hinges as find_hinges() would find them. `hinges` are those of the mesh. A function of the
// triangles alone, in nearly linear time.
Numbering numbering_along(const TriMesh& mesh, std::span<const Hinge> hinges);

// UVs keep their numbers; the triangles' corners keep their order.
TriMesh renumbered(const TriMesh& mesh, const Numbering& numbering);
// As make_rest_shape() would make it of the renumbered mesh.
RestShape renumbered(const RestShape& rest, const Numbering& numbering);

std::vector<int> inverse(std::span<const int> order);
Numbering inverse(const Numbering& numbering);

// Values by new number from values by old number, and back.
template <class T>
std::vector<T> in_new_order(const std::vector<T>& values, std::span<const int> old) {
    std::vector<T> result;
    result.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        result.push_back(values[static_cast<std::size_t>(old_number(old, i))]);
    return result;
}
template <class T>
std::vector<T> in_old_order(std::span<const T> values, std::span<const int> old) {
    std::vector<T> back(values.begin(), values.end());
    for (std::size_t i = 0; i < old.size(); ++i) back[static_cast<std::size_t>(old[i])] = values[i];
    return back;
}

}  // namespace rumple
