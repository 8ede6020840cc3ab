#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/linear/block_cholesky.hpp>
#include <rumple/linear/panel_kernels.hpp>

namespace rumple {

namespace {

constexpr int kLeafSize = 8;           // nodes; smaller costs more bookkeeping, larger more zeros
constexpr int kRangeNodes = 2;         // nodes; columns of a top supernode that one thread updates, at least
constexpr int kMaxRanges = 256;        // of a level, about: enough for many threads
constexpr int kTileNodes = 8;          // nodes; rows and columns of a tile of a large panel
constexpr int kLargePanel = 16;        // nodes; columns from which on a panel is factored in tiles,
constexpr std::size_t kFewPanels = 8;  // where a level has fewer panels than this
// Numbers: a level whose panels have fewer is solved sooner by one thread than others could join.
constexpr std::size_t kSmallLevel = 100000;
// Nodes: from there on there is work for many threads. In a small matrix more subtrees mean more levels of
// the top, and those wait for each other.
constexpr std::size_t kLargeMatrix = 1024, kVeryLargeMatrix = 8192;

std::size_t subtrees_wanted(std::size_t nodes) {
    return nodes < kLargeMatrix ? 8 : (nodes < kVeryLargeMatrix ? 32 : 128);
}

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
    unit_.clear();
    level_.clear();
    lay_out_panels();
    find_subtrees();
    find_levels();
    find_carries();
    y_.assign(at(B * pattern.rows), T(0));
    std::size_t tasks = subtrees_;
    tallest_ = 0;
    for (const Level& level : level_) tasks = std::max(tasks, level.units.size());
    for (const Supernode& node : d_.supernode) tallest_ = std::max(tallest_, padded(B * node.height()));
    scratch_.assign(tasks, std::vector<T>(tallest_, T(0)));
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
    std::vector<int> top;
    for (const std::size_t wanted = subtrees_wanted(d_.old_of_new.size()); roots.size() < wanted;) {
        const auto heaviest = std::max_element(roots.begin(), roots.end(),
                                               [&](int a, int b) { return work[at(a)] < work[at(b)]; });
        if (heaviest == roots.end() || children[at(*heaviest)].empty()) break;
        const int s = *heaviest;
        roots.erase(heaviest);
        roots.insert(roots.end(), children[at(s)].begin(), children[at(s)].end());
        top.push_back(s);
    }
    std::sort(top.begin(), top.end());
    std::sort(roots.begin(), roots.end());
    for (const int root : roots) {
        std::vector<int> tree = {root};
        for (std::size_t i = 0; i < tree.size(); ++i) {
            const std::vector<int>& below = children[at(tree[i])];
            tree.insert(tree.end(), below.begin(), below.end());
        }
        std::sort(tree.begin(), tree.end());
        unit_.push_back({std::move(tree)});
    }
    subtrees_ = unit_.size();
    for (const int s : top) unit_.push_back({{s}});
}

// A supernode of the top stands one level above the highest of those that it waits for.
template <int B, class T>
void BlockCholesky<B, T>::find_levels() {
    std::vector<std::size_t> level_of(d_.supernode.size(), 0);
    for (std::size_t u = subtrees_; u < unit_.size(); ++u) {
        const int s = unit_[u].supernodes.front();
        const Supernode& node = d_.supernode[at(s)];
        const std::size_t level = level_of[at(s)];
        if (node.parent >= 0) level_of[at(node.parent)] = std::max(level_of[at(node.parent)], level + 1);
        if (level_.size() <= level) level_.resize(level + 1);
        level_[level].units.push_back(static_cast<int>(u));
    }
    for (Level& level : level_) {
        int nodes = 0, widest = 0;
        std::size_t numbers = 0;
        for (const int u : level.units) {
            const Supernode& node = d_.supernode[at(unit_[at(u)].supernodes.front())];
            nodes += node.size();
            widest = std::max(widest, node.size());
            numbers += at(B * node.size()) * at(B * node.height());
        }
        const bool large = d_.old_of_new.size() >= kLargeMatrix;
        level.in_tiles = large && level.units.size() < kFewPanels && widest >= kLargePanel;
        level.alone = large && numbers < kSmallLevel;
        const int width = std::max(kRangeNodes, (nodes + kMaxRanges - 1) / kMaxRanges);
        for (const int u : level.units) {
            const int s = unit_[at(u)].supernodes.front(), size = d_.supernode[at(s)].size();
            for (int c = 0; c < size; c += width) level.ranges.push_back({s, c, std::min(c + width, size)});
        }
    }
}

// What a subtree does to rows of the top it keeps until the top is worked on; a supernode of the top, too.
template <int B, class T>
void BlockCholesky<B, T>::find_carries() {
    row_place_.clear();
    std::size_t size = 0;
    std::vector<std::vector<int>> gather(d_.old_of_new.size());
    for (Panel& panel : panel_) panel.rows_begin = 0;
    for (Unit& unit : unit_) {
        const std::vector<int>& outside = d_.supernode[at(unit.supernodes.back())].row;
        unit.carry = at(B) * size;
        for (std::size_t i = 0; i < outside.size(); ++i)
            gather[at(outside[i])].push_back(static_cast<int>(size + i));
        size += outside.size();
        for (const int s : unit.supernodes) {
            panel_[at(s)].rows_begin = row_place_.size();
            for (const int n : d_.supernode[at(s)].row) {
                const auto found = std::lower_bound(outside.begin(), outside.end(), n);
                const bool inside = found == outside.end() || *found != n;
                row_place_.push_back(inside ? n : ~static_cast<int>(found - outside.begin()));
            }
        }
    }
    carry_.assign(at(B) * size, T(0));
    gather_begin_.assign(1, 0);
    gather_.clear();
    for (const std::vector<int>& from : gather) {
        gather_.insert(gather_.end(), from.begin(), from.end());
        gather_begin_.push_back(static_cast<int>(gather_.size()));
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
    threads.for_pieces(value_.size(), 16384, [&](std::size_t begin, std::size_t end) {
        std::fill(value_.data() + begin, value_.data() + end, T(0));
    });
}

template <int B, class T>
bool BlockCholesky<B, T>::factorize(const Threads& threads) {
    std::fill(succeeded_.begin(), succeeded_.end(), std::uint8_t{1});
    const auto all_succeeded = [&] {
        return std::find(succeeded_.begin(), succeeded_.end(), 0) == succeeded_.end();
    };
    threads.for_each(subtrees_, 1, [&](std::size_t t) {
        for (const int s : unit_[t].supernodes) {
            subtract_updates({s, 0, d_.supernode[at(s)].size()});
            if (!factor_panel(s)) {
                succeeded_[t] = 0;
                return;
            }
        }
    });
    for (std::size_t i = 0; i < level_.size() && all_succeeded(); ++i) {
        const Level& level = level_[i];
        threads.for_each(level.ranges.size(), 1, [&](std::size_t k) { subtract_updates(level.ranges[k]); });
        if (level.in_tiles)
            succeeded_[0] = factor_in_tiles(threads, level);
        else
            threads.for_each(level.units.size(), 1, [&](std::size_t k) {
                succeeded_[k] = factor_panel(unit_[at(level.units[k])].supernodes.front());
            });
    }
    return all_succeeded();
}

// What the descendants subtract from some columns of a supernode.
template <int B, class T>
void BlockCholesky<B, T>::subtract_updates(const ColumnRange& range) {
    thread_local std::vector<T> scratch;  // one a thread: ranges are many
    if (scratch.size() < at(B) * tallest_) scratch.resize(at(B) * tallest_);
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

// A chunk of columns of a panel, and the panel's rows in tiles. Tiles begin at multiples of what kernels
// write at once, so that none writes into the next.
template <int B, class T>
struct BlockCholesky<B, T>::Chunk {
    static constexpr int kTile = B * kTileNodes;
    static_assert(kTile % (2 * kPanelPack<T>) == 0);
    T* a;
    std::size_t stride;
    int first, last;  // nodes
    int rows, columns;

    int tiles() const { return (rows - B * first + kTile - 1) / kTile; }
    int tile_begin(int tile) const { return B * first + kTile * tile; }
    int tile_height(int tile) const { return std::min(kTile, rows - tile_begin(tile)); }
    T* at_block(int row, int node) const { return a + row + at(B * node) * stride; }

    void subtract(int tile, int node, int from, int depth) const {
        const int row = tile_begin(tile);
        subtract_product<B, Into::existing>(tile_height(tile), depth, at_block(row, from), stride,
                                            at_block(B * node, from), stride, at_block(row, node), stride);
    }
    // The chunk's own rows. False when a pivot is not positive.
    bool factor_head() const {
        for (int c = first; c < last; ++c) {
            if (c > first) subtract(0, c, first, B * (c - first));
            if (!factor_columns_within<B>(B * (c - first), tile_height(0), at_block(B * first, c), stride))
                return false;
        }
        return true;
    }
    // The rows of another tile.
    void factor_tile(int tile) const {
        for (int c = first; c < last; ++c) {
            if (c > first) subtract(tile, c, first, B * (c - first));
            PanelHead<B, T> head;
            head.load(at_block(B * c, c), stride);
            head.scale(0, tile_height(tile), at_block(tile_begin(tile), c), stride);
        }
    }
    // What the chunk does to one tile of the columns after it: those of the chunk that begins in tile
    // `across`.
    void update_tile(int tile, int across) const {
        const int begin = first + kTileNodes * across, end = std::min(begin + kTileNodes, columns);
        for (int c = begin; c < end; ++c) subtract(tile, c, first, B * (last - first));
    }
};

// All panels of a level, a chunk of columns of each at a time: the chunk's own rows, the rows below, and then
// all that is left of the panel, in tiles.
template <int B, class T>
bool BlockCholesky<B, T>::factor_in_tiles(const Threads& threads, const Level& level) {
    struct Task {
        int chunk, tile, across;
    };
    std::vector<Chunk> chunks;
    std::vector<Task> below, rest;
    for (int first = 0;; first += kTileNodes) {
        chunks.clear();
        below.clear();
        rest.clear();
        for (const int u : level.units) {
            const std::size_t s = at(unit_[at(u)].supernodes.front());
            const Supernode& node = d_.supernode[s];
            if (first >= node.size()) continue;
            const Chunk chunk{value_.data() + panel_[s].begin,           panel_[s].stride,  first,
                              std::min(first + kTileNodes, node.size()), B * node.height(), node.size()};
            const int index = static_cast<int>(chunks.size());
            const int across = (node.size() - first + kTileNodes - 1) / kTileNodes;
            for (int tile = 1; tile < chunk.tiles(); ++tile) below.push_back({index, tile, 0});
            for (int k = 1; k < across; ++k)
                for (int tile = k; tile < chunk.tiles(); ++tile) rest.push_back({index, tile, k});
            chunks.push_back(chunk);
        }
        if (chunks.empty()) return true;
        std::vector<std::uint8_t> good(chunks.size());
        threads.for_each(chunks.size(), 1, [&](std::size_t i) { good[i] = chunks[i].factor_head(); });
        if (std::find(good.begin(), good.end(), 0) != good.end()) return false;
        threads.for_each(below.size(), 1,
                         [&](std::size_t i) { chunks[at(below[i].chunk)].factor_tile(below[i].tile); });
        threads.for_each(rest.size(), 2, [&](std::size_t i) {
            chunks[at(rest[i].chunk)].update_tile(rest[i].tile, rest[i].across);
        });
    }
}

template <int B, class T>
void BlockCholesky<B, T>::solve(const Threads& threads, std::span<const T> b, std::span<T> x) {
    threads.for_each(subtrees_, 1, [&](std::size_t t) { forward(unit_[t], b, scratch_[t]); });
    for (const Level& level : level_)
        threads.for_each(level.units.size(), level.alone ? level.units.size() : 1,
                         [&](std::size_t k) { forward(unit_[at(level.units[k])], b, scratch_[k]); });
    for (auto level = level_.rbegin(); level != level_.rend(); ++level)
        threads.for_each(level->units.size(), level->alone ? level->units.size() : 1,
                         [&](std::size_t k) { backward(unit_[at(level->units[k])], x, scratch_[k]); });
    threads.for_each(subtrees_, 1, [&](std::size_t t) { backward(unit_[t], x, scratch_[t]); });
}

template <int B, class T>
void BlockCholesky<B, T>::forward(const Unit& unit, std::span<const T> b, std::vector<T>& scratch) {
    T* carry = carry_.data() + unit.carry;
    std::fill_n(carry, at(B) * d_.supernode[at(unit.supernodes.back())].row.size(), T(0));
    for (const int s : unit.supernodes)
        for (int n = d_.supernode[at(s)].first; n < d_.supernode[at(s)].last; ++n) {
            T* y = y_.data() + at(B * n);
            copy_block<B>(b.data() + at(B * d_.old_of_new[at(n)]), y);
            for (int k = gather_begin_[at(n)]; k < gather_begin_[at(n) + 1]; ++k)
                add_block<B>(carry_.data() + at(B * gather_[at(k)]), y);
        }
    for (const int s : unit.supernodes) forward(s, scratch, carry);
}

// Solves for a supernode's own nodes and passes on what they do to the rows below: to y, or to the carry for
// the nodes outside of the unit.
template <int B, class T>
void BlockCholesky<B, T>::forward(int s, std::vector<T>& scratch, T* carry) {
    const Supernode& node = d_.supernode[at(s)];
    const std::size_t stride = panel_[at(s)].stride, own = at(B * node.size());
    const T* a = value_.data() + panel_[at(s)].begin;
    const int* place = row_place_.data() + panel_[at(s)].rows_begin;
    T* v = scratch.data();
    std::copy_n(y_.data() + at(B * node.first), own, v);
    std::fill_n(v + own, stride - own, T(0));
    for (int c = 0; c < node.size(); ++c)
        solve_forward<B>(B * (node.height() - c), a + at(B * c) * (stride + 1), stride, v + at(B * c));
    std::copy_n(v, own, y_.data() + at(B * node.first));
    for (std::size_t i = 0; i < node.row.size(); ++i)
        add_block<B>(v + own + B * i,
                     place[i] < 0 ? carry + at(B * ~place[i]) : y_.data() + at(B * place[i]));
}

template <int B, class T>
void BlockCholesky<B, T>::backward(const Unit& unit, std::span<T> x, std::vector<T>& scratch) {
    for (auto s = unit.supernodes.rbegin(); s != unit.supernodes.rend(); ++s) {
        backward(*s, scratch);
        for (int n = d_.supernode[at(*s)].first; n < d_.supernode[at(*s)].last; ++n)
            copy_block<B>(y_.data() + at(B * n), x.data() + at(B * d_.old_of_new[at(n)]));
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
