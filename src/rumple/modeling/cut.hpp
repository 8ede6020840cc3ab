// From a solid to a cloth: the surface of a field around the body, cut open, with uniform triangles.
#pragma once

#include <initializer_list>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/modeling/garment.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/mesh_distance.hpp>

namespace rumple {

struct CutOptions {
    double edge_length = 0.008;  // m
    double clearance = 0.005;    // m, from the body
    bool follow = false;         // where the body sticks out of the shape, follow it (shoulders)
    Bounds box;                  // m, that holds the garment
};

// The surface of `shape` (negative inside), grown where it would come nearer to the body than the clearance,
// where keep(x) >= 0; the largest piece of it.
TriMesh cut_cloth(const ScalarField& shape, const ScalarField& keep, const MeshDistance& body,
                  const CutOptions& options);

// The same with UVs; its vertex sets are still missing.
Garment cut_garment(const ScalarField& shape, const ScalarField& keep,
                    const std::function<WeaveFrame(Vec3d)>& weave, const TriMesh& body,
                    const CutOptions& options);

struct SizeOption {
    const char* name;  // with its unit
    double value, low, high;
};
// InputError that names the garment and the first option out of its range.
void require_in_range(const std::string& garment, std::initializer_list<SizeOption> options);

}  // namespace rumple
