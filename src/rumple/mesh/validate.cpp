#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/core/bounds.hpp>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>
#include <rumple/mesh/validate.hpp>

namespace rumple {

namespace {

constexpr double kDegenerateArea = 1e-12;                      // times the squared mean edge
constexpr double kLargeDiagonal = 100, kSmallDiagonal = 1e-3;  // of the bounding box [m]

// Disjoint sets (union by index, path halving).
class Groups {
  public:
    explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t(0)); }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> parent_;
};

// "3, 7, 12, ..." for a warning that need not name all.
std::string listed(const std::vector<std::size_t>& items) {
    constexpr std::size_t kListed = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), kListed); ++i)
        text += fmt::format("{}{}", i ? ", " : "", items[i]);
    return items.size() > kListed ? text + ", ..." : text;
}

void require_in_range(const std::vector<std::array<int, 3>>& triangles, std::size_t count, const char* what,
                      const std::string& name) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int i : triangles[t])
            if (i < 0 || std::size_t(i) >= count)
                throw InputError(
                    name, fmt::format("triangle {} (counting from 0) refers to {} {}", t, what, i),
                    fmt::format("the mesh has {} of them, 0 to {}", count, std::ptrdiff_t(count) - 1));
}

void require_indices(const TriMesh& mesh, const std::string& name) {
    if (mesh.triangles.empty())
        throw InputError(name, "the mesh has no triangles", "a cloth needs at least one");
    require_in_range(mesh.triangles, mesh.positions.size(), "vertex", name);
    if (!mesh.has_uvs()) return;
    if (mesh.uv_triangles.size() != mesh.triangles.size())
        throw InputError(
            name, fmt::format("{} of {} triangles have UVs", mesh.uv_triangles.size(), mesh.triangles.size()),
            "give UVs to every triangle or to none");
    require_in_range(mesh.uv_triangles, mesh.uvs.size(), "UV", name);
}

void require_finite(const TriMesh& mesh, const std::string& name) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3d& x = mesh.positions[v];
        if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
            throw InputError(name,
                             fmt::format("vertex {} (counting from 0) is at ({}, {}, {})", v, x.x, x.y, x.z),
                             "coordinates must be finite numbers", {"", {static_cast<int>(v)}});
    }
    for (std::size_t i = 0; i < mesh.uvs.size(); ++i)
        if (!std::isfinite(mesh.uvs[i].x) || !std::isfinite(mesh.uvs[i].y))
            throw InputError(
                name, fmt::format("UV {} (counting from 0) is ({}, {})", i, mesh.uvs[i].x, mesh.uvs[i].y),
                "coordinates must be finite numbers");
}

ErrorPlace corners_of(const std::array<int, 3>& triangle) { return {"", {triangle.begin(), triangle.end()}}; }

void require_areas(const TriMesh& mesh, const std::string& name) {
    const auto corner = [&](std::size_t t, std::size_t k) {
        return mesh.positions[std::size_t(mesh.triangles[t][k])];
    };
    double edges = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& v = mesh.triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            throw InputError(name,
                             fmt::format("triangle {} (counting from 0) uses vertex {} twice", t,
                                         v[0] == v[1] || v[0] == v[2] ? v[0] : v[1]),
                             "remove it or give it three different vertices", corners_of(v));
        for (std::size_t k = 0; k < 3; ++k) edges += norm(corner(t, (k + 1) % 3) - corner(t, k));
    }
    const double mean_edge = edges / (3 * double(mesh.triangles.size()));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d x0 = corner(t, 0);
        const double area = 0.5 * norm(cross(corner(t, 1) - x0, corner(t, 2) - x0));
        if (area <= kDegenerateArea * mean_edge * mean_edge)
            throw InputError(name,
                             fmt::format("triangle {} (counting from 0) has no area ({:.3g} m2)", t, area),
                             "remove it or move its vertices apart", corners_of(mesh.triangles[t]));
    }
}

void require_no_duplicates(const TriMesh& mesh, const std::string& name) {
    std::vector<std::pair<std::array<int, 3>, std::size_t>> seen;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        auto key = mesh.triangles[t];
        std::sort(key.begin(), key.end());
        seen.emplace_back(key, t);
    }
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 1; i < seen.size(); ++i)
        if (seen[i].first == seen[i - 1].first)
            throw InputError(name,
                             fmt::format("triangles {} and {} (counting from 0) have the same three vertices",
                                         seen[i - 1].second, seen[i].second),
                             "remove one of them", corners_of(seen[i].first));
}

// Fans of triangles around each vertex: more than one where pieces touch only in that vertex.
std::vector<int> count_fans(const TriMesh& mesh, const std::vector<EdgeWalk>& walks) {
    Groups corners(3 * mesh.triangles.size());
    const auto corner = [](const EdgeWalk& w, int step) {
        return std::size_t(3 * w.triangle + (w.corner + step) % 3);
    };
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        if (edge.size() != 2) continue;
        corners.join(corner(edge[0], 0), corner(edge[1], 1));  // the two walk in opposite directions
        corners.join(corner(edge[0], 1), corner(edge[1], 0));
    }
    std::vector<int> fans(mesh.positions.size());
    for (std::size_t c = 0; c < 3 * mesh.triangles.size(); ++c)
        if (corners.find(c) == c) ++fans[std::size_t(mesh.triangles[c / 3][c % 3])];
    return fans;
}

std::size_t count_pieces(const TriMesh& mesh, const std::vector<int>& fans) {
    Groups pieces(mesh.positions.size());
    for (const auto& t : mesh.triangles) {
        pieces.join(std::size_t(t[0]), std::size_t(t[1]));
        pieces.join(std::size_t(t[0]), std::size_t(t[2]));
    }
    std::size_t count = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) count += fans[v] > 0 && pieces.find(v) == v;
    return count;
}

double bounding_diagonal(const TriMesh& mesh, const std::vector<int>& fans) {
    Bounds box;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (fans[v] > 0) box.add(mesh.positions[v]);
    return norm(box.size());
}

std::vector<std::string> warnings_about(const TriMesh& mesh, const std::vector<EdgeWalk>& walks,
                                        const std::string& name) {
    std::vector<std::string> warnings;
    const std::vector<int> fans = count_fans(mesh, walks);
    std::vector<std::size_t> unused, touching;
    for (std::size_t v = 0; v < fans.size(); ++v) {
        if (fans[v] == 0) unused.push_back(v);
        if (fans[v] > 1) touching.push_back(v);
    }
    if (!unused.empty())
        warnings.push_back(
            fmt::format("{}: {} vertices belong to no triangle and are kept (counting from 0: {})", name,
                        unused.size(), listed(unused)));
    if (!touching.empty())
        warnings.push_back(
            fmt::format("{}: at {} vertices parts of the mesh touch in a single point, about which they turn "
                        "freely (counting "
                        "from 0: {})",
                        name, touching.size(), listed(touching)));
    const std::size_t pieces = count_pieces(mesh, fans);
    if (pieces > 1)
        warnings.push_back(fmt::format("{}: the mesh consists of {} separate pieces", name, pieces));
    const double diagonal = bounding_diagonal(mesh, fans);
    if (diagonal > kLargeDiagonal || diagonal < kSmallDiagonal)
        warnings.push_back(
            fmt::format("{}: the mesh measures {:.3g} m across; lengths are in metres, {}", name, diagonal,
                        diagonal > kLargeDiagonal
                            ? "was it made in centimetres (scale 0.01) or millimetres (scale 0.001)?"
                            : "was it made in kilometres, or scaled down twice?"));
    return warnings;
}

void require_triangles(const TriMesh& mesh, const std::string& name) {
    require_indices(mesh, name);
    require_finite(mesh, name);
    require_areas(mesh, name);
}

void require_surface(const TriMesh& mesh, const std::string& name) {
    require_no_duplicates(mesh, name);
    const auto walks = sorted_edge_walks(mesh);
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        require_manifold(edge, name);
    }
}

}  // namespace

std::vector<std::string> validate_mesh(const TriMesh& mesh, const std::string& name) {
    require_triangles(mesh, name);
    require_surface(mesh, name);
    return warnings_about(mesh, sorted_edge_walks(mesh), name);
}

std::vector<std::string> validate_obstacle(const TriMesh& mesh, const std::string& name) {
    require_triangles(mesh, name);
    try {
        require_surface(mesh, name);
    } catch (const InputError& error) {
        return {fmt::format("{} (it is used as it is)", error.what())};
    }
    return {};
}

}  // namespace rumple
