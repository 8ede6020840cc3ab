#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/selection.hpp>

namespace rumple {

namespace {

constexpr double kInfinity = HUGE_VAL;
// Coordinates that were meant to be equal differ by rounding: part of the cloth's diagonal.
constexpr double kRounding = 1e-9;
constexpr double kRingTolerance = 1e-4;  // default; part of the cloth's diagonal

struct Bounds {
    Vec3d min{kInfinity, kInfinity, kInfinity}, max{-kInfinity, -kInfinity, -kInfinity};
    double diagonal() const { return norm(max - min); }
};

Bounds bounds_of(std::span<const Vec3d> positions) {
    Bounds bounds;
    for (const Vec3d& x : positions)
        for (int k = 0; k < 3; ++k) {
            bounds.min[k] = std::min(bounds.min[k], x[k]);
            bounds.max[k] = std::max(bounds.max[k], x[k]);
        }
    return bounds;
}

// A number, or null for no bound on this side.
double read_bound(const JsonPlace& place, double open) {
    return place.value().is_null() ? open : place.number(kCoordinate);
}

Vec3d read_corner(const JsonPlace& box, const std::string& key, double open) {
    const auto place = box.find(key);
    if (!place) return {open, open, open};
    const auto part = place->elements();
    if (part.size() != 3)
        place->fail("is not a corner of a box", "give [x, y, z], null where there is no limit");
    return {read_bound(part[0], open), read_bound(part[1], open), read_bound(part[2], open)};
}

std::vector<int> vertices_where(std::size_t count, const auto& holds) {
    std::vector<int> some;
    for (std::size_t v = 0; v < count; ++v)
        if (holds(v)) some.push_back(static_cast<int>(v));
    return some;
}

std::vector<int> select_box(const JsonPlace& place, std::span<const Vec3d> positions) {
    place.require_keys("box");
    const Vec3d min = read_corner(place, "min", -kInfinity), max = read_corner(place, "max", kInfinity);
    for (int k = 0; k < 3; ++k)
        if (min[k] > max[k]) place.fail("its min is beyond its max");
    const Bounds cloth = bounds_of(positions);
    const double slack = kRounding * cloth.diagonal();
    auto some = vertices_where(positions.size(), [&](std::size_t v) {
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside = inside && positions[v][k] >= min[k] - slack && positions[v][k] <= max[k] + slack;
        return inside;
    });
    if (some.empty())
        place.fail(
            "selects no vertex",
            fmt::format("the cloth reaches from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m",
                        cloth.min.x, cloth.min.y, cloth.min.z, cloth.max.x, cloth.max.y, cloth.max.z));
    return some;
}

// {"ring": "top"} or {"ring": {"axis", "at", "tolerance"}}
std::vector<int> select_ring(const JsonPlace& place, std::span<const Vec3d> positions) {
    const bool brief = place.value().is_string();
    if (!brief) place.require_keys("ring");
    const Vec3d axis = brief ? Vec3d{0, 0, 1} : place.direction_or("axis", {0, 0, 1});
    const double default_tolerance = kRingTolerance * bounds_of(positions).diagonal();
    const double tolerance =
        brief ? default_tolerance : place.number_or("tolerance", default_tolerance, {0, 1000, false, "m"});

    double low = kInfinity, high = -kInfinity;
    for (const Vec3d& x : positions) {
        low = std::min(low, dot(axis, x));
        high = std::max(high, dot(axis, x));
    }
    const JsonPlace at = brief ? place : place.at("at");
    const double level =
        !at.value().is_string() ? at.number(kCoordinate) : (at.choice({"top", "bottom"}) == 0 ? high : low);
    auto some = vertices_where(positions.size(), [&](std::size_t v) {
        return std::abs(dot(axis, positions[v]) - level) <= tolerance;
    });
    if (some.empty()) {
        double nearest = low;
        for (const Vec3d& x : positions)
            if (std::abs(dot(axis, x) - level) < std::abs(nearest - level)) nearest = dot(axis, x);
        place.fail("selects no vertex", fmt::format("along its axis the cloth reaches from {:.6g} to {:.6g} "
                                                    "m, and the vertex nearest to {:.6g} m is at "
                                                    "{:.6g} m (tolerance {:.3g} m)",
                                                    low, high, level, nearest, tolerance));
    }
    return some;
}

std::vector<int> select_boundary(const JsonPlace& place, const TriMesh& mesh) {
    const auto loops = boundary_loops(mesh);
    if (loops.empty()) place.fail("selects no vertex", "the cloth is closed and has no boundary");
    if (!place.value().is_string()) {
        const int last = static_cast<int>(loops.size()) - 1;
        if (!place.value().is_number_integer() || place.value() < 0 || place.value() > last)
            place.fail(fmt::format("the cloth has {} boundary loops", loops.size()),
                       last == 0 ? "give \"all\" or 0" : fmt::format("give \"all\" or 0 to {}", last));
        return loops[place.value().get<std::size_t>()];
    }
    place.choice({"all"});
    std::vector<int> some;
    for (const auto& loop : loops) some.insert(some.end(), loop.begin(), loop.end());
    return some;
}

std::pair<double, double> read_interval(const JsonPlace& uv, const std::string& key) {
    const auto place = uv.find(key);
    if (!place) return {-kInfinity, kInfinity};
    const auto part = place->elements();
    if (part.size() != 2) place->fail("is not a range", "give [from, to], null where there is no limit");
    const std::pair<double, double> range{read_bound(part[0], -kInfinity), read_bound(part[1], kInfinity)};
    if (range.first > range.second) place->fail("its end is before its beginning");
    return range;
}

std::vector<int> select_uv(const JsonPlace& place, const TriMesh& mesh) {
    place.require_keys("uv_range");
    if (!mesh.has_uvs()) place.fail("selects no vertex", "the cloth's mesh has no UVs");
    const auto [u0, u1] = read_interval(place, "u");
    const auto [v0, v1] = read_interval(place, "v");
    Vec2d low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
    for (const Vec2d& uv : mesh.uvs) {
        low = {std::min(low.x, uv.x), std::min(low.y, uv.y)};
        high = {std::max(high.x, uv.x), std::max(high.y, uv.y)};
    }
    const double slack = kRounding * norm(high - low);
    std::vector<int> some;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2d uv = mesh.uvs[std::size_t(mesh.uv_triangles[t][k])];
            if (uv.x >= u0 - slack && uv.x <= u1 + slack && uv.y >= v0 - slack && uv.y <= v1 + slack)
                some.push_back(mesh.triangles[t][k]);
        }
    if (some.empty())
        place.fail("selects no vertex",
                   fmt::format("u reaches from {:.6g} to {:.6g} and v from {:.6g} to {:.6g} m", low.x, high.x,
                               low.y, high.y));
    return some;
}

std::vector<int> select_listed(const JsonPlace& place, std::size_t count) {
    std::vector<int> some;
    for (const JsonPlace& element : place.elements()) {
        const auto& index = element.value();
        if (!index.is_number_integer() || index < 0 || index >= count)
            element.fail(fmt::format("there is no vertex {}", index.dump()),
                         fmt::format("the cloth's vertices are 0 to {}", count - 1));
        some.push_back(index.get<int>());
    }
    if (some.empty())
        place.fail("selects no vertex", fmt::format("the cloth's vertices are 0 to {}", count - 1));
    return some;
}

std::vector<int> select_near(const JsonPlace& place, std::span<const Vec3d> positions) {
    place.require_keys("near");
    const Vec3d point = place.at("point").vector(kCoordinate);
    const int count =
        place.has("count") ? place.at("count").integer(1, static_cast<int>(positions.size())) : 1;
    std::vector<int> order(positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto squared = [&](int v) {
        const Vec3d d = positions[std::size_t(v)] - point;
        return dot(d, d);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return squared(a) < squared(b); });
    order.resize(std::size_t(count));
    return order;
}

std::vector<int> select_set(const JsonPlace& place, const std::map<std::string, std::vector<int>>& sets) {
    const std::string name = place.text();
    std::vector<std::string> names;
    for (const auto& [other, vertices] : sets) {
        if (other == name) return vertices;
        names.push_back(other);
    }
    if (names.empty())
        place.fail("the cloth has no named vertices",
                   "only a \"garment\" has some: select by box, ring, boundary, uv, vertices or near");
    place.fail(fmt::format("the garment has no vertices called \"{}\"", name), suggestion(name, names));
}

}  // namespace

std::vector<int> select_vertices(const JsonPlace& place, const TriMesh& mesh,
                                 std::span<const Vec3d> positions,
                                 const std::map<std::string, std::vector<int>>& sets) {
    place.require_keys("selection");
    const std::string kind = place.one_of({"box", "ring", "boundary", "uv", "vertices", "near", "set"});
    const JsonPlace inner = place.at(kind);
    std::vector<int> some = kind == "box"        ? select_box(inner, positions)
                            : kind == "ring"     ? select_ring(inner, positions)
                            : kind == "boundary" ? select_boundary(inner, mesh)
                            : kind == "uv"       ? select_uv(inner, mesh)
                            : kind == "vertices" ? select_listed(inner, positions.size())
                            : kind == "set"      ? select_set(inner, sets)
                                                 : select_near(inner, positions);
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

}  // namespace rumple
