#include <algorithm>
#include <cstdlib>
#include <rumple/core/index.hpp>
#include <rumple/mesh/numbering.hpp>
#include <utility>

namespace rumple {

namespace {

// Walks through the mesh breadth first, over the triangles around each vertex.
class Walker {
  public:
    explicit Walker(const TriMesh& mesh) : triangles_(mesh.triangles), reached_(mesh.positions.size()) {
        begin_.resize(mesh.positions.size() + 1);
        for (const auto& t : triangles_)
            for (int v : t) ++begin_[at(v) + 1];
        for (std::size_t v = 1; v < begin_.size(); ++v) begin_[v] += begin_[v - 1];
        around_.resize(3 * triangles_.size());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            for (int v : triangles_[t]) around_[next[at(v)]++] = static_cast<int>(t);
    }

    bool has_reached(int vertex) const { return reached_[at(vertex)] > 0; }

    // Appends all vertices that are connected with `start`, those without many triangles before their
    // sisters: they are left behind otherwise.
    void walk(int start, std::vector<int>& order) {
        ++walks_;
        reach(start, order);
        for (std::size_t front = order.size() - 1; front < order.size(); ++front) {
            const std::size_t first = order.size();
            const std::size_t v = at(order[front]);
            for (std::size_t i = begin_[v]; i < begin_[v + 1]; ++i)
                for (int other : triangles_[at(around_[i])])
                    if (reached_[at(other)] != walks_) reach(other, order);
            std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                      [&](int a, int b) { return std::pair(degree(a), a) < std::pair(degree(b), b); });
        }
    }

  private:
    std::size_t degree(int v) const { return begin_[at(v) + 1] - begin_[at(v)]; }
    void reach(int vertex, std::vector<int>& order) {
        reached_[at(vertex)] = walks_;
        order.push_back(vertex);
    }

    const std::vector<std::array<int, 3>>& triangles_;
    std::vector<std::size_t> begin_;  // of each vertex in around_, and the end
    std::vector<int> around_;         // triangles
    std::vector<int> reached_;        // by which walk last; 0: none
    int walks_ = 0;
};

std::vector<int> vertex_order(const TriMesh& mesh) {
    const auto count = static_cast<int>(mesh.positions.size());
    std::vector<int> order;
    order.reserve(mesh.positions.size());
    Walker walker(mesh);
    for (int start = 0; start < count; ++start) {
        if (walker.has_reached(start)) continue;
        const std::size_t first = order.size();
        int end = start;
        // What is farthest from anywhere is near an end; what is farthest from there, at one.
        for (int i = 0; i < 2; ++i) {
            walker.walk(end, order);
            end = order.back();
            order.resize(first);
        }
        walker.walk(end, order);
    }
    return order;
}

std::vector<int> triangle_order(const TriMesh& mesh, std::span<const int> new_vertex) {
    const auto lowest = [&](const std::array<int, 3>& t) {
        return at(std::min({new_vertex[at(t[0])], new_vertex[at(t[1])], new_vertex[at(t[2])]}));
    };
    std::vector<std::size_t> next(new_vertex.size() + 1);
    for (const auto& t : mesh.triangles) ++next[lowest(t) + 1];
    for (std::size_t v = 1; v < next.size(); ++v) next[v] += next[v - 1];
    std::vector<int> order(mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        order[next[lowest(mesh.triangles[t])]++] = static_cast<int>(t);
    return order;
}

// By the lower of their two triangles, and by the corner at which their edge begins in it.
std::vector<int> hinge_order(const TriMesh& mesh, std::span<const Hinge> hinges,
                             std::span<const int> new_triangle) {
    constexpr int kNone = -1;
    std::vector<int> of_corner(3 * mesh.triangles.size(), kNone);
    for (std::size_t h = 0; h < hinges.size(); ++h) {
        const Hinge& hinge = hinges[h];
        const bool keeps = new_triangle[at(hinge.t0)] < new_triangle[at(hinge.t1)];
        const int triangle = keeps ? hinge.t0 : hinge.t1, from = keeps ? hinge.x0 : hinge.x1;
        const auto& corners = mesh.triangles[at(triangle)];
        const auto corner = std::find(corners.begin(), corners.end(), from) - corners.begin();
        of_corner[3 * at(new_triangle[at(triangle)]) + static_cast<std::size_t>(corner)] =
            static_cast<int>(h);
    }
    std::erase(of_corner, kNone);
    return of_corner;
}

Hinge renumbered(const Hinge& h, std::span<const int> vertex, std::span<const int> triangle) {
    const Hinge same{vertex[at(h.x0)], vertex[at(h.x1)],   vertex[at(h.x2)],
                     vertex[at(h.x3)], triangle[at(h.t0)], triangle[at(h.t1)]};
    if (same.t0 < same.t1) return same;
    return {same.x1, same.x0, same.x3, same.x2, same.t1, same.t0};  // seen from its other triangle
}

}  // namespace

double mean_stride(const TriMesh& mesh, std::span<const int> number) {
    if (mesh.triangles.empty()) return 0;
    double sum = 0;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            sum += std::abs(old_number(number, at(t[i])) - old_number(number, at(t[(i + 1) % 3])));
    return sum / (3 * static_cast<double>(mesh.triangles.size()));
}

Numbering numbering_along(const TriMesh& mesh, std::span<const Hinge> hinges) {
    Numbering numbering;
    numbering.vertices = vertex_order(mesh);
    numbering.triangles = triangle_order(mesh, inverse(numbering.vertices));
    numbering.hinges = hinge_order(mesh, hinges, inverse(numbering.triangles));
    return numbering;
}

TriMesh renumbered(const TriMesh& mesh, const Numbering& numbering) {
    if (!numbering.changes()) return mesh;
    TriMesh result;
    result.positions = in_new_order(mesh.positions, numbering.vertices);
    result.triangles = in_new_order(mesh.triangles, numbering.triangles);
    const std::vector<int> new_vertex = inverse(numbering.vertices);
    for (auto& t : result.triangles)
        for (int& v : t) v = new_vertex[at(v)];
    result.uvs = mesh.uvs;
    if (mesh.has_uvs()) result.uv_triangles = in_new_order(mesh.uv_triangles, numbering.triangles);
    return result;
}

RestShape renumbered(const RestShape& rest, const Numbering& numbering) {
    if (!numbering.changes()) return rest;
    RestShape result;
    result.area = in_new_order(rest.area, numbering.triangles);
    result.gradient = in_new_order(rest.gradient, numbering.triangles);
    result.hinges = in_new_order(rest.hinges, numbering.hinges);
    const std::vector<int> vertex = inverse(numbering.vertices), triangle = inverse(numbering.triangles);
    for (Hinge& h : result.hinges) h = renumbered(h, vertex, triangle);
    result.hinge_length = in_new_order(rest.hinge_length, numbering.hinges);
    result.hinge_height = in_new_order(rest.hinge_height, numbering.hinges);
    result.hinge_angle = in_new_order(rest.hinge_angle, numbering.hinges);
    result.mean_edge_length = rest.mean_edge_length;
    result.warnings = rest.warnings;
    return result;
}

std::vector<int> inverse(std::span<const int> order) {
    std::vector<int> result(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) result[at(order[i])] = static_cast<int>(i);
    return result;
}

Numbering inverse(const Numbering& numbering) {
    return {inverse(numbering.vertices), inverse(numbering.triangles), inverse(numbering.hinges)};
}

}  // namespace rumple
