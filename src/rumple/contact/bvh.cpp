#include <rumple/contact/bvh.hpp>

#include <algorithm>
#include <numeric>

namespace rumple::contact {

namespace {

constexpr int kSubtreeDepth = 6;  // 64 subtrees are refitted in parallel

// How many of n items go to the first child: whole leaves, so that all leaves but the last are full.
int lower_half(int n) {
    const int leaves = (n + Bvh::kLeafItems - 1) / Bvh::kLeafItems;
    return leaves / 2 * Bvh::kLeafItems;
}

Vec3<float> centre(const Box& b) {
    if (!(b.lo[0] <= b.hi[0])) return {};  // an empty box may stand anywhere
    const auto middle = [&](int k) {
        return std::clamp(0.5f * b.lo[k] + 0.5f * b.hi[k], -std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::max());
    };
    return {middle(0), middle(1), middle(2)};
}

}  // namespace

Bvh::Bvh(int item_count) : items_(static_cast<std::size_t>(item_count)), slot_boxes_(items_.size()) {
    std::iota(items_.begin(), items_.end(), 0);
    if (item_count == 0) return;
    add_node(0, item_count, 0);
}

// The node over the slots [begin, end) and all below it.
void Bvh::add_node(int begin, int end, int depth) {
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, 0, begin});
    leaf_end_.push_back(end);
    after_.push_back(0);
    const bool is_leaf = end - begin <= kLeafItems;
    if (!is_leaf) {
        if (levels_.size() <= static_cast<std::size_t>(depth))
            levels_.resize(static_cast<std::size_t>(depth) + 1);
        levels_[static_cast<std::size_t>(depth)].push_back({node, begin, end});
        const int middle = begin + lower_half(end - begin);
        add_node(begin, middle, depth + 1);
        nodes_[static_cast<std::size_t>(node)].second = static_cast<int>(nodes_.size());
        add_node(middle, end, depth + 1);
    }
    after_[static_cast<std::size_t>(node)] = static_cast<int>(nodes_.size());
    if (depth < kSubtreeDepth && !is_leaf)
        top_nodes_.push_back(node);  // children come before their parents here
    else if (depth == kSubtreeDepth || (depth < kSubtreeDepth && is_leaf))
        subtrees_.push_back({node, node, static_cast<int>(nodes_.size())});
}

void Bvh::build(const Threads& threads, std::span<const Box> item_boxes) {
    std::vector<Vec3<float>> centres(item_boxes.size());
    threads.for_each(centres.size(), 4096, [&](std::size_t i) { centres[i] = centre(item_boxes[i]); });
    std::iota(items_.begin(), items_.end(), 0);
    for (const auto& level : levels_)
        threads.for_each(level.size(), std::max<std::size_t>(1, level.size() / 64),
                         [&](std::size_t i) { split(level[i], centres); });
    refit(threads, item_boxes);
    cost_when_built_ = cost_;
    built_ = true;
}

// Puts the lower half of the range's items, along the longest axis of their centres, first.
void Bvh::split(const Range& range, std::span<const Vec3<float>> centres) {
    constexpr float inf = Box::kInfinity;
    Vec3<float> lo{inf, inf, inf}, hi{-inf, -inf, -inf};
    const auto at = [&](int item) { return centres[static_cast<std::size_t>(item)]; };
    const auto begin = items_.begin() + range.begin, end = items_.begin() + range.end;
    for (auto i = begin; i != end; ++i) {
        const Vec3<float> c = at(*i);
        lo = {std::min(lo.x, c.x), std::min(lo.y, c.y), std::min(lo.z, c.z)};
        hi = {std::max(hi.x, c.x), std::max(hi.y, c.y), std::max(hi.z, c.z)};
    }
    const Vec3<float> size = hi - lo;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const auto before = [&](int i, int j) {  // a total order, so that the halves are one set for any sort
        const float ci = at(i)[axis], cj = at(j)[axis];
        return ci != cj ? ci < cj : i < j;
    };
    std::nth_element(begin, begin + lower_half(range.end - range.begin), end, before);
}

void Bvh::refit(const Threads& threads, std::span<const Box> item_boxes) {
    if (nodes_.empty()) return;
    std::vector<double> parts(subtrees_.size()), item_parts(subtrees_.size());
    threads.for_each(subtrees_.size(), 1, [&](std::size_t i) {
        const Range& tree = subtrees_[i];
        double girth = 0;
        for (int slot = node(tree.begin).begin; slot < leaf_end(tree.begin); ++slot) {
            const Box& box = item_boxes[static_cast<std::size_t>(item(slot))];
            slot_boxes_[static_cast<std::size_t>(slot)] = box;
            girth += half_girth(box);
        }
        item_parts[i] = girth;
        parts[i] = refit_nodes(tree.begin, tree.end);
    });
    double nodes_girth = std::accumulate(parts.begin(), parts.end(), 0.0);
    const double items_girth = std::accumulate(item_parts.begin(), item_parts.end(), 0.0);
    for (int i : top_nodes_) nodes_girth += refit_nodes(i, i + 1);
    cost_ = items_girth > 0 ? nodes_girth / items_girth : 0;
}

// Boxes of the nodes [first, last), from those of their children or items. Their girths summed.
double Bvh::refit_nodes(int first, int last) {
    double girth = 0;
    for (int i = last - 1; i >= first; --i) {
        Node& n = nodes_[static_cast<std::size_t>(i)];
        if (n.second != 0) {
            n.box = joined(node(i + 1).box, node(n.second).box);
        } else {
            n.box = {};
            for (int slot = n.begin; slot < leaf_end(i); ++slot) n.box = joined(n.box, item_box(slot));
        }
        girth += half_girth(n.box);
    }
    return girth;
}

void cut_into_tasks(const Bvh& a, const Bvh& b, int wanted, std::vector<NodePair>& tasks) {
    tasks.clear();
    if (a.empty() || b.empty()) return;
    tasks.push_back({0, 0});
    std::vector<NodePair> finer;
    for (bool can_split = true; can_split && static_cast<int>(tasks.size()) < wanted;) {
        can_split = false;
        finer.clear();
        for (NodePair p : tasks) {
            if (!overlap(a.node(p.a).box, b.node(p.b).box)) continue;
            if (a.node(p.a).second == 0 && b.node(p.b).second == 0) {
                finer.push_back(p);
                continue;
            }
            can_split = true;
            const NodePairs next = descend(a, b, p);
            finer.insert(finer.end(), next.pair, next.pair + next.count);
        }
        tasks.swap(finer);
    }
}

}  // namespace rumple::contact
