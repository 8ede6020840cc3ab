#include <fmt/format.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/writable_mesh.hpp>
#include <stdexcept>

namespace rumple {
namespace {

void require_indices(const std::vector<std::array<int, 3>>& triangles, std::size_t count, const char* what,
                     const std::string& name) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int corner : triangles[t])
            if (corner < 0 || static_cast<std::size_t>(corner) >= count)
                throw std::logic_error(
                    fmt::format("{}: triangle {} refers to {} {} of {}", name, t, what, corner, count));
}

}  // namespace

void require_writable(const TriMesh& mesh, const std::string& name) {
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3d& p = mesh.positions[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw SimulationError(fmt::format("{}: not written: vertex {} is not finite", name, i));
    }
    for (std::size_t i = 0; i < mesh.uvs.size(); ++i)
        if (!std::isfinite(mesh.uvs[i].x) || !std::isfinite(mesh.uvs[i].y))
            throw SimulationError(fmt::format("{}: not written: UV {} is not finite", name, i));
    require_indices(mesh.triangles, mesh.positions.size(), "vertex", name);
    if (mesh.has_uvs() && mesh.uv_triangles.size() != mesh.triangles.size())
        throw std::logic_error(fmt::format("{}: {} triangles but {} UV triangles", name,
                                           mesh.triangles.size(), mesh.uv_triangles.size()));
    require_indices(mesh.uv_triangles, mesh.uvs.size(), "UV", name);
}

}  // namespace rumple
