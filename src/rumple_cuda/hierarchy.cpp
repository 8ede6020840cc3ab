#include <algorithm>
#include <functional>
#include <rumple/linear/aggregation.hpp>
#include <rumple_cuda/hierarchy.hpp>

namespace rumple::cuda {

namespace {

constexpr std::size_t kGrain = 1024;  // rows a piece of work
// Nodes of the dense level. Its inverse takes 20 us for each 8 of them, which counts where everything else is
// quick.
constexpr int kFewTopNodes = 115, kMaxTopNodes = 220;
constexpr int kSmall = 40000, kWCycleFrom = 200000;  // vertices
constexpr int kDomainSize[2] = {14, 7};              // nodes: of vertices, of groups
constexpr int kMaxDomainSize[2] = {16, 8};

// Rows of a sparse pattern, found in pieces: fill(i, row) appends the row's entries.
struct Rows {
    std::vector<int> begin{0}, column;
};
Rows find_rows(const Threads& threads, int count, const std::function<void(int, std::vector<int>&)>& fill) {
    std::vector<std::vector<int>> piece((at(count) + kGrain - 1) / kGrain), length(piece.size());
    threads.for_pieces(at(count), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<int> row;
        for (std::size_t i = begin; i < end; ++i) {
            row.clear();
            fill(static_cast<int>(i), row);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            piece[begin / kGrain].insert(piece[begin / kGrain].end(), row.begin(), row.end());
            length[begin / kGrain].push_back(static_cast<int>(row.size()));
        }
    });
    Rows rows;
    for (std::size_t p = 0; p < piece.size(); ++p) {
        rows.column.insert(rows.column.end(), piece[p].begin(), piece[p].end());
        for (const int n : length[p]) rows.begin.push_back(rows.begin.back() + n);
    }
    return rows;
}

// Lists of products, row by row: fill(i, lists) appends to lists[q] the products of the row's slot q.
using Lists = std::vector<std::vector<IndexPair>>;
ProductList find_products(const Threads& threads, std::span<const int> row_begin,
                          const std::function<void(int, Lists&)>& fill) {
    const std::size_t count = row_begin.size() - 1;
    std::vector<std::vector<IndexPair>> piece((count + kGrain - 1) / kGrain);
    std::vector<std::vector<int>> length(piece.size());
    threads.for_pieces(count, kGrain, [&](std::size_t begin, std::size_t end) {
        Lists lists;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t slots = at(row_begin[i + 1] - row_begin[i]);
            lists.resize(std::max(lists.size(), slots));
            for (auto& list : lists) list.clear();
            fill(static_cast<int>(i), lists);
            for (std::size_t q = 0; q < slots; ++q) {
                piece[begin / kGrain].insert(piece[begin / kGrain].end(), lists[q].begin(), lists[q].end());
                length[begin / kGrain].push_back(static_cast<int>(lists[q].size()));
            }
        }
    });
    ProductList all;
    for (std::size_t p = 0; p < piece.size(); ++p) {
        all.item.insert(all.item.end(), piece[p].begin(), piece[p].end());
        for (const int n : length[p]) all.begin.push_back(all.begin.back() + n);
    }
    return all;
}

std::size_t slot_of(const std::vector<int>& column, int begin, int end, int wanted) {
    return static_cast<std::size_t>(std::lower_bound(column.begin() + begin, column.begin() + end, wanted) -
                                    (column.begin() + begin));
}

BlockPattern pattern_of(Rows rows) {
    BlockPattern pattern;
    pattern.rows = static_cast<int>(rows.begin.size()) - 1;
    pattern.row_begin = std::move(rows.begin);
    pattern.column = std::move(rows.column);
    for (int i = 0; i < pattern.rows; ++i)
        pattern.diagonal.push_back(pattern.row_begin[at(i)] +
                                   static_cast<int>(slot_of(pattern.column, pattern.row_begin[at(i)],
                                                            pattern.row_begin[at(i) + 1], i)));
    return pattern;
}

struct Nodes {
    BlockPattern graph;
    std::vector<Vec3d> rest;
};

// Numbers nodes by domains. Returns the new number of each node.
std::vector<int> number_by_domains(const Threads& threads, Nodes& nodes, bool vertices,
                                   std::vector<int>& domain_begin) {
    const Aggregates domains =
        aggregate(nodes.graph, nodes.rest, kDomainSize[vertices ? 0 : 1], kMaxDomainSize[vertices ? 0 : 1]);
    domain_begin = domains.begin;
    std::vector<int> number(domains.of.size());
    std::vector<Vec3d> rest(number.size());
    for (std::size_t q = 0; q < number.size(); ++q) {
        number[at(domains.member[q])] = static_cast<int>(q);
        rest[q] = nodes.rest[at(domains.member[q])];
    }
    const BlockPattern& old = nodes.graph;
    nodes.graph = pattern_of(find_rows(threads, old.rows, [&](int q, std::vector<int>& row) {
        const std::size_t i = at(domains.member[at(q)]);
        for (int k = old.row_begin[i]; k < old.row_begin[i + 1]; ++k)
            row.push_back(number[at(old.column[at(k)])]);
    }));
    nodes.rest = std::move(rest);
    return number;
}

// The pattern of P and A P, and the nodes of the next level in the order of the aggregates.
Nodes find_patterns(const Threads& threads, LevelStructure& level, std::span<const Vec3d> rest) {
    const BlockPattern& graph = level.graph;
    const auto for_row = [&](int i, const auto& visit) {
        for (int k = graph.row_begin[at(i)]; k < graph.row_begin[at(i) + 1]; ++k) visit(graph.column[at(k)]);
    };
    Rows p = find_rows(threads, graph.rows, [&](int i, std::vector<int>& row) {
        for_row(i, [&](int j) { row.push_back(level.aggregate_of[at(j)]); });
    });
    Rows ap = find_rows(threads, graph.rows, [&](int i, std::vector<int>& row) {
        for_row(i, [&](int j) {
            row.insert(row.end(), p.column.begin() + p.begin[at(j)], p.column.begin() + p.begin[at(j) + 1]);
        });
    });
    const int count = *std::max_element(level.aggregate_of.begin(), level.aggregate_of.end()) + 1;
    std::vector<std::vector<int>> touching(at(count));  // nodes with a part in each aggregate
    Nodes coarse;
    coarse.rest.resize(at(count));
    std::vector<int> members(at(count), 0);
    for (int i = 0; i < graph.rows; ++i) {
        for (int s = p.begin[at(i)]; s < p.begin[at(i) + 1]; ++s) touching[at(p.column[at(s)])].push_back(i);
        coarse.rest[at(level.aggregate_of[at(i)])] += rest[at(i)];
        ++members[at(level.aggregate_of[at(i)])];
    }
    for (std::size_t a = 0; a < members.size(); ++a) coarse.rest[a] *= 1.0 / members[a];
    coarse.graph = pattern_of(find_rows(threads, count, [&](int a, std::vector<int>& row) {
        for (const int i : touching[at(a)])
            row.insert(row.end(), ap.column.begin() + ap.begin[at(i)],
                       ap.column.begin() + ap.begin[at(i) + 1]);
    }));
    level.p_begin = std::move(p.begin);
    level.p_column = std::move(p.column);
    level.ap_begin = std::move(ap.begin);
    level.ap_column = std::move(ap.column);
    return coarse;
}

void renumber_columns(const Threads& threads, const std::vector<int>& number, const std::vector<int>& begin,
                      std::vector<int>& column) {
    threads.for_each(begin.size() - 1, kGrain, [&](std::size_t i) {
        for (int s = begin[i]; s < begin[i + 1]; ++s) column[at(s)] = number[at(column[at(s)])];
        std::sort(column.begin() + begin[i], column.begin() + begin[i + 1]);
    });
}

std::vector<int> row_of_slots(const std::vector<int>& begin) {
    std::vector<int> row(at(begin.back()));
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
        std::fill(row.begin() + begin[i], row.begin() + begin[i + 1], static_cast<int>(i));
    return row;
}

// Members of each aggregate and the transpose of P.
void list_members(LevelStructure& level, int count) {
    level.aggregate_begin.assign(at(count) + 1, 0);
    level.p_transposed.begin.assign(at(count) + 1, 0);
    for (const int a : level.aggregate_of) ++level.aggregate_begin[at(a) + 1];
    for (const int a : level.p_column) ++level.p_transposed.begin[at(a) + 1];
    for (std::size_t a = 0; a < at(count); ++a) {
        level.aggregate_begin[a + 1] += level.aggregate_begin[a];
        level.p_transposed.begin[a + 1] += level.p_transposed.begin[a];
    }
    level.aggregate_member.resize(level.aggregate_of.size());
    level.p_transposed.item.resize(level.p_column.size());
    level.p_place.resize(level.p_column.size());
    std::vector<int> member = level.aggregate_begin, item = level.p_transposed.begin;
    for (int i = 0; i < level.nodes(); ++i) {
        level.aggregate_member[at(member[at(level.aggregate_of[at(i)])]++)] = i;
        for (int s = level.p_begin[at(i)]; s < level.p_begin[at(i) + 1]; ++s) {
            const int place = item[at(level.p_column[at(s)])]++;
            level.p_place[at(s)] = place;
            level.p_transposed.item[at(place)] = {i, s};
        }
    }
}

// Where A P and P^T A P find their factors, once the next level has its final numbers.
void find_factors(const Threads& threads, LevelStructure& level, const BlockPattern& coarse,
                  const BlockLayout& coarse_layout) {
    level.p_row = row_of_slots(level.p_begin);
    list_members(level, coarse.rows);
    level.p_items = find_products(threads, level.p_begin, [&](int i, Lists& lists) {
        const int begin = level.p_begin[at(i)], end = level.p_begin[at(i) + 1];
        for (int k = level.graph.row_begin[at(i)]; k < level.graph.row_begin[at(i) + 1]; ++k) {
            const int j = level.graph.column[at(k)], place = level.layout.place_of_entry(level.graph, i, k);
            lists[slot_of(level.p_column, begin, end, level.aggregate_of[at(j)])].push_back({place, j});
        }
    });
    level.ap = find_products(threads, level.ap_begin, [&](int i, Lists& lists) {
        const int begin = level.ap_begin[at(i)], end = level.ap_begin[at(i) + 1];
        for (int k = level.graph.row_begin[at(i)]; k < level.graph.row_begin[at(i) + 1]; ++k) {
            const std::size_t j = at(level.graph.column[at(k)]);
            const int place = level.layout.place_of_entry(level.graph, i, k);
            for (int s = level.p_begin[j]; s < level.p_begin[j + 1]; ++s)
                lists[slot_of(level.ap_column, begin, end, level.p_column[at(s)])].push_back({place, s});
        }
    });
    std::vector<int> upper_begin{0};  // blocks on and above the diagonal, row by row
    for (int a = 0; a < coarse.rows; ++a)
        upper_begin.push_back(upper_begin.back() + coarse.row_begin[at(a) + 1] - coarse.diagonal[at(a)]);
    level.galerkin = find_products(threads, upper_begin, [&](int a, Lists& lists) {
        const int begin = coarse.diagonal[at(a)], end = coarse.row_begin[at(a) + 1];
        for (int e = level.p_transposed.begin[at(a)]; e < level.p_transposed.begin[at(a) + 1]; ++e) {
            const auto [i, p_slot] = level.p_transposed.item[at(e)];
            for (int s = level.ap_begin[at(i)]; s < level.ap_begin[at(i) + 1]; ++s)
                if (level.ap_column[at(s)] >= a)
                    lists[slot_of(coarse.column, begin, end, level.ap_column[at(s)])].push_back({p_slot, s});
        }
    });
    for (int a = 0; a < coarse.rows; ++a)
        for (int k = coarse.diagonal[at(a)]; k < coarse.row_begin[at(a) + 1]; ++k) {
            const int b = coarse.column[at(k)];
            level.galerkin_place.push_back(
                {coarse_layout.place_of_entry(coarse, a, k),
                 coarse_layout.place_of_entry(coarse, b, find_block(coarse, b, a))});
        }
}

}  // namespace

// Measured on twists of 2K to 1M vertices (docs/gpu.md): 14 and then 7 take the fewest iterations. Groups of
// 10 on the last level where they spare another one.
std::vector<int> default_group_sizes(int vertices) {
    const double most = vertices > kWCycleFrom ? kMaxTopNodes : kFewTopNodes;
    std::vector<int> sizes{14, 7};
    for (double nodes = vertices / (14.0 * 7.0); nodes > most; nodes /= sizes.back())
        sizes.push_back(nodes > 7 * kFewTopNodes && nodes <= 10 * kFewTopNodes ? 10 : 7);
    return sizes;
}

Hierarchy make_hierarchy(const Threads& threads, const BlockPattern& pattern, std::span<const Vec3d> rest,
                         const HierarchyOptions& options) {
    Hierarchy hierarchy;
    const std::vector<int> sizes =
        options.group_sizes.empty() ? default_group_sizes(pattern.rows) : options.group_sizes;
    Nodes nodes{pattern, {rest.begin(), rest.end()}};
    for (std::size_t l = 0; l < sizes.size(); ++l) {
        LevelStructure level;
        level.unknowns = l == 0 ? 3 : kModes;
        const std::vector<int> number = number_by_domains(threads, nodes, l == 0, level.domain_begin);
        level.graph = nodes.graph;
        level.layout = BlockLayout(level.graph);
        if (l == 0) {
            hierarchy.number = number;
        } else {
            LevelStructure& finer = hierarchy.levels.back();
            for (int& a : finer.aggregate_of) a = number[at(a)];
            renumber_columns(threads, number, finer.p_begin, finer.p_column);
            renumber_columns(threads, number, finer.ap_begin, finer.ap_column);
            find_factors(threads, finer, level.graph, level.layout);
        }
        level.aggregate_of =
            aggregate(level.graph, nodes.rest, sizes[l], sizes[l] + std::max(1, sizes[l] / 7)).of;
        nodes = find_patterns(threads, level, nodes.rest);
        hierarchy.levels.push_back(std::move(level));
    }
    hierarchy.top_graph = std::move(nodes.graph);
    hierarchy.top_layout = BlockLayout(hierarchy.top_graph);
    find_factors(threads, hierarchy.levels.back(), hierarchy.top_graph, hierarchy.top_layout);
    hierarchy.small = pattern.rows <= kSmall && !options.as_if_large;
    hierarchy.by_rows = options.as_if_large;
    hierarchy.w_cycle = pattern.rows > kWCycleFrom || options.as_if_large;
    return hierarchy;
}

}  // namespace rumple::cuda
