#include <fmt/format.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple_render/corner_normals.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

namespace {

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

void require_drawable(const RenderObject& object) {
    const TriMesh& mesh = object.mesh;
    const auto count = static_cast<int>(mesh.positions.size());
    if (mesh.triangles.empty()) throw InputError(object.name, "the mesh has no triangles");
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3d p = mesh.positions[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(object.name, fmt::format("vertex {} is at ({}, {}, {})", i + 1, p.x, p.y, p.z),
                             "only finite coordinates can be drawn");
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const int v : mesh.triangles[t])
            if (v < 0 || v >= count)
                throw InputError(object.name,
                                 fmt::format("triangle {} uses vertex {} of {}", t + 1, v + 1, count));
    if (!object.colours.empty() && object.colours.size() != mesh.positions.size())
        throw InputError(object.name,
                         fmt::format("{} colours for {} vertices", object.colours.size(), count));
    if (!object.rest.empty() && object.rest.size() != mesh.positions.size())
        throw InputError(object.name,
                         fmt::format("{} rest positions for {} vertices", object.rest.size(), count));
}

template <class V>
V blend(const V& a, const V& b, const V& c, float u, float v) {
    return (1 - u - v) * a + u * b + v * c;
}

}  // namespace

ShadedSurface::ShadedSurface(const RenderObject& object) : look_(&object.look) {
    require_drawable(object);
    triangles_ = object.mesh.triangles;
    positions_.reserve(object.mesh.positions.size());
    for (const Vec3d& p : object.mesh.positions) positions_.push_back(to_float(p));
    normals_.reserve(triangles_.size());
    for (const auto& corners : corner_normals(object.mesh.positions, triangles_))
        normals_.push_back({to_float(corners[0]), to_float(corners[1]), to_float(corners[2])});
    colours_ = object.colours;
    find_outside();
    if (colours_.empty() && look_->weave != Weave::none) set_thread_coordinates(object);
}

// Which side of a garment is out? The one with the volume behind it, if it encloses any worth the name.
void ShadedSurface::find_outside() {
    Vec3f centre;
    for (const Vec3f& p : positions_) centre += (1 / static_cast<float>(positions_.size())) * p;
    float volume = 0, area = 0;
    for (const auto& [a, b, c] : triangles_) {
        const Vec3f x = positions_[at_index(a)] - centre, y = positions_[at_index(b)] - centre,
                    z = positions_[at_index(c)] - centre;
        volume += dot(x, cross(y, z)) / 6;
        area += norm(cross(y - x, z - x)) / 2;
    }
    turned_ = volume < -0.01f * std::pow(area, 1.5f);
}

// UVs count as metres if their area fits that of the mesh; otherwise they are scaled until it does.
void ShadedSurface::set_thread_coordinates(const RenderObject& object) {
    const TriMesh& mesh = object.mesh;
    const std::vector<Vec3d>& woven = object.rest.empty() ? mesh.positions : object.rest;
    double area = 0, uv_area = 0;
    for (std::size_t t = 0; t < mesh.uv_triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const auto& [i, j, k] = mesh.uv_triangles[t];
        const Vec3d x = woven[at_index(a)];
        const Vec2d w = mesh.uvs[at_index(i)];
        area += norm(cross(woven[at_index(b)] - x, woven[at_index(c)] - x));
        uv_area += std::abs(cross(mesh.uvs[at_index(j)] - w, mesh.uvs[at_index(k)] - w));
    }
    if (!(uv_area > 0) || !(area > 0)) {
        for (const Vec3d& p : woven) woven_at_.push_back(to_float(p));
        return;
    }
    const double ratio = area / uv_area, scale = ratio > 0.8 && ratio < 1.25 ? 1 : std::sqrt(ratio);
    for (const auto& triangle : mesh.uv_triangles) {
        auto& corners = threads_.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2d w = mesh.uvs[at_index(triangle[i])];
            corners[i] = {static_cast<float>(scale * w.x), static_cast<float>(scale * w.y)};
        }
    }
}

Vec3f ShadedSurface::mean_colour(const Hit& hit, bool front) const {
    if (colours_.empty()) return front != turned_ ? look_->front : look_->back;
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    return blend(colours_[at_index(a)], colours_[at_index(b)], colours_[at_index(c)], hit.u, hit.v);
}

Vec3f ShadedSurface::threads_at(const Hit& hit, float footprint, bool front) const {
    if (!threads_.empty()) {
        const auto& [a, b, c] = threads_[at_index(hit.triangle)];
        const Vec2<float> w = (1 - hit.u - hit.v) * a + (hit.u * b + hit.v * c);
        return woven_colour(*look_, w.x, w.y, footprint, front != turned_);
    }
    // No UVs: cloth as if cut from the three coordinate planes, blended by how the surface faces them.
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const Vec3f pa = woven_at_[at_index(a)], pb = woven_at_[at_index(b)], pc = woven_at_[at_index(c)];
    const Vec3f p = blend(pa, pb, pc, hit.u, hit.v), n = cross(pb - pa, pc - pa);
    const float total = dot(n, n);
    if (!(total > 0)) return mean_colour(hit, front);
    Vec3f sum;
    float weights = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const float share = n[axis] * n[axis] / total, weight = share * share;
        if (weight < 0.02f) continue;
        sum +=
            weight * woven_colour(*look_, p[(axis + 1) % 3], p[(axis + 2) % 3], footprint, front != turned_);
        weights += weight;
    }
    return (1 / weights) * sum;
}

SurfacePoint ShadedSurface::at(const Hit& hit, const Ray& ray, float footprint) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const auto& [na, nb, nc] = normals_[at_index(hit.triangle)];
    const Vec3f pa = positions_[at_index(a)], pb = positions_[at_index(b)], pc = positions_[at_index(c)];
    SurfacePoint s;
    s.look = look_;
    s.position = blend(pa, pb, pc, hit.u, hit.v);
    const bool front = dot(hit.normal, ray.direction) < 0;
    const float side = front ? 1.0f : -1.0f;
    // In a valley the neighbours rise above the smooth surface as well: their shadow is real.
    const float bulge = side * (dot(nb - na, pb - pa) + dot(nc - nb, pc - pb) + dot(na - nc, pa - pc));
    s.facet = bulge > 0 ? std::sqrt(norm(cross(pb - pa, pc - pa))) : 0;
    s.face_normal = side * hit.normal;
    const Vec3f smooth = blend(na, nb, nc, hit.u, hit.v);
    const float length = norm(smooth);
    s.normal = length > 1e-6f ? (side / length) * smooth : s.face_normal;

    // The smooth surface that the normals promise lies above a convex facet: shadow rays start there, so that
    // facets cast no shadow on their neighbours [J. Hanika, Ray Tracing Gems II, ch. 4, 2021].
    const auto above = [&](Vec3f corner, Vec3f normal) {
        const Vec3f n = side * normal;
        const float depth = std::min(0.0f, dot(s.position - corner, n));
        return -depth * n;
    };
    s.lifted = s.position + blend(above(pa, na), above(pb, nb), above(pc, nc), hit.u, hit.v);

    const float facing = std::abs(dot(s.normal, ray.direction));
    s.colour = colours_.empty() ? look_->weave == Weave::none
                                      ? mean_colour(hit, front)
                                      : threads_at(hit, footprint / std::max(0.25f, facing), front)
                                : mean_colour(hit, front);
    return s;
}

}  // namespace rumple
