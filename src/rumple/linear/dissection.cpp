#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/linear/dissection.hpp>

namespace rumple {

namespace {

enum Side : signed char { kOutside, kLow, kHigh };

class Dissector {
  public:
    Dissector(const BlockPattern& graph, std::span<const Vec3d> x, int leaf_size)
        : graph_(graph), x_(x), leaf_size_(at(leaf_size)), side_(x.size(), kOutside) {}

    void cut(std::vector<int> nodes, Dissection& out) {
        if (nodes.size() <= leaf_size_) return emit(nodes, out);
        std::vector<int> low, high, separator;
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<int> l, h, s;
            split(nodes, axis, l, h, s);
            if (axis == 0 || s.size() < separator.size()) {
                low = std::move(l);
                high = std::move(h);
                separator = std::move(s);
            }
        }
        if (low.empty() || high.empty()) return emit(nodes, out);
        std::vector<int>().swap(nodes);
        cut(std::move(low), out);
        cut(std::move(high), out);
        emit(separator, out);
    }

  private:
    // Halves along an axis, less those of one half that touch the other: whichever are fewer.
    void split(std::vector<int>& nodes, int axis, std::vector<int>& low, std::vector<int>& high,
               std::vector<int>& separator) {
        const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
        std::nth_element(nodes.begin(), middle, nodes.end(), [&](int a, int b) {
            const double xa = x_[at(a)][axis], xb = x_[at(b)][axis];
            return xa < xb || (xa == xb && a < b);
        });
        std::sort(nodes.begin(), middle);  // nth_element leaves an order of its own
        std::sort(middle, nodes.end());
        for (auto n = nodes.begin(); n != nodes.end(); ++n) side_[at(*n)] = n < middle ? kLow : kHigh;
        std::vector<int> low_edge, high_edge;
        for (const int n : nodes)
            if (touches(n, side_[at(n)] == kLow ? kHigh : kLow))
                (side_[at(n)] == kLow ? low_edge : high_edge).push_back(n);
        separator = low_edge.size() < high_edge.size() ? low_edge : high_edge;
        for (const int n : separator) side_[at(n)] = kOutside;
        for (const int n : nodes)
            if (side_[at(n)] != kOutside) (side_[at(n)] == kLow ? low : high).push_back(n);
        for (const int n : nodes) side_[at(n)] = kOutside;
    }

    bool touches(int node, Side other) const {
        for (int k = graph_.row_begin[at(node)]; k < graph_.row_begin[at(node) + 1]; ++k)
            if (side_[at(graph_.column[at(k)])] == other) return true;
        return false;
    }

    static void emit(const std::vector<int>& nodes, Dissection& out) {
        if (nodes.empty()) return;
        Supernode s;
        s.first = static_cast<int>(out.old_of_new.size());
        out.old_of_new.insert(out.old_of_new.end(), nodes.begin(), nodes.end());
        s.last = static_cast<int>(out.old_of_new.size());
        out.supernode_of_node.insert(out.supernode_of_node.end(), nodes.size(),
                                     static_cast<int>(out.supernode.size()));
        out.supernode.push_back(std::move(s));
    }

    const BlockPattern& graph_;
    std::span<const Vec3d> x_;
    std::size_t leaf_size_;
    std::vector<Side> side_;
};

// Rows of each supernode: what its own nodes touch and what its children reach, less what is eliminated.
void find_rows(const BlockPattern& graph, Dissection& d) {
    std::vector<std::vector<int>> children(d.supernode.size());
    for (std::size_t s = 0; s < d.supernode.size(); ++s) {
        Supernode& node = d.supernode[s];
        for (int n = node.first; n < node.last; ++n) {
            const std::size_t old = at(d.old_of_new[at(n)]);
            for (int k = graph.row_begin[old]; k < graph.row_begin[old + 1]; ++k)
                node.row.push_back(d.new_of_old[at(graph.column[at(k)])]);
        }
        for (const int c : children[s])
            node.row.insert(node.row.end(), d.supernode[at(c)].row.begin(), d.supernode[at(c)].row.end());
        std::sort(node.row.begin(), node.row.end());
        node.row.erase(std::unique(node.row.begin(), node.row.end()), node.row.end());
        node.row.erase(node.row.begin(), std::lower_bound(node.row.begin(), node.row.end(), node.last));
        if (node.row.empty()) continue;
        node.parent = d.supernode_of_node[at(node.row.front())];
        children[at(node.parent)].push_back(static_cast<int>(s));
    }
}

}  // namespace

int local_row(const Supernode& supernode, int node) {
    if (node < supernode.last) return node - supernode.first;
    const auto found = std::lower_bound(supernode.row.begin(), supernode.row.end(), node);
    return supernode.size() + static_cast<int>(found - supernode.row.begin());
}

Dissection dissect(const BlockPattern& graph, std::span<const Vec3d> position, int leaf_size) {
    Dissection d;
    std::vector<int> all(at(graph.rows));
    for (int i = 0; i < graph.rows; ++i) all[at(i)] = i;
    Dissector(graph, position, leaf_size).cut(std::move(all), d);
    d.new_of_old.resize(at(graph.rows));
    for (std::size_t n = 0; n < d.old_of_new.size(); ++n)
        d.new_of_old[at(d.old_of_new[n])] = static_cast<int>(n);
    find_rows(graph, d);
    return d;
}

}  // namespace rumple
