#include <rumple/linear/extra_blocks.hpp>

#include <algorithm>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 256;  // rows a piece of work

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ExtraBlocksBuilder::assemble(const Threads& threads, int rows, std::span<const ExtraEntry> entries,
                                  ExtraBlocks& out) {
    out.row_begin.clear();
    out.column.clear();
    out.block.clear();
    if (entries.empty()) return;

    begin_.assign(at(rows) + 2, 0);  // first one place further on, where the next item of a row goes
    for (const ExtraEntry& e : entries) {
        ++begin_[at(e.row) + 2];
        if (e.row != e.column) ++begin_[at(e.column) + 2];
    }
    for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    item_.resize(at(begin_.back()));
    for (int k = 0; k < static_cast<int>(entries.size()); ++k) {
        const ExtraEntry& e = entries[at(k)];
        item_[at(begin_[at(e.row) + 1]++)] = {e.column, k};
        if (e.row != e.column) item_[at(begin_[at(e.column) + 1]++)] = {e.row, ~k};
    }

    places_.assign(at(rows), 0);
    threads.for_each(at(rows), kGrain, [&](std::size_t i) {
        const auto first = item_.begin() + begin_[i], last = item_.begin() + begin_[i + 1];
        const auto index = [](const Item& a) { return a.entry < 0 ? ~a.entry : a.entry; };
        std::sort(first, last, [&](const Item& a, const Item& b) {
            return a.column < b.column || (a.column == b.column && index(a) < index(b));
        });
        for (auto k = first; k != last; ++k) places_[i] += k == first || k->column != (k - 1)->column;
    });
    out.row_begin.resize(at(rows) + 1);
    out.row_begin[0] = 0;
    for (std::size_t i = 0; i < at(rows); ++i) out.row_begin[i + 1] = out.row_begin[i] + places_[i];
    out.column.resize(at(out.row_begin.back()));
    out.block.resize(out.column.size());
    threads.for_each(at(rows), kGrain, [&](std::size_t i) {
        std::size_t place = at(out.row_begin[i]);
        for (int k = begin_[i]; k < begin_[i + 1]; ++k) {
            const Item item = item_[at(k)];
            const Mat3d& block = entries[at(item.entry < 0 ? ~item.entry : item.entry)].block;
            const Mat3d mine = item.entry < 0 ? transposed(block) : block;
            if (k > begin_[i] && item.column == item_[at(k) - 1].column) {
                out.block[place - 1] += mine;
            } else {
                out.column[place] = item.column;
                out.block[place++] = mine;
            }
        }
    });
}

bool touches_constrained(const ExtraBlocks& extra, std::span<const std::uint8_t> constrained) {
    return std::any_of(extra.column.begin(), extra.column.end(),
                       [&](int j) { return constrained[at(j)] != 0; });
}

void keep_free(const ExtraBlocks& extra, std::span<const std::uint8_t> constrained, ExtraBlocks& out) {
    out.row_begin.assign(1, 0);
    out.column.clear();
    out.block.clear();
    for (std::size_t i = 0; i + 1 < extra.row_begin.size(); ++i) {
        for (int k = extra.row_begin[i]; k < extra.row_begin[i + 1] && !constrained[i]; ++k) {
            if (constrained[at(extra.column[at(k)])]) continue;
            out.column.push_back(extra.column[at(k)]);
            out.block.push_back(extra.block[at(k)]);
        }
        out.row_begin.push_back(static_cast<int>(out.column.size()));
    }
}

MergedMatrix merge(const BlockMatrix& a, const ExtraBlocks& extra) {
    const BlockPattern& p = *a.pattern;
    MergedMatrix sum;
    sum.pattern.rows = p.rows;
    sum.pattern.row_begin = {0};
    std::vector<int>& column = sum.pattern.column;
    for (std::size_t i = 0; i < at(p.rows); ++i) {
        int k = p.row_begin[i], e = extra.empty() ? 0 : extra.row_begin[i];
        const int k_end = p.row_begin[i + 1], e_end = extra.empty() ? 0 : extra.row_begin[i + 1];
        while (k < k_end || e < e_end) {
            const bool own = k < k_end && (e == e_end || p.column[at(k)] <= extra.column[at(e)]);
            const bool other = e < e_end && (k == k_end || extra.column[at(e)] <= p.column[at(k)]);
            column.push_back(own ? p.column[at(k)] : extra.column[at(e)]);
            sum.block.push_back(own ? a.block[at(k++)] : extra.block[at(e)]);
            if (own && other) sum.block.back() += extra.block[at(e)];
            e += other;
            if (at(column.back()) == i) sum.pattern.diagonal.push_back(static_cast<int>(column.size()) - 1);
        }
        sum.pattern.row_begin.push_back(static_cast<int>(column.size()));
    }
    return sum;
}

}  // namespace rumple
