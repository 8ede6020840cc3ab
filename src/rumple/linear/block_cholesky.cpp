#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/linear/block_cholesky.hpp>
#include <rumple/linear/panel_kernels.hpp>

namespace rumple {

namespace {

constexpr int kLeafSize = 8;          // nodes; smaller costs more bookkeeping, larger more zeros
constexpr std::size_t kSubtrees = 8;  // to be worked on side by side
constexpr int kRangeNodes = 4;        // nodes; columns of a top supernode that one thread updates

// Columns are as much longer as kernels may overrun them.
std::size_t padded(int height) { return at(height + kOverrun) / 8 * 8; }

template <int B, class T>
void copy_block(const T* from, T* to) {
    for (std::size_t c = 0; c < B; ++c) to[c] = from[c];
}
template <int B, class T>
void add_block(const T* from, T* to) {
    for (std::size_t c = 0; c < B; ++c) to[c] += from[c];
}

}  // namespace

template <int B, class T>
void BlockCholesky<B, T>::analyze(const BlockPattern& pattern, std::span<const Vec3d> position) {
    d_ = dissect(pattern, position, kLeafSize);
    update_.clear();
    row_map_.clear();
    top_.clear();
    subtree_.clear();
    ranges_.clear();
    top_node_.clear();
    lay_out_panels();
    find_subtrees();
    y_.assign(at(B * pattern.rows), T(0));
    std::size_t tasks = subtree_.size(), tallest = 0;
    for (const auto& s : ranges_) tasks = std::max(tasks, s.size());
    for (const Supernode& node : d_.supernode) tallest = std::max(tallest, padded(B * node.height()));
    scratch_.assign(tasks, std::vector<T>(at(B) * tallest, T(0)));
    carry_.assign(subtree_.size(), std::vector<T>(at(B) * top_node_.size(), T(0)));
    succeeded_.assign(tasks, 1);
}

template <int B, class T>
void BlockCholesky<B, T>::lay_out_panels() {
    const std::size_t count = d_.supernode.size();
    panel_.assign(count, {});
    std::vector<std::vector<Update>> updates(count);
    std::size_t size = 0;
    for (std::size_t s = 0; s < count; ++s) {
        const Supernode& node = d_.supernode[s];
        panel_[s].begin = size;
        panel_[s].stride = padded(B * node.height());
        size += at(B * node.size()) * panel_[s].stride;
        const int rows = static_cast<int>(node.row.size());
        for (int i = 0; i < rows;) {  // a run of rows that are columns of one ancestor
            const int t = d_.supernode_of_node[at(node.row[at(i)])];
            const Supernode& target = d_.supernode[at(t)];
            Update u{static_cast<int>(s), i, i, static_cast<int>(row_map_.size())};
            while (u.last < rows && node.row[at(u.last)] < target.last) ++u.last;
            for (int k = i; k < rows; ++k) row_map_.push_back(local_row(target, node.row[at(k)]));
            updates[at(t)].push_back(u);
            i = u.last;
        }
    }
    for (std::size_t s = 0; s < count; ++s) {
        panel_[s].updates_begin = static_cast<int>(update_.size());
        update_.insert(update_.end(), updates[s].begin(), updates[s].end());
        panel_[s].updates_end = static_cast<int>(update_.size());
    }
    value_.resize(size);
}

// Opens the heaviest subtree until there are enough of them; what was opened is the top.
template <int B, class T>
void BlockCholesky<B, T>::find_subtrees() {
    const std::size_t count = d_.supernode.size();
    std::vector<double> work(count, 0);
    std::vector<std::vector<int>> children(count);
    std::vector<int> roots;
    for (std::size_t s = 0; s < count; ++s) {
        const Supernode& node = d_.supernode[s];
        work[s] += static_cast<double>(node.size()) * node.height() * node.height();
        if (node.parent < 0) {
            roots.push_back(static_cast<int>(s));
            continue;
        }
        work[at(node.parent)] += work[s];
        children[at(node.parent)].push_back(static_cast<int>(s));
    }
    while (roots.size() < kSubtrees) {
        const auto heaviest = std::max_element(roots.begin(), roots.end(),
                                               [&](int a, int b) { return work[at(a)] < work[at(b)]; });
        if (heaviest == roots.end() || children[at(*heaviest)].empty()) break;
        const int s = *heaviest;
        roots.erase(heaviest);
        roots.insert(roots.end(), children[at(s)].begin(), children[at(s)].end());
        top_.push_back(s);
    }
    std::sort(top_.begin(), top_.end());
    std::sort(roots.begin(), roots.end());
    for (const int root : roots) {
        std::vector<int> tree = {root};
        for (std::size_t i = 0; i < tree.size(); ++i) {
            const std::vector<int>& below = children[at(tree[i])];
            tree.insert(tree.end(), below.begin(), below.end());
        }
        std::sort(tree.begin(), tree.end());
        subtree_.push_back(std::move(tree));
    }
    top_index_.assign(d_.old_of_new.size(), -1);
    for (const int s : top_) {
        const Supernode& node = d_.supernode[at(s)];
        ranges_.emplace_back();
        for (int c = 0; c < node.size(); c += kRangeNodes)
            ranges_.back().push_back({s, c, std::min(c + kRangeNodes, node.size())});
        for (int n = node.first; n < node.last; ++n) {
            top_index_[at(n)] = static_cast<int>(top_node_.size());
            top_node_.push_back(n);
        }
    }
}

template <int B, class T>
typename BlockCholesky<B, T>::Place BlockCholesky<B, T>::place(int row, int column) const {
    const int r = d_.new_of_old[at(row)], c = d_.new_of_old[at(column)];
    if (r < c) return {};
    const std::size_t s = at(d_.supernode_of_node[at(c)]);
    const Panel& p = panel_[s];
    const std::size_t offset =
        at(B * local_row(d_.supernode[s], r)) + at(B * (c - d_.supernode[s].first)) * p.stride;
    return {static_cast<std::ptrdiff_t>(p.begin + offset), p.stride};
}

template <int B, class T>
void BlockCholesky<B, T>::clear(const Threads& threads) {
    threads.for_pieces(value_.size(), 65536, [&](std::size_t begin, std::size_t end) {
        std::fill(value_.data() + begin, value_.data() + end, T(0));
    });
}

template <int B, class T>
bool BlockCholesky<B, T>::factorize(const Threads& threads) {
    std::fill(succeeded_.begin(), succeeded_.end(), std::uint8_t{1});
    threads.for_each(subtree_.size(), 1, [&](std::size_t t) {
        for (const int s : subtree_[t]) {
            subtract_updates({s, 0, d_.supernode[at(s)].size()}, scratch_[t]);
            if (!factor_panel(s)) {
                succeeded_[t] = 0;
                return;
            }
        }
    });
    if (std::find(succeeded_.begin(), succeeded_.end(), 0) != succeeded_.end()) return false;
    for (std::size_t i = 0; i < top_.size(); ++i) {
        threads.for_each(ranges_[i].size(), 1,
                         [&](std::size_t k) { subtract_updates(ranges_[i][k], scratch_[k]); });
        if (!factor_panel(top_[i])) return false;
    }
    return true;
}

// What the descendants subtract from some columns of a supernode.
template <int B, class T>
void BlockCholesky<B, T>::subtract_updates(const ColumnRange& range, std::vector<T>& scratch) {
    const Panel& to = panel_[at(range.supernode)];
    for (int k = to.updates_begin; k < to.updates_end; ++k) {
        const Update& u = update_[at(k)];
        const Supernode& from = d_.supernode[at(u.from)];
        const Panel& panel = panel_[at(u.from)];
        const int rows = static_cast<int>(from.row.size());
        const int* map = row_map_.data() + u.map - u.first;
        for (int j = u.first; j < u.last; ++j) {
            if (map[j] < range.first || map[j] >= range.last) continue;
            const int height = B * (rows - j);
            const std::size_t ld = padded(height);
            const T* x = value_.data() + panel.begin + at(B * (from.size() + j));
            subtract_product<B, Into::fresh>(height, B * from.size(), x, panel.stride, x, panel.stride,
                                             scratch.data(), ld);
            T* target = value_.data() + to.begin + at(B * map[j]) * to.stride;
            for (int i = j; i < rows; ++i) {
                const T* source = scratch.data() + at(B * (i - j));
                T* block = target + at(B * map[i]);
                for (std::size_t c = 0; c < B; ++c)
                    for (std::size_t r = 0; r < B; ++r) block[r + c * to.stride] += source[r + c * ld];
            }
        }
    }
}

template <int B, class T>
bool BlockCholesky<B, T>::factor_panel(int s) {
    const Supernode& node = d_.supernode[at(s)];
    const std::size_t stride = panel_[at(s)].stride;
    T* a = value_.data() + panel_[at(s)].begin;
    for (int c = 0; c < node.size(); ++c) {
        T* x = a + at(B * c);  // rows of the columns before
        T* head = x + at(B * c) * stride;
        const int height = B * (node.height() - c);
        if (c > 0) subtract_product<B, Into::existing>(height, B * c, x, stride, x, stride, head, stride);
        if (!factor_columns<B>(height, head, stride)) return false;
    }
    return true;
}

template <int B, class T>
void BlockCholesky<B, T>::solve(const Threads& threads, std::span<const T> b, std::span<T> x) {
    const std::size_t nodes = d_.old_of_new.size();
    for (std::size_t n = 0; n < nodes; ++n)
        copy_block<B>(b.data() + at(B * d_.old_of_new[n]), y_.data() + B * n);
    threads.for_each(subtree_.size(), 1, [&](std::size_t t) {
        std::fill(carry_[t].begin(), carry_[t].end(), T(0));
        for (const int s : subtree_[t]) forward(s, scratch_[t], &carry_[t]);
    });
    for (const auto& carry : carry_)
        for (std::size_t i = 0; i < top_node_.size(); ++i)
            add_block<B>(carry.data() + B * i, y_.data() + at(B * top_node_[i]));
    for (const int s : top_) forward(s, scratch_[0], nullptr);
    for (auto s = top_.rbegin(); s != top_.rend(); ++s) backward(*s, scratch_[0]);
    threads.for_each(subtree_.size(), 1, [&](std::size_t t) {
        for (auto s = subtree_[t].rbegin(); s != subtree_[t].rend(); ++s) backward(*s, scratch_[t]);
    });
    for (std::size_t n = 0; n < nodes; ++n)
        copy_block<B>(y_.data() + B * n, x.data() + at(B * d_.old_of_new[n]));
}

// Solves for a supernode's own nodes and passes on what they do to the rows below: to y, or, from within a
// subtree, to its carry for the nodes of the top.
template <int B, class T>
void BlockCholesky<B, T>::forward(int s, std::vector<T>& scratch, std::vector<T>* carry) {
    const Supernode& node = d_.supernode[at(s)];
    const std::size_t stride = panel_[at(s)].stride, own = at(B * node.size());
    const T* a = value_.data() + panel_[at(s)].begin;
    T* v = scratch.data();
    std::copy_n(y_.data() + at(B * node.first), own, v);
    std::fill_n(v + own, stride - own, T(0));
    for (int c = 0; c < node.size(); ++c)
        solve_forward<B>(B * (node.height() - c), a + at(B * c) * (stride + 1), stride, v + at(B * c));
    std::copy_n(v, own, y_.data() + at(B * node.first));
    for (std::size_t i = 0; i < node.row.size(); ++i) {
        const int n = node.row[i], top = top_index_[at(n)];
        add_block<B>(v + own + B * i,
                     carry && top >= 0 ? carry->data() + at(B * top) : y_.data() + at(B * n));
    }
}

template <int B, class T>
void BlockCholesky<B, T>::backward(int s, std::vector<T>& scratch) {
    const Supernode& node = d_.supernode[at(s)];
    const std::size_t stride = panel_[at(s)].stride, own = at(B * node.size());
    const T* a = value_.data() + panel_[at(s)].begin;
    T* v = scratch.data();
    std::copy_n(y_.data() + at(B * node.first), own, v);
    for (std::size_t i = 0; i < node.row.size(); ++i)
        copy_block<B>(y_.data() + at(B * node.row[i]), v + own + B * i);
    std::fill_n(v + B * node.height(), stride - at(B * node.height()), T(0));
    for (int c = node.size(); c-- > 0;)
        solve_backward<B>(B * (node.height() - c), a + at(B * c) * (stride + 1), stride, v + at(B * c));
    std::copy_n(v, own, y_.data() + at(B * node.first));
}

template class BlockCholesky<3, double>;
template class BlockCholesky<6, double>;
template class BlockCholesky<6, float>;

}  // namespace rumple
