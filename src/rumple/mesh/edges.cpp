#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>

namespace rumple {

void sort_edge_walks(std::span<const std::array<int, 3>> triangles, std::size_t vertex_count,
                     EdgeWalks& sorted) {
    const auto each = [&](auto&& visit) {
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k)
                visit(EdgeWalk{triangles[t][k], triangles[t][k < 2 ? k + 1 : 0], int(t), int(k)});
    };
    auto& [walks, end] = sorted;
    end.assign(vertex_count + 1, 0);
    each([&](const EdgeWalk& w) { ++end[std::size_t(w.low()) + 1]; });
    for (std::size_t v = 0; v < vertex_count; ++v) end[v + 1] += end[v];
    walks.resize(3 * triangles.size());
    each([&](const EdgeWalk& w) { walks[std::size_t(end[std::size_t(w.low())]++)] = w; });
    // The walks of a lower vertex are in the order of their triangles: only the higher vertex is left to sort
    // by.
    const auto by_high = [](const EdgeWalk& a, const EdgeWalk& b) { return a.high() < b.high(); };
    int begin = 0;
    for (std::size_t v = 0; v < vertex_count; ++v) {
        const auto first = walks.begin() + begin, last = walks.begin() + end[v];
        begin = end[v];
        if (last - first > 32) {
            std::stable_sort(first, last, by_high);
            continue;
        }
        for (auto w = first; w != last; ++w)
            for (auto u = w; u != first && by_high(*u, *(u - 1)); --u) std::swap(*u, *(u - 1));
    }
}

std::vector<EdgeWalk> sorted_edge_walks(const TriMesh& mesh) {
    EdgeWalks sorted;
    sort_edge_walks(mesh.triangles, mesh.positions.size(), sorted);
    return std::move(sorted.walks);
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
