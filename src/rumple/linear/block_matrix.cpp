#include <algorithm>
#include <rumple/linear/block_matrix.hpp>

namespace rumple {

BlockPattern make_block_pattern(int rows, std::span<const std::pair<int, int>> couplings) {
    std::vector<std::pair<int, int>> entries;
    entries.reserve(2 * couplings.size() + static_cast<std::size_t>(rows));
    for (const auto& [i, j] : couplings) {
        entries.emplace_back(i, j);
        entries.emplace_back(j, i);
    }
    for (int i = 0; i < rows; ++i) entries.emplace_back(i, i);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());

    BlockPattern pattern;
    pattern.rows = rows;
    pattern.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
    pattern.diagonal.resize(static_cast<std::size_t>(rows));
    pattern.column.reserve(entries.size());
    for (const auto& [i, j] : entries) {
        if (i == j) pattern.diagonal[static_cast<std::size_t>(i)] = static_cast<int>(pattern.column.size());
        pattern.column.push_back(j);
        pattern.row_begin[static_cast<std::size_t>(i) + 1] = static_cast<int>(pattern.column.size());
    }
    return pattern;
}

int find_block(const BlockPattern& pattern, int row, int column) {
    const auto first = pattern.column.begin() + pattern.row_begin[static_cast<std::size_t>(row)];
    const auto last = pattern.column.begin() + pattern.row_begin[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(first, last, column);
    return found != last && *found == column ? static_cast<int>(found - pattern.column.begin()) : -1;
}

BlockMatrix::BlockMatrix(const BlockPattern& p) : pattern(&p) {
    const auto rows = static_cast<std::size_t>(p.rows);
    row_begin.assign(rows + 1, 0);
    for (std::size_t i = 0; i < rows; ++i)
        row_begin[i + 1] = row_begin[i] + p.row_begin[i + 1] - p.diagonal[i];
    block.resize(static_cast<std::size_t>(row_begin.back()));
    // Columns ascend in every row, and so do rows in every column: a row meets its mirrored blocks in order.
    mirror.resize(p.column.size() - block.size());
    std::vector<int> next(row_begin.begin(), row_begin.end() - 1);  // block of each row not yet met
    for (std::size_t i = 0; i < rows; ++i)
        for (int k = p.row_begin[i]; k < p.diagonal[i]; ++k)
            mirror[static_cast<std::size_t>(k - row_begin[i])] =
                ++next[static_cast<std::size_t>(p.column[static_cast<std::size_t>(k)])];
}

void multiply(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> x, std::span<Vec3d> y) {
    threads.for_each(y.size(), 1024, [&](std::size_t i) { y[i] = multiply_row(a, i, x.data()); });
}

}  // namespace rumple
