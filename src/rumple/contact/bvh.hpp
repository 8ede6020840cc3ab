// A hierarchy of boxes over numbered items, here the triangles of one body.
//
// The shape of the tree depends on the number of items alone: every node splits its leaves in two halves.
// `build` decides which items go where (halved at the median of the longest axis: no grid of cells, so a
// vertex at an absurd place spoils only the nodes that hold it); `refit` keeps that and moves the boxes. Both
// are parallel over subtrees that are fixed by the shape, so the tree is the same for any number of threads.
//
// Nodes lie in depth-first order: a node's first child follows it, children come after their parent.
#pragma once

#include <rumple/contact/box.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

class Bvh {
  public:
    struct Node {
        Box box;
        int second = 0;  // inner node: the second child; leaf: 0
        int begin = 0;   // leaf: its first slot; the slots of the leaf end where the next leaf's begin
    };
    static constexpr int kLeafItems = 8;

    Bvh() = default;
    explicit Bvh(int item_count);

    // Sorts the items by their boxes (one an item), then refits.
    void build(const Threads& threads, std::span<const Box> item_boxes);
    // Boxes moved; which item is where stays.
    void refit(const Threads& threads, std::span<const Box> item_boxes);
    // Have the boxes of the nodes grown so much, relative to those of the items, since they were built
    // that doing so again would pay?
    bool degraded() const { return cost_ > kWorstGrowth * cost_when_built_; }
    bool built() const { return built_; }

    bool empty() const { return nodes_.empty(); }
    int node_count() const { return static_cast<int>(nodes_.size()); }
    const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
    // The first node that is neither this one nor below it; node_count() where there is none.
    int after(int i) const { return after_[static_cast<std::size_t>(i)]; }
    int leaf_end(int i) const { return leaf_end_[static_cast<std::size_t>(i)]; }
    // Items and their boxes in the order of the leaves.
    int item(int slot) const { return items_[static_cast<std::size_t>(slot)]; }
    const Box& item_box(int slot) const { return slot_boxes_[static_cast<std::size_t>(slot)]; }

  private:
    static constexpr double kWorstGrowth = 1.4;
    struct Range {
        int node, begin, end;
    };
    void add_node(int begin, int end, int depth);
    void split(const Range& range, std::span<const Vec3<float>> centres);
    double refit_nodes(int first, int last);

    std::vector<Node> nodes_;
    std::vector<int> after_;
    std::vector<int> leaf_end_;               // one a node; of inner nodes: the end of all their slots
    std::vector<std::vector<Range>> levels_;  // inner nodes with the slots below them, by depth
    std::vector<Range> subtrees_;             // node, first node and end of the subtree: what one task refits
    std::vector<int> items_;
    std::vector<Box> slot_boxes_;
    std::vector<int> top_nodes_;  // inner nodes above the subtrees, children first
    double cost_ = 0, cost_when_built_ = 0;
    bool built_ = false;
};

// Two nodes below which items may overlap; of two trees, or of one tree, where a == b stands for the node
// with itself.
struct NodePair {
    int a, b;
};

// Cuts the comparison of two trees (the same tree twice: with itself) into at least about `wanted` tasks, if
// there is so much to do. What the tasks are depends on the trees alone.
void cut_into_tasks(const Bvh& a, const Bvh& b, int wanted, std::vector<NodePair>& tasks);

// Both children of one node, or of the other: the next pairs to look at. At most three, in a fixed order.
struct NodePairs {
    NodePair pair[3];
    int count = 0;
    void add(int a, int b) { pair[count++] = {a, b}; }
};
inline NodePairs descend(const Bvh& a, const Bvh& b, NodePair p) {
    NodePairs next;
    const Bvh::Node &na = a.node(p.a), &nb = b.node(p.b);
    if (&na == &nb) {
        next.add(p.a + 1, p.a + 1);
        next.add(na.second, na.second);
        next.add(p.a + 1, na.second);
    } else if (nb.second == 0 || (na.second != 0 && half_girth(na.box) >= half_girth(nb.box))) {
        next.add(p.a + 1, p.b);
        next.add(na.second, p.b);
    } else {
        next.add(p.a, p.b + 1);
        next.add(p.a, nb.second);
    }
    return next;
}

// Calls visit(leaf of a, leaf of b) for all leaves below the pair of nodes whose boxes overlap; in one tree,
// each two once, and each leaf with itself. Not below pairs for which enter(node of a, node of b) is false.
template <class Visit, class Enter>
void visit_leaves(const Bvh& a, const Bvh& b, NodePair start, Visit&& visit, Enter&& enter) {
    NodePair stack[192];  // each descent adds at most two, and trees are not deeper than 32 each
    int top = 0;
    stack[top++] = start;
    while (top > 0) {
        const NodePair p = stack[--top];
        const Bvh::Node &na = a.node(p.a), &nb = b.node(p.b);
        if (!enter(p.a, p.b) || !overlap(na.box, nb.box)) continue;
        if (na.second == 0 && nb.second == 0) {
            visit(p.a, p.b);
            continue;
        }
        const NodePairs next = descend(a, b, p);
        for (int i = 0; i < next.count; ++i) stack[top++] = next.pair[i];
    }
}

template <class Visit>
void visit_leaves(const Bvh& a, const Bvh& b, NodePair start, Visit&& visit) {
    visit_leaves(a, b, start, visit, [](int, int) { return true; });
}

// Calls visit(item of a, item of b) for all items below the pair of nodes whose boxes overlap; in one tree,
// each two once.
template <class Visit>
void visit_overlaps(const Bvh& a, const Bvh& b, NodePair start, Visit&& visit) {
    visit_leaves(a, b, start, [&](int leaf_a, int leaf_b) {
        const Bvh::Node &na = a.node(leaf_a), &nb = b.node(leaf_b);
        for (int i = na.begin; i < a.leaf_end(leaf_a); ++i) {
            if (!overlap(a.item_box(i), nb.box)) continue;
            for (int j = &na == &nb ? i + 1 : nb.begin; j < b.leaf_end(leaf_b); ++j)
                if (overlap(a.item_box(i), b.item_box(j))) visit(a.item(i), b.item(j));
        }
    });
}

}  // namespace rumple::contact
