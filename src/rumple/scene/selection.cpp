#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/core/bounds.hpp>
#include <rumple/core/index.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/selection.hpp>

namespace rumple {

namespace {

// Coordinates that were meant to be equal differ by rounding: part of the cloth's diagonal.
constexpr double kRounding = 1e-9;
constexpr double kRingTolerance = 1e-4;  // default; part of the cloth's diagonal

std::vector<int> vertices_where(std::size_t count, const auto& holds) {
    std::vector<int> some;
    for (std::size_t v = 0; v < count; ++v)
        if (holds(v)) some.push_back(static_cast<int>(v));
    return some;
}

std::vector<int> select(const Place& place, const BoxSelector& box, const Selectable& cloth) {
    for (int k = 0; k < 3; ++k)
        if (!(box.min[k] <= box.max[k])) place.fail("its min is beyond its max");
    const Bounds all = bounds_of(cloth.positions);
    const double slack = kRounding * norm(all.size());
    auto some = vertices_where(cloth.positions.size(), [&](std::size_t v) {
        const Vec3d x = cloth.positions[v];
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside = inside && x[k] >= box.min[k] - slack && x[k] <= box.max[k] + slack;
        return inside;
    });
    if (some.empty())
        place.fail(
            "selects no vertex",
            fmt::format("the cloth reaches from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m",
                        all.low.x, all.low.y, all.low.z, all.high.x, all.high.y, all.high.z));
    return some;
}

std::vector<int> select(const Place& place, const RingSelector& ring, const Selectable& cloth) {
    const Vec3d axis = ring.axis;
    const double tolerance =
        ring.tolerance.value_or(kRingTolerance * norm(bounds_of(cloth.positions).size()));
    double low = kNoLimit, high = -kNoLimit;
    for (const Vec3d& x : cloth.positions) {
        low = std::min(low, dot(axis, x));
        high = std::max(high, dot(axis, x));
    }
    const auto* end = std::get_if<RingSelector::End>(&ring.at);
    const double level =
        end == nullptr ? std::get<double>(ring.at) : (*end == RingSelector::End::top ? high : low);
    auto some = vertices_where(cloth.positions.size(), [&](std::size_t v) {
        return std::abs(dot(axis, cloth.positions[v]) - level) <= tolerance;
    });
    if (!some.empty()) return some;
    double nearest = low;
    for (const Vec3d& x : cloth.positions)
        if (std::abs(dot(axis, x) - level) < std::abs(nearest - level)) nearest = dot(axis, x);
    place.fail(
        "selects no vertex",
        fmt::format("along its axis the cloth reaches from {:.6g} to {:.6g} m, and the vertex nearest to "
                    "{:.6g} m is at {:.6g} m (tolerance {:.3g} m)",
                    low, high, level, nearest, tolerance));
}

std::vector<int> select(const Place& place, const BorderSelector& border, const Selectable& cloth) {
    const auto loops = boundary_loops(cloth.mesh);
    if (loops.empty()) place.fail("selects no vertex", "the cloth is closed and has no boundary");
    if (border.loop) {
        const int last = static_cast<int>(loops.size()) - 1;
        if (*border.loop < 0 || *border.loop > last)
            place.fail(fmt::format("the cloth has {} boundary loops", loops.size()),
                       last == 0 ? "give \"all\" or 0" : fmt::format("give \"all\" or 0 to {}", last));
        return loops[at(*border.loop)];
    }
    std::vector<int> some;
    for (const auto& loop : loops) some.insert(some.end(), loop.begin(), loop.end());
    return some;
}

std::vector<int> select(const Place& place, const UvSelector& range, const Selectable& cloth) {
    const TriMesh& mesh = cloth.mesh;
    if (!mesh.has_uvs()) place.fail("selects no vertex", "the cloth's mesh has no UVs");
    if (!(range.u.first <= range.u.second)) place.at("u").fail("its end is before its beginning");
    if (!(range.v.first <= range.v.second)) place.at("v").fail("its end is before its beginning");
    Vec2d low{kNoLimit, kNoLimit}, high{-kNoLimit, -kNoLimit};
    for (const Vec2d& uv : mesh.uvs) {
        low = {std::min(low.x, uv.x), std::min(low.y, uv.y)};
        high = {std::max(high.x, uv.x), std::max(high.y, uv.y)};
    }
    const double slack = kRounding * norm(high - low);
    const auto within = [slack](double x, std::pair<double, double> limits) {
        return x >= limits.first - slack && x <= limits.second + slack;
    };
    std::vector<int> some;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec2d uv = mesh.uvs[at(mesh.uv_triangles[t][k])];
            if (within(uv.x, range.u) && within(uv.y, range.v)) some.push_back(mesh.triangles[t][k]);
        }
    if (some.empty())
        place.fail("selects no vertex",
                   fmt::format("u reaches from {:.6g} to {:.6g} and v from {:.6g} to {:.6g} m", low.x, high.x,
                               low.y, high.y));
    return some;
}

std::vector<int> select(const Place& place, const VertexSelector& list, const Selectable& cloth) {
    const int last = static_cast<int>(cloth.positions.size()) - 1;
    const std::string remedy = fmt::format("the cloth's vertices are 0 to {}", last);
    for (std::size_t i = 0; i < list.vertices.size(); ++i)
        if (list.vertices[i] < 0 || list.vertices[i] > last)
            place.element(i).fail(fmt::format("there is no vertex {}", list.vertices[i]), remedy);
    if (list.vertices.empty()) place.fail("selects no vertex", remedy);
    return list.vertices;
}

std::vector<int> select(const Place& place, const NearSelector& near, const Selectable& cloth) {
    place.at("count").check_whole(near.count, 1, static_cast<int>(cloth.positions.size()));
    std::vector<int> order(cloth.positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto squared = [&](int v) {
        const Vec3d d = cloth.positions[at(v)] - near.point;
        return dot(d, d);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return squared(a) < squared(b); });
    order.resize(at(near.count));
    return order;
}

std::vector<int> select(const Place& place, const SetSelector& set, const Selectable& cloth) {
    std::vector<std::string> names;
    for (const auto& [name, vertices] : cloth.sets) {
        if (name == set.name) return vertices;
        names.push_back(name);
    }
    if (names.empty())
        place.fail("the cloth has no named vertices",
                   "only a \"garment\" has some: select by box, ring, boundary, uv, vertices or near");
    place.fail(fmt::format("the garment has no vertices called \"{}\"", set.name),
               suggestion(set.name, names));
}

// As scene files call the kinds, in the order of Selector.
constexpr const char* kKinds[] = {"box", "ring", "boundary", "uv", "vertices", "near", "set"};

}  // namespace

std::vector<int> select_vertices(const Place& place, const Selector& selector, const Selectable& cloth) {
    const Place inner = place.at(kKinds[selector.index()]);
    std::vector<int> some =
        std::visit([&](const auto& kind) { return select(inner, kind, cloth); }, selector);
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

}  // namespace rumple
