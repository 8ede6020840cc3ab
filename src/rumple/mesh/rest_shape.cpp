#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <tuple>

namespace rumple {

namespace {

constexpr double kMinAreaRatio = 0.8, kMaxAreaRatio = 1.25;  // UV area / 3D area that counts as metres
constexpr double kDegenerateArea = 1e-12;                    // times the squared mean edge
constexpr double kWarpAlongNormal = 0.01;  // sine of the angle below which a warp has no direction

using Flat = std::array<Vec2d, 3>;  // a triangle laid out in its material plane [m]

std::vector<Hinge> hinges_of(const TriMesh& mesh, const std::string& name) {
    const auto walks = sorted_edge_walks(mesh);
    std::vector<std::pair<Hinge, int>> found;  // with the edge's corner in t0, to order by
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        require_manifold(edge, name);
        if (edge.size() < 2) continue;
        const EdgeWalk &a = edge[0], &b = edge[1];
        const auto wing = [&](const EdgeWalk& w) {
            return mesh.triangles[std::size_t(w.triangle)][std::size_t((w.corner + 2) % 3)];
        };
        found.push_back({Hinge{a.from, a.to, wing(a), wing(b), a.triangle, b.triangle}, a.corner});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.first.t0, a.second) < std::tuple(b.first.t0, b.second);
    });
    std::vector<Hinge> hinges;
    hinges.reserve(found.size());
    for (const auto& [hinge, corner] : found) hinges.push_back(hinge);
    return hinges;
}

std::vector<Flat> layout_from_uvs(const TriMesh& mesh) {
    std::vector<Flat> flat;
    flat.reserve(mesh.triangles.size());
    for (const auto& t : mesh.uv_triangles)
        flat.push_back(
            {mesh.uvs[std::size_t(t[0])], mesh.uvs[std::size_t(t[1])], mesh.uvs[std::size_t(t[2])]});
    return flat;
}

// u along the warp projected into the triangle's plane, v = normal x u.
std::vector<Flat> layout_from_mesh(const TriMesh& mesh, Vec3d warp, const std::string& name,
                                   std::vector<std::string>& warnings) {
    const double length = norm(warp);
    if (!std::isfinite(length) || length == 0)
        throw InputError(
            name, fmt::format("the warp direction ({}, {}, {}) has no direction", warp.x, warp.y, warp.z),
            "give a finite vector that is not zero");
    warp = (1 / length) * warp;
    // Chosen once from the warp, not from each normal: neighbours with nearly the same normal then agree.
    const Vec3d fallback = std::abs(warp.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    std::size_t without_warp = 0;
    std::vector<Flat> flat;
    flat.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) {
        const Vec3d x0 = mesh.positions[std::size_t(t[0])];
        const Vec3d d1 = mesh.positions[std::size_t(t[1])] - x0, d2 = mesh.positions[std::size_t(t[2])] - x0;
        const Vec3d n = cross(d1, d2);
        if (norm(n) == 0) {  // no plane: reported with the other degenerate triangles
            flat.push_back(Flat{});
            continue;
        }
        const Vec3d normal = normalized(n);
        Vec3d u = warp - dot(warp, normal) * normal;
        if (norm(u) < kWarpAlongNormal) {
            ++without_warp;
            u = fallback - dot(fallback, normal) * normal;
        }
        u = normalized(u);
        const Vec3d v = cross(normal, u);
        flat.push_back({Vec2d{0, 0}, Vec2d{dot(d1, u), dot(d1, v)}, Vec2d{dot(d2, u), dot(d2, v)}});
    }
    if (without_warp > 0)
        warnings.push_back(fmt::format(
            "{}: the warp direction is normal to {} of {} triangles; their warp follows the {} axis instead",
            name, without_warp, mesh.triangles.size(), fallback.x == 1 ? "X" : "Y"));
    return flat;
}

double signed_area(const Flat& f) { return 0.5 * cross(f[1] - f[0], f[2] - f[0]); }

double total_area(const std::vector<Flat>& flat) {
    double sum = 0;
    for (const Flat& f : flat) sum += std::abs(signed_area(f));
    return sum;
}

double total_area(const TriMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3d x0 = mesh.positions[std::size_t(t[0])];
        sum +=
            0.5 * norm(cross(mesh.positions[std::size_t(t[1])] - x0, mesh.positions[std::size_t(t[2])] - x0));
    }
    return sum;
}

// Whether the rest shape is to come from the UVs; throws when they were asked for and cannot serve.
bool use_uvs(const TriMesh& mesh, RestSource source, const std::string& name,
             std::vector<std::string>& warnings) {
    if (source == RestSource::mesh) return false;
    const bool asked = source == RestSource::uv;
    if (!mesh.has_uvs()) {
        if (asked)
            throw InputError(name, "rest shape \"uv\" was asked for, but the mesh has no UVs",
                             "add UVs in metres or use rest: mesh");
        warnings.push_back(fmt::format("{}: the mesh has no UVs; the rest shape is the 3D mesh", name));
        return false;
    }
    if (mesh.uv_triangles.size() != mesh.triangles.size())
        throw InputError(
            name, fmt::format("{} of {} triangles have UVs", mesh.uv_triangles.size(), mesh.triangles.size()),
            "give UVs to every triangle or to none");
    const double uv_area = total_area(layout_from_uvs(mesh)), area = total_area(mesh), ratio = uv_area / area;
    if (ratio >= kMinAreaRatio && ratio <= kMaxAreaRatio) return true;
    // A texture fills at most the unit square; a pattern in metres does so only by chance.
    const bool texture = std::all_of(mesh.uvs.begin(), mesh.uvs.end(), [](Vec2d p) {
        return p.x >= -1e-6 && p.x <= 1 + 1e-6 && p.y >= -1e-6 && p.y <= 1 + 1e-6;
    });
    const std::string what =
        fmt::format("{}: 3D area {:.4g} m2, UV area {:.4g} m2, a factor of {:.3g}",
                    texture ? "UVs look like 0..1 texture coordinates" : "UVs do not look like metres", area,
                    uv_area, ratio);
    if (asked)
        throw InputError(name, what,
                         fmt::format("UVs must be in metres (factor {} to {}); scale them or use rest: mesh",
                                     kMinAreaRatio, kMaxAreaRatio));
    warnings.push_back(name + ": " + what + "; the rest shape is the 3D mesh instead");
    return false;
}

// Gradients of the linear shape functions: gradient i points from the opposite edge to corner i, with length
// 1/height. Dividing by the signed area makes this hold for a triangle of negative UV area as well. Panels
// cut mirrored are common in sewing patterns: F is still an isometry in the rest pose and u is still warp;
// only the hand of (u, v) differs, and every law's energy is even in shear.
std::array<Vec2d, 3> shape_gradients(const Flat& f, double area) {
    std::array<Vec2d, 3> g;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec2d opposite = f[(i + 2) % 3] - f[(i + 1) % 3];
        g[i] = (1 / (2 * area)) * Vec2d{-opposite.y, opposite.x};
    }
    return g;
}

double edge_length(const Flat& f, const std::array<int, 3>& triangle, int from) {
    std::size_t k = 0;
    while (triangle[k] != from) ++k;
    return norm(f[(k + 1) % 3] - f[k]);
}

void fill_triangles(RestShape& rest, const std::vector<Flat>& flat, bool from_uvs, const std::string& name) {
    double sum = 0;
    for (const Flat& f : flat) sum += norm(f[1] - f[0]) + norm(f[2] - f[1]) + norm(f[0] - f[2]);
    rest.mean_edge_length = flat.empty() ? 0 : sum / (3 * double(flat.size()));
    const double smallest = kDegenerateArea * rest.mean_edge_length * rest.mean_edge_length;
    for (std::size_t t = 0; t < flat.size(); ++t) {
        const double area = signed_area(flat[t]);
        if (!(std::abs(area) > smallest))
            throw InputError(
                name,
                fmt::format("triangle {} (counting from 0) has no area in {}", t,
                            from_uvs ? "its UVs" : "the mesh"),
                from_uvs ? "repair its UVs or use rest: mesh" : "remove it or move its vertices apart");
        rest.area.push_back(std::abs(area));
        rest.gradient.push_back(shape_gradients(flat[t], area));
    }
}

}  // namespace

std::vector<Hinge> find_hinges(const TriMesh& mesh) { return hinges_of(mesh, "mesh"); }

RestShape make_rest_shape(const TriMesh& mesh, const RestOptions& options, const std::string& name) {
    RestShape rest;
    const bool from_uvs = use_uvs(mesh, options.source, name, rest.warnings);
    const std::vector<Flat> flat =
        from_uvs ? layout_from_uvs(mesh) : layout_from_mesh(mesh, options.warp, name, rest.warnings);
    fill_triangles(rest, flat, from_uvs, name);

    rest.hinges = hinges_of(mesh, name);
    const bool folded =
        options.angles == RestAngles::mesh || (options.angles == RestAngles::automatic && !from_uvs);
    const auto x = [&](int vertex) { return mesh.positions[std::size_t(vertex)]; };
    for (const Hinge& h : rest.hinges) {
        const auto t0 = std::size_t(h.t0), t1 = std::size_t(h.t1);
        // The two sides of a seam may have been cut to different lengths; they are sewn to their mean.
        const double l = 0.5 * (edge_length(flat[t0], mesh.triangles[t0], h.x0) +
                                edge_length(flat[t1], mesh.triangles[t1], h.x1));
        rest.hinge_length.push_back(l);
        rest.hinge_height.push_back((rest.area[t0] + rest.area[t1]) / l);
        rest.hinge_angle.push_back(folded ? hinge_angle(x(h.x0), x(h.x1), x(h.x2), x(h.x3)) : 0.0);
    }
    return rest;
}

}  // namespace rumple
