#include <rumple/contact/surface.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <rumple/core/error.hpp>

namespace rumple::contact {

namespace {

void check(const BodyMesh& body, std::size_t index, bool cloths_over) {
    if (body.kind == BodyKind::cloth && cloths_over)
        throw InputError("contact surface", fmt::format("body {} is a cloth after an obstacle", index),
                         "cloths come first");
    for (std::size_t t = 0; t < body.triangles.size(); ++t)
        for (int v : body.triangles[t])
            if (v < 0 || v >= body.vertex_count)
                throw InputError("contact surface",
                                 fmt::format("triangle {} of body {} has vertex {}, but there are {}", t,
                                             index, v, body.vertex_count));
}

// One side of a triangle, so that equal edges come together when sorted.
struct Side {
    int low, high, triangle, corner;
    auto operator<=>(const Side&) const = default;
};

// Numbers the edges of the triangles from `first` on; the lowest triangle of an edge stands for it.
void number_edges(Surface& s, int first_triangle) {
    std::vector<Side> sides;
    const int triangle_count = static_cast<int>(s.triangles.size());
    sides.reserve(3 * static_cast<std::size_t>(triangle_count - first_triangle));
    for (int t = first_triangle; t < triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const auto& corners = s.triangles[static_cast<std::size_t>(t)];
            const int v = corners[static_cast<std::size_t>(k)],
                      w = corners[static_cast<std::size_t>((k + 1) % 3)];
            sides.push_back({std::min(v, w), std::max(v, w), t, k});
        }
    std::ranges::sort(sides);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        const auto t = static_cast<std::size_t>(side.triangle);
        if (i == 0 || sides[i - 1].low != side.low || sides[i - 1].high != side.high) {
            s.edges.push_back({side.low, side.high});
            s.owns[t] = static_cast<std::uint8_t>(s.owns[t] | (8u << side.corner));
        }
        s.triangle_edges[t][static_cast<std::size_t>(side.corner)] = static_cast<int>(s.edges.size()) - 1;
    }
}

void assign_vertices(Surface& s) {
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(s.vertex_count), 0);
    for (std::size_t t = 0; t < s.triangles.size(); ++t)
        for (unsigned k = 0; k < 3; ++k) {
            std::uint8_t& is_taken = taken[static_cast<std::size_t>(s.triangles[t][k])];
            if (!is_taken) s.owns[t] = static_cast<std::uint8_t>(s.owns[t] | (1u << k));
            is_taken = 1;
        }
}

void list_neighbours(Surface& s) {
    s.edge_triangles.assign(s.edges.size(), {-1, -1});
    s.around_begin.assign(static_cast<std::size_t>(s.vertex_count) + 1, 0);
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
        for (int e : s.triangle_edges[t]) {
            auto& sides = s.edge_triangles[static_cast<std::size_t>(e)];
            (sides[0] < 0 ? sides[0] : sides[1]) = static_cast<int>(t);
        }
        for (int v : s.triangles[t]) ++s.around_begin[static_cast<std::size_t>(v) + 1];
    }
    std::partial_sum(s.around_begin.begin(), s.around_begin.end(), s.around_begin.begin());
    s.around.resize(static_cast<std::size_t>(s.around_begin.back()));
    std::vector<int> next(s.around_begin.begin(), s.around_begin.end() - 1);
    for (std::size_t t = 0; t < s.triangles.size(); ++t)
        for (int v : s.triangles[t])
            s.around[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(t);
}

}  // namespace

Surface make_surface(std::span<const BodyMesh> bodies) {
    Surface s;
    bool cloths_over = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyMesh& mesh = bodies[i];
        check(mesh, i, cloths_over);
        cloths_over = cloths_over || mesh.kind != BodyKind::cloth;

        SurfaceBody body;
        body.kind = mesh.kind;
        body.moves = mesh.moves;
        body.vertex_begin = s.vertex_count;
        body.triangle_begin = static_cast<int>(s.triangles.size());
        body.edge_begin = static_cast<int>(s.edges.size());
        for (const auto& t : mesh.triangles)
            s.triangles.push_back({t[0] + s.vertex_count, t[1] + s.vertex_count, t[2] + s.vertex_count});
        s.triangle_edges.resize(s.triangles.size());
        s.owns.resize(s.triangles.size(), 0);
        number_edges(s, body.triangle_begin);
        s.vertex_count += mesh.vertex_count;
        body.vertex_end = s.vertex_count;
        body.triangle_end = static_cast<int>(s.triangles.size());
        body.edge_end = static_cast<int>(s.edges.size());
        s.bodies.push_back(body);
        s.body_of_vertex.resize(static_cast<std::size_t>(s.vertex_count), static_cast<int>(i));
        s.body_of_triangle.resize(s.triangles.size(), static_cast<int>(i));
        s.body_of_edge.resize(s.edges.size(), static_cast<int>(i));
    }
    assign_vertices(s);
    list_neighbours(s);
    return s;
}

}  // namespace rumple::contact
