#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple_render/corner_blend.hpp>
#include <rumple_render/corner_normals.hpp>
#include <rumple_render/hem_distance.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

namespace {

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

constexpr double kObstacleCrease = 45;  // degrees; cloth has creases only at its border
constexpr int kMaxLevels = 3;
constexpr double kMaxTriangles = 1.2e6;  // of one object
constexpr float kInside = 0.55f;         // of a garment: less light gets there than rays can tell
constexpr float kThinner = 0.0018f;      // m, at most
constexpr double kHemOfSide = 0.03;      // a hem is at most this share of the cloth's size

// Garments that are cut by rule have UVs of their own at each triangle, which only nearly meet: threads drawn
// with them would break at every edge. Corners that meet at a vertex and lie within `reach` get their mean.
void join_corners(std::vector<std::array<Vec2<float>, 3>>& threads, const Triangles& triangles,
                  std::size_t vertices, float reach) {
    struct Place {
        Vec2<float> first, sum;
        float count = 0;
    };
    std::vector<std::vector<Place>> places(vertices);
    const auto place_of = [&](int vertex, Vec2<float> w) -> Place& {
        auto& here = places[at_index(vertex)];
        const auto found =
            std::find_if(here.begin(), here.end(), [&](const Place& p) { return norm(p.first - w) < reach; });
        return found != here.end() ? *found : here.emplace_back(Place{w, {}, 0});
    };
    for (std::size_t t = 0; t < threads.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            Place& place = place_of(triangles[t][i], threads[t][i]);
            place.sum = place.sum + threads[t][i];
            place.count += 1;
        }
    for (std::size_t t = 0; t < threads.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const Place& place = place_of(triangles[t][i], threads[t][i]);
            threads[t][i] = (1 / place.count) * place.sum;
        }
}

const std::vector<Vec3d>& woven_of(const RenderObject& object) {
    return object.rest.empty() ? object.mesh.positions : object.rest;
}

double area_of(const std::vector<Vec3d>& x, const Triangles& triangles) {
    double area = 0;
    for (const auto& [a, b, c] : triangles)
        area += norm(cross(x[at_index(b)] - x[at_index(a)], x[at_index(c)] - x[at_index(a)])) / 2;
    return area;
}

// Cloth that lies on a coarse body keeps its distance at the vertices, not between them: the body would show
// through in spots. It is drawn a little thinner, by a thousandth of its size.
void draw_back(std::vector<Vec3f>& x, const Triangles& triangles,
               const std::vector<std::array<Vec3f, 3>>& normals) {
    Vec3f low = x.front(), high = low;
    for (const Vec3f& p : x)
        for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
    const float by = std::min(kThinner, 1e-3f * norm(high - low));
    std::vector<Vec3f> outwards(x.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) outwards[at_index(triangles[t][i])] += normals[t][i];
    for (std::size_t v = 0; v < x.size(); ++v)
        if (const float length = norm(outwards[v]); length > 0) x[v] -= (by / length) * outwards[v];
}

// Subdivided as positions are: near a border these move along the surface, and a line drawn by values that
// stay behind would waver.
std::vector<Vec3d> smoothed(const std::vector<Vec3d>& values, const RenderObject& object, int levels) {
    return smooth_mesh(values, object.mesh.triangles, woven_of(object), {levels, 180, false}).positions;
}

// Direction of the warp at each vertex. UVs of garments that are cut by rule are uneven: a highlight drawn
// with the direction of each triangle would show them, so directions are averaged with those nearby.
std::vector<Vec3d> warp_directions(const TriMesh& mesh,
                                   const std::vector<std::array<Vec2<float>, 3>>& threads) {
    std::vector<Vec3d> mean(mesh.positions.size());
    const auto add = [](Vec3d& sum, Vec3d d) { sum += dot(sum, d) < 0 ? -d : d; };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec2<float> p = threads[t][1] - threads[t][0], q = threads[t][2] - threads[t][0];
        const Vec3d e = mesh.positions[at_index(b)] - mesh.positions[at_index(a)],
                    f = mesh.positions[at_index(c)] - mesh.positions[at_index(a)];
        const double turn = cross(p, q) < 0 ? -1 : 1;
        const Vec3d warp = turn * (double(q.y) * e - double(p.y) * f);  // long where the triangle is large
        for (const int v : mesh.triangles[t]) add(mean[at_index(v)], warp);
    }
    for (int pass = 0; pass < 6; ++pass) {
        std::vector<Vec3d> next(mean.size());
        for (const auto& triangle : mesh.triangles)
            for (const int v : triangle)
                for (const int w : triangle) add(next[at_index(v)], mean[at_index(w)]);
        for (std::size_t v = 0; v < next.size(); ++v)
            if (const double length = norm(next[v]); length > 0) mean[v] = (1 / length) * next[v];
    }
    return mean;
}

std::vector<float> smoothed(const std::vector<float>& values, const RenderObject& object, int levels) {
    std::vector<Vec3d> as_points;
    for (const float value : values) as_points.push_back({value, 0, 0});
    std::vector<float> out;
    for (const Vec3d& p : smoothed(as_points, object, levels)) out.push_back(static_cast<float>(p.x));
    return out;
}

std::vector<Vec3f> smoothed(const std::vector<Vec3f>& colours, const RenderObject& object, int levels) {
    std::vector<Vec3d> as_points;
    for (const Vec3f c : colours) as_points.push_back({c.x, c.y, c.z});
    std::vector<Vec3f> out;
    for (const Vec3d& p : smoothed(as_points, object, levels))
        out.push_back(
            to_float(Vec3d{std::clamp(p.x, 0.0, 1.0), std::clamp(p.y, 0.0, 1.0), std::clamp(p.z, 0.0, 1.0)}));
    return out;
}

}  // namespace

int levels_for(const RenderObject& object, double pixel) {
    const Triangles& triangles = object.mesh.triangles;
    if (triangles.empty() || !(pixel > 0)) return 0;
    const auto count = static_cast<double>(triangles.size());
    // Edge of an equilateral triangle of the mean area.
    double edge = std::sqrt(area_of(woven_of(object), triangles) / count * 4 / std::sqrt(3.0));
    double most = kMaxTriangles / count;
    int levels = 0;
    for (; levels < kMaxLevels && edge > 3 * pixel && most >= 4; ++levels, edge /= 2, most /= 4) {
    }
    return levels;
}

ShadedSurface::ShadedSurface(const RenderObject& object, double pixel) : look_(&object.look) {
    require_drawable(object);
    const SmoothMesh smooth =
        smooth_mesh(object.mesh.positions, object.mesh.triangles, woven_of(object),
                    {levels_for(object, pixel), object.is_cloth ? 180 : kObstacleCrease, object.is_cloth});
    triangles_ = smooth.triangles;
    normals_.reserve(triangles_.size());
    for (const auto& corners : corner_normals(smooth.positions, triangles_))
        normals_.push_back({to_float(corners[0]), to_float(corners[1]), to_float(corners[2])});
    positions_.reserve(smooth.positions.size());
    for (const Vec3d& p : smooth.positions) positions_.push_back(to_float(p));
    if (!object.is_cloth) draw_back(positions_, triangles_, normals_);
    colours_ = object.colours;
    find_outside();
    if (colours_.empty() && look_->yarn.weave != Weave::none) set_thread_coordinates(object);
    const int levels = static_cast<int>(smooth.levels.size());
    if (!woven_at_.empty() && !object.seams.empty()) {
        seams_ = SeamField(object.seams, woven_of(object), object.mesh.triangles);
        seam_shift_ = 2 * levels;
    }
    if (look_->shine.gloss_band > 0 && !threads_.empty())
        for (const Vec3d& d : smoothed(warp_directions(object.mesh, threads_), object, levels))
            warp_.push_back(to_float(d));
    for (const LoopLevel& level : smooth.levels) {
        append_midpoints(level, woven_at_);
        threads_ = split_corners(threads_);
    }
    if (!woven_at_.empty() && levels > 0) move_threads(object, levels);
    if (!colours_.empty()) colours_ = smoothed(colours_, object, levels);
    if (!from_border_.empty()) from_border_ = smoothed(from_border_, object, levels);
    if (look_->shine.sheen > 0)
        sheen_albedo_ = LobeAlbedo(LobeAlbedo::Lobe::sheen, look_->shine.sheen_roughness);
    if (look_->shine.gloss > 0)
        gloss_albedo_ =
            LobeAlbedo(LobeAlbedo::Lobe::gloss, look_->shine.gloss_roughness, look_->shine.gloss_head_on);
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
    const float least = 0.01f * std::pow(area, 1.5f);
    turned_ = volume < -least;
    if (std::abs(volume) > least) inside_ = kInside;
}

// UVs count as metres if their area fits that of the mesh; otherwise they are scaled until it does.
void ShadedSurface::set_thread_coordinates(const RenderObject& object) {
    const TriMesh& mesh = object.mesh;
    const std::vector<Vec3d>& woven = woven_of(object);
    const double area = area_of(woven, mesh.triangles);
    if (look_->hem.width > 0 && area > 0) {
        hem_ = static_cast<float>(std::min<double>(look_->hem.width, kHemOfSide * std::sqrt(area)));
        const double edge = std::sqrt(2 * area / static_cast<double>(mesh.triangles.size()));
        from_border_ = border_distances(woven, mesh.triangles, hem_ + 3 * edge);
    }
    for (const Vec3d& p : woven) woven_at_.push_back(to_float(p));
    double uv_area = 0;
    for (const auto& [i, j, k] : mesh.uv_triangles) {
        const Vec2d w = mesh.uvs[at_index(i)];
        uv_area += std::abs(cross(mesh.uvs[at_index(j)] - w, mesh.uvs[at_index(k)] - w)) / 2;
    }
    if (!(uv_area > 0) || !(area > 0)) return;
    const double ratio = area / uv_area, scale = ratio > 0.8 && ratio < 1.25 ? 1 : std::sqrt(ratio);
    for (const auto& triangle : mesh.uv_triangles) {
        auto& corners = threads_.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2d w = mesh.uvs[at_index(triangle[i])];
            corners[i] = {static_cast<float>(scale * w.x), static_cast<float>(scale * w.y)};
        }
    }
    const auto count = static_cast<double>(mesh.triangles.size());
    if (mesh.uvs.size() == 3 * mesh.triangles.size())
        join_corners(threads_, mesh.triangles, mesh.positions.size(),
                     static_cast<float>(2 * std::sqrt(area / count)));
}

// Loop's rules move new vertices along the cloth where the mesh is uneven, as between vertices of four and of
// eight edges. Threads that stayed behind would be bent around every vertex.
void ShadedSurface::move_threads(const RenderObject& object, int levels) {
    std::vector<Vec3f> moved;
    moved.reserve(woven_at_.size());
    for (const Vec3d& p : smoothed(woven_of(object), object, levels)) moved.push_back(to_float(p));
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        const auto [wa, wb, wc] = threads_[t];
        const Vec2<float> p = wb - wa, q = wc - wa;
        const auto& [a, b, c] = triangles_[t];
        const Vec3f e = woven_at_[at_index(b)] - woven_at_[at_index(a)],
                    f = woven_at_[at_index(c)] - woven_at_[at_index(a)];
        const float ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), det = ee * ff - ef * ef;
        if (!(det > 1e-4f * ee * ff)) continue;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t v = at_index(triangles_[t][i]);
            const Vec3f by = moved[v] - woven_at_[v];
            const float x = dot(by, e), y = dot(by, f);
            threads_[t][i] = threads_[t][i] + (((x * ff - y * ef) / det) * p + ((y * ee - x * ef) / det) * q);
        }
    }
    woven_at_ = std::move(moved);
}

}  // namespace rumple
