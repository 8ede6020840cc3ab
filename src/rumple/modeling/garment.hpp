// A garment on a body: a uniform mesh that starts without touching itself or the body, its rest shape as UVs,
// and named sets of vertices.
//
// UVs are metres and isometric: each triangle lies flat as it is in space, u (warp) along the limb, v around
// it. With rest source "uv" the cloth is therefore unstrained where it starts and wants to be flat. Every
// triangle has UVs of its own; they are placed so that a weave drawn with them is nearly continuous.
#pragma once

#include <functional>
#include <rumple/mesh/seam_line.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

struct VertexSet {
    std::string name;
    std::vector<int> vertices;  // rising
};

struct Garment {
    TriMesh mesh;
    std::vector<VertexSet> sets;
    std::vector<SeamLine> seams;  // for pictures

    // InputError: no set of that name, with those there are.
    const std::vector<int>& set(std::string_view name) const;
};

// Where the warp runs at a point (need not be unit), and two lengths that place a weave: along and around
// [m].
struct WeaveFrame {
    Vec3d warp;
    double along, around;
};
void lay_out(TriMesh& mesh, const std::function<WeaveFrame(Vec3d)>& weave);

// Area-weighted unit normals of the vertices.
std::vector<Vec3d> vertex_normals(const TriMesh& mesh);

// Vertices for which `belongs(position, normal)` holds.
VertexSet select_vertices(const TriMesh& mesh, const std::string& name,
                          const std::function<bool(Vec3d, Vec3d)>& belongs);
// The same among vertices on the border.
VertexSet select_border(const TriMesh& mesh, const std::string& name,
                        const std::function<bool(Vec3d)>& belongs);

}  // namespace rumple
