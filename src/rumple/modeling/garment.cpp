#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/mesh/edges.hpp>
#include <rumple/modeling/garment.hpp>

namespace rumple {

const std::vector<int>& Garment::set(std::string_view name) const {
    std::vector<std::string> names;
    for (const VertexSet& s : sets) {
        if (s.name == name) return s.vertices;
        names.push_back(s.name);
    }
    throw InputError("garment", "there is no vertex set named \"" + std::string(name) + "\"",
                     suggestion(name, names));
}

void lay_out(TriMesh& mesh, const std::function<WeaveFrame(Vec3d)>& weave) {
    mesh.uvs.clear();
    mesh.uv_triangles.clear();
    for (const auto& t : mesh.triangles) {
        const std::array<Vec3d, 3> x{mesh.positions[std::size_t(t[0])], mesh.positions[std::size_t(t[1])],
                                     mesh.positions[std::size_t(t[2])]};
        const Vec3d middle = (1.0 / 3) * (x[0] + x[1] + x[2]);
        const Vec3d normal = normalized(cross(x[1] - x[0], x[2] - x[0]));
        const WeaveFrame w = weave(middle);
        Vec3d u = w.warp - dot(w.warp, normal) * normal;
        if (norm(u) < 0.05 * norm(w.warp)) {  // under the crotch: across it, from front to back
            const Vec3d across{0, 1, 0};
            u = across - dot(across, normal) * normal;
        }
        u = normalized(u);
        const Vec3d v = cross(normal, u);
        const int first = int(mesh.uvs.size());
        // Seen from outside v runs clockwise about the warp, `around` counterclockwise.
        for (const Vec3d& p : x)
            mesh.uvs.push_back({w.along + dot(p - middle, u), dot(p - middle, v) - w.around});
        mesh.uv_triangles.push_back({first, first + 1, first + 2});
    }
}

std::vector<Vec3d> vertex_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.positions.size());
    for (const auto& t : mesh.triangles) {
        const Vec3d x0 = mesh.positions[std::size_t(t[0])];
        const Vec3d n = cross(mesh.positions[std::size_t(t[1])] - x0, mesh.positions[std::size_t(t[2])] - x0);
        for (const int v : t) normals[std::size_t(v)] += n;
    }
    for (Vec3d& n : normals) n = normalized(n);
    return normals;
}

VertexSet select_vertices(const TriMesh& mesh, const std::string& name,
                          const std::function<bool(Vec3d, Vec3d)>& belongs) {
    const std::vector<Vec3d> normals = vertex_normals(mesh);
    VertexSet set{name, {}};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (belongs(mesh.positions[v], normals[v])) set.vertices.push_back(int(v));
    return set;
}

VertexSet select_border(const TriMesh& mesh, const std::string& name,
                        const std::function<bool(Vec3d)>& belongs) {
    std::vector<char> border(mesh.positions.size());
    const auto walks = sorted_edge_walks(mesh);
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        if (edge.size() == 1) border[std::size_t(edge[0].from)] = border[std::size_t(edge[0].to)] = 1;
    }
    VertexSet set{name, {}};
    for (std::size_t v = 0; v < border.size(); ++v)
        if (border[v] && belongs(mesh.positions[v])) set.vertices.push_back(int(v));
    return set;
}

}  // namespace rumple
