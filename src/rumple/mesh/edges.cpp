#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>
#include <tuple>

namespace rumple {

std::vector<EdgeWalk> sorted_edge_walks(const TriMesh& mesh) {
    std::vector<EdgeWalk> walks;
    walks.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& v = mesh.triangles[t];
        for (int k = 0; k < 3; ++k)
            walks.push_back({v[std::size_t(k)], v[std::size_t((k + 1) % 3)], int(t), k});
    }
    std::sort(walks.begin(), walks.end(), [](const EdgeWalk& a, const EdgeWalk& b) {
        return std::tuple(a.low(), a.high(), a.triangle, a.corner) <
               std::tuple(b.low(), b.high(), b.triangle, b.corner);
    });
    return walks;
}

std::span<const EdgeWalk> edge_at(const std::vector<EdgeWalk>& walks, std::size_t begin) {
    const EdgeWalk& first = walks[begin];
    std::size_t end = begin + 1;
    while (end < walks.size() && walks[end].low() == first.low() && walks[end].high() == first.high()) ++end;
    return {walks.data() + begin, end - begin};
}

void require_manifold(std::span<const EdgeWalk> edge, const std::string& name) {
    const EdgeWalk& w = edge.front();
    const bool repeats =
        std::adjacent_find(edge.begin(), edge.end(), [](const EdgeWalk& a, const EdgeWalk& b) {
            return a.triangle == b.triangle;
        }) != edge.end();
    if (w.from == w.to || repeats)
        throw InputError(name, fmt::format("triangle {} (counting from 0) uses one vertex twice", w.triangle),
                         "remove it or give it three different vertices", {"", {w.low(), w.high()}});
    if (edge.size() > 2) {
        std::string list;
        constexpr std::size_t kListed = 8;
        for (std::size_t i = 0; i < std::min(edge.size(), kListed); ++i)
            list += fmt::format("{}{}", i ? ", " : "", edge[i].triangle);
        if (edge.size() > kListed) list += ", ...";
        throw InputError(
            name,
            fmt::format("the edge between vertices {} and {} (counting from 0) belongs to {} triangles: {}",
                        w.low(), w.high(), edge.size(), list),
            "an edge may have at most two; remove or separate the others", {"", {w.low(), w.high()}});
    }
    if (edge.size() == 2 && edge[0].from == edge[1].from)
        throw InputError(
            name,
            fmt::format(
                "triangles {} and {} (counting from 0) wind the edge between vertices {} and {} in the "
                "same direction",
                edge[0].triangle, edge[1].triangle, w.low(), w.high()),
            "neighbours must face the same side; flip the winding of one part", {"", {w.low(), w.high()}});
}

}  // namespace rumple
