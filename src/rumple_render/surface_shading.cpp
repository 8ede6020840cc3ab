// The surface at a hit: colour, normal, threads, hem and seams.
#include <algorithm>
#include <cmath>
#include <rumple_render/corner_blend.hpp>
#include <rumple_render/stitching.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

Vec3f ShadedSurface::side_colour(bool front) const {
    return outside(front) ? look_->front : inside_ * look_->back;
}

Vec3f ShadedSurface::mean_colour(const Hit& hit, bool front) const {
    if (colours_.empty()) return side_colour(front);
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    return blend(colours_[at_index(a)], colours_[at_index(b)], colours_[at_index(c)], hit.u, hit.v);
}

float ShadedSurface::border_at(const Hit& hit) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    return blend(from_border_[at_index(a)], from_border_[at_index(b)], from_border_[at_index(c)], hit.u,
                 hit.v);
}

void ShadedSurface::add_hem(SurfacePoint& s, const Hit& hit, Vec2<float> w, float footprint) const {
    if (from_border_.empty()) return;
    Hem hem = look_->hem;
    hem.width = hem_;
    s.colour = hem_colour(hem, s.colour, border_at(hit), w.x + w.y, footprint);
}

// The hem's ridges slant by 45 degrees: along them warp and weft change by as much.
void ShadedSurface::add_hem_relief(WovenPoint& point, const Hit& hit, Vec2<float> w, float footprint) const {
    if (from_border_.empty()) return;
    Hem hem = look_->hem;
    hem.width = hem_;
    const HemRelief relief = hem_relief(hem, border_at(hit), w.x + w.y, footprint);
    const auto& [wa, wb, wc] = threads_[at_index(hit.triangle)];
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const Vec2<float> p = wb - wa, q = wc - wa;
    const float det = cross(p, q);
    if (!(std::abs(det) > 1e-20f)) return;
    const float rise_b = from_border_[at_index(b)] - from_border_[at_index(a)],
                rise_c = from_border_[at_index(c)] - from_border_[at_index(a)];
    point.slope_u += relief.across * (q.y * rise_b - p.y * rise_c) / det + relief.slanting;
    point.slope_v += relief.across * (p.x * rise_c - q.x * rise_b) / det + relief.slanting;
}

// Slopes where the cloth was woven say how the normal leans: what they rise along two sides of the triangle.
void ShadedSurface::lean(SurfacePoint& s, const Hit& hit, Vec3f slopes) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const Vec3f pa = woven_at_[at_index(a)], pb = woven_at_[at_index(b)], pc = woven_at_[at_index(c)];
    const Vec3f e = positions_[at_index(b)] - positions_[at_index(a)],
                f = positions_[at_index(c)] - positions_[at_index(a)];
    const float p = dot(slopes, pb - pa), q = dot(slopes, pc - pa);
    const float ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), det = ee * ff - ef * ef;
    if (!(det > 1e-4f * ee * ff)) return;
    s.bumped = s.bumped - ((p * ff - q * ef) / det) * e - ((q * ee - p * ef) / det) * f;
    s.bumped = normalized(s.bumped);
}

Vec3f ShadedSurface::woven_place(const Hit& hit) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    return blend(woven_at_[at_index(a)], woven_at_[at_index(b)], woven_at_[at_index(c)], hit.u, hit.v);
}

void ShadedSurface::add_ripples(SurfacePoint& s, const Hit& hit, float footprint) const {
    const Ripple ripple = ripple_at(look_->yarn, woven_place(hit), footprint);
    s.spread += ripple.spread;
    lean(s, hit, ripple.slopes);
}

void ShadedSurface::add_seams(SurfacePoint& s, const Hit& hit, std::span<const NearSeam> near,
                              float footprint) const {
    Sewn sewn{s.colour, {}};
    for (const NearSeam& seam : near) add_seam(sewn, *look_, seam, footprint);
    s.colour = sewn.shade * sewn.colour;
    lean(s, hit, sewn.slopes);
}

void ShadedSurface::add_threads(SurfacePoint& s, const Hit& hit, float footprint, bool front,
                                bool hemmed) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const float dark = outside(front) ? 1 : inside_;
    if (!threads_.empty()) {
        const auto& [wa, wb, wc] = threads_[at_index(hit.triangle)];
        const Vec2<float> w = (1 - hit.u - hit.v) * wa + (hit.u * wb + hit.v * wc);
        WovenPoint point = woven_at(*look_, w.x, w.y, footprint, outside(front));
        if (hemmed && outside(front)) add_hem_relief(point, hit, w, footprint);
        s.colour = dark * point.colour;
        s.spread = point.spread;
        s.shine = point.shine;
        if (!warp_.empty()) {
            const Vec3f along =
                blend(warp_[at_index(a)], warp_[at_index(b)], warp_[at_index(c)], hit.u, hit.v);
            const Vec3f on_surface = along - dot(along, s.normal) * s.normal;
            if (const float length = norm(on_surface); length > 1e-3f) s.warp = (1 / length) * on_surface;
        }
        // Directions of warp and weft on the triangle.
        const Vec2<float> p = wb - wa, q = wc - wa;
        const float det = cross(p, q);
        if ((point.slope_u != 0 || point.slope_v != 0) && std::abs(det) > 1e-20f) {
            const Vec3f e = positions_[at_index(b)] - positions_[at_index(a)],
                        f = positions_[at_index(c)] - positions_[at_index(a)];
            const Vec3f warp = (1 / det) * (q.y * e - p.y * f), weft = (1 / det) * (p.x * f - q.x * e);
            s.bumped = normalized(s.normal - point.slope_u * warp - point.slope_v * weft);
        }
        if (hemmed) add_hem(s, hit, w, footprint);
        return;
    }
    // No UVs: cloth as if cut from the three coordinate planes, blended by how the surface faces them.
    const Vec3f pa = woven_at_[at_index(a)], pb = woven_at_[at_index(b)], pc = woven_at_[at_index(c)];
    const Vec3f p = blend(pa, pb, pc, hit.u, hit.v), n = cross(pb - pa, pc - pa);
    const float total = dot(n, n);
    if (!(total > 0)) return;
    Vec3f sum;
    float weights = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const float share = n[axis] * n[axis] / total, weight = share * share;
        if (weight < 0.02f) continue;
        // Warp runs upwards where the plane has an up.
        const float u = axis == 2 ? p.x : p.z, v = axis == 0 ? p.y : axis == 1 ? p.x : p.y;
        sum += weight * woven_at(*look_, u, v, footprint, outside(front)).colour;
        weights += weight;
    }
    s.colour = (dark / weights) * sum;
    add_hem(s, hit, {p.x + p.y, p.z}, footprint);
}

SurfacePoint ShadedSurface::at(const Hit& hit, const Ray& ray, float footprint) const {
    const auto& [a, b, c] = triangles_[at_index(hit.triangle)];
    const auto& [na, nb, nc] = normals_[at_index(hit.triangle)];
    const Vec3f pa = positions_[at_index(a)], pb = positions_[at_index(b)], pc = positions_[at_index(c)];
    SurfacePoint s;
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
    s.bumped = s.normal;

    // The smooth surface that the normals promise lies above a convex facet: shadow rays start there, so that
    // facets cast no shadow on their neighbours [J. Hanika, Ray Tracing Gems II, ch. 4, 2021].
    const auto above = [&](Vec3f corner, Vec3f normal) {
        const Vec3f n = side * normal;
        const float depth = std::min(0.0f, dot(s.position - corner, n));
        return -depth * n;
    };
    s.lifted = s.position + blend(above(pa, na), above(pb, nb), above(pc, nc), hit.u, hit.v);

    const float facing = std::abs(dot(s.normal, ray.direction));
    s.colour = mean_colour(hit, front);
    // Only light that falls on the inside is lost there.
    if (colours_.empty() && inside_ < 1 && !outside(front)) s.through = look_->through / inside_;
    if (colours_.empty() && look_->yarn.weave != Weave::none) {
        const float width = footprint / std::max(0.25f, facing);
        std::array<NearSeam, SeamField::kMaxAtPoint> found;
        const std::size_t count =
            seams_.empty() ? 0 : seams_.near(at_index(hit.triangle) >> seam_shift_, woven_place(hit), found);
        const std::span<const NearSeam> near(found.data(), count);
        const bool hemmed =
            std::none_of(near.begin(), near.end(), [](const NearSeam& n) { return replaces_hem(n.kind); });
        add_threads(s, hit, width, front, hemmed);
        if (look_->yarn.ripple > 0) add_ripples(s, hit, width);
        if (count > 0 && outside(front)) add_seams(s, hit, near, width);
    }
    return s;
}

}  // namespace rumple
