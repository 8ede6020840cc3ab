#include <algorithm>
#include <numeric>
#include <rumple/mesh/edges.hpp>
#include <rumple/scene/selection.hpp>

namespace rumple {

namespace {

// The lowest vertex connected to v: every vertex points to a lower one of its loop or to itself.
int lowest(std::vector<int>& parent, int v) {
    while (parent[std::size_t(v)] != v) {
        int& up = parent[std::size_t(v)];
        up = parent[std::size_t(up)];
        v = up;
    }
    return v;
}

}  // namespace

std::vector<std::vector<int>> boundary_loops(const TriMesh& mesh) {
    const std::size_t count = mesh.positions.size();
    std::vector<int> parent(count);
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<bool> on_border(count);
    const auto walks = sorted_edge_walks(mesh);
    for (std::size_t begin = 0; begin < walks.size();) {
        const auto edge = edge_at(walks, begin);
        begin += edge.size();
        if (edge.size() != 1) continue;
        const int a = lowest(parent, edge[0].from), b = lowest(parent, edge[0].to);
        parent[std::size_t(std::max(a, b))] = std::min(a, b);
        on_border[std::size_t(edge[0].from)] = on_border[std::size_t(edge[0].to)] = true;
    }
    std::vector<std::vector<int>> loops;
    std::vector<std::size_t> loop_of(count);
    for (std::size_t v = 0; v < count; ++v) {
        if (!on_border[v]) continue;
        const int first = lowest(parent, static_cast<int>(v));
        if (static_cast<std::size_t>(first) == v) {
            loop_of[v] = loops.size();
            loops.emplace_back();
        }
        loops[loop_of[std::size_t(first)]].push_back(static_cast<int>(v));
    }
    return loops;
}

}  // namespace rumple
