#include <algorithm>
#include <numeric>
#include <rumple/core/index.hpp>
#include <rumple/linear/off_pattern_blocks.hpp>

namespace rumple {

void OffPatternBlocksBuilder::begin(int rows) {
    places_.assign(at(rows), 0);
    part_.resize((at(rows) + kRows - 1) / kRows);
    for (Part& part : part_) {
        part.items.clear();
        part.column.clear();
        part.block.clear();
    }
}

void OffPatternBlocksBuilder::end_row(std::size_t row) {
    Part& part = part_[row / kRows];
    part.order.clear();
    for (std::size_t k = 0; k < part.items.size(); ++k)
        part.order.emplace_back(part.items[k].column, static_cast<int>(k));
    std::sort(part.order.begin(), part.order.end());
    int last = -1;
    for (const auto& [column, k] : part.order) {
        if (column != last) {
            part.column.push_back(column);
            part.block.push_back(part.items[at(k)].block);
            ++places_[row];
        } else {
            part.block.back() += part.items[at(k)].block;
        }
        last = column;
    }
    part.items.clear();
}

void OffPatternBlocksBuilder::end(const Threads& threads, OffPatternBlocks& out) {
    out.row_begin.resize(places_.size() + 1);
    out.row_begin[0] = 0;
    std::partial_sum(places_.begin(), places_.end(), out.row_begin.begin() + 1);
    out.column.resize(at(out.row_begin.back()));
    out.block.resize(out.column.size());
    threads.for_each(part_.size(), 1, [&](std::size_t i) {
        const int begin = out.row_begin[i * kRows];
        std::copy(part_[i].column.begin(), part_[i].column.end(), out.column.begin() + begin);
        std::copy(part_[i].block.begin(), part_[i].block.end(), out.block.begin() + begin);
    });
}

bool touches_constrained(const OffPatternBlocks& extra, std::span<const std::uint8_t> constrained) {
    return std::any_of(extra.column.begin(), extra.column.end(),
                       [&](int j) { return constrained[at(j)] != 0; });
}

void keep_free(const OffPatternBlocks& extra, std::span<const std::uint8_t> constrained,
               OffPatternBlocks& out) {
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

MergedMatrix::MergedMatrix(const BlockMatrix& a, const OffPatternBlocks& extra) {
    std::vector<std::pair<int, int>> couplings;
    const auto each = [&](const auto& rows, const auto& visit) {
        for (int i = 0; i + 1 < static_cast<int>(rows.row_begin.size()); ++i)
            for (int k = rows.row_begin[at(i)]; k < rows.row_begin[at(i) + 1]; ++k)
                if (rows.column[at(k)] >= i) visit(i, k);
    };
    each(*a.pattern, [&](int i, int k) { couplings.emplace_back(i, a.pattern->column[at(k)]); });
    each(extra, [&](int i, int k) { couplings.emplace_back(i, extra.column[at(k)]); });
    pattern = make_block_pattern(a.pattern->rows, couplings);
    matrix = BlockMatrix(pattern);
    const auto place = [&](int i, int column) { return matrix.place(at(i), find_block(pattern, i, column)); };
    each(*a.pattern, [&](int i, int k) {
        matrix.block[place(i, a.pattern->column[at(k)])] += a.block[a.place(at(i), k)];
    });
    each(extra, [&](int i, int k) { matrix.block[place(i, extra.column[at(k)])] += extra.block[at(k)]; });
}

}  // namespace rumple
