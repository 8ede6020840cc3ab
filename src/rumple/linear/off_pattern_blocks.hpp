// Blocks of a symmetric matrix outside its fixed pattern, e.g. of cloth that touches cloth: they couple
// vertices that are far apart in the mesh, and different ones in every solve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rumple/linear/block_matrix.hpp>
#include <utility>

namespace rumple {

// Both (row, column) and (column, row) are stored, each the transpose of the other, sorted by row, then by
// column, each place once.
struct OffPatternBlocks {
    std::vector<int> row_begin;  // rows + 1, or empty: there are none
    std::vector<int> column;
    std::vector<Mat3d> block;
    bool empty() const { return column.empty(); }
};

// One row of a product.
inline Vec3d multiply_row(const OffPatternBlocks& extra, std::size_t row, const Vec3d* x) {
    BlockSums sums;
    for (int k = extra.row_begin[row]; k < extra.row_begin[row + 1]; ++k) {
        const auto e = static_cast<std::size_t>(k);
        sums.add(extra.block[e], x[extra.column[e]]);
    }
    return sums.sum();
}

// Puts blocks together row by row. Blocks of one place are added in the order given: when both triangles give
// theirs in one order they agree to the bit. Memory is kept between calls.
class OffPatternBlocksBuilder {
  public:
    static constexpr std::size_t kRows = 256;  // a piece of work
    struct Item {
        int column;
        Mat3d block;
    };

    void begin(int rows);
    // The items of one row. Rows of one piece are filled in order, pieces in parallel.
    std::vector<Item>& items(std::size_t row) { return part_[row / kRows].items; }
    void end_row(std::size_t row);  // all its items are given
    void end(const Threads& threads, OffPatternBlocks& out);

  private:
    struct Part {
        std::vector<Item> items;
        std::vector<std::pair<int, int>> order;  // column, item
        std::vector<int> column;
        std::vector<Mat3d> block;
    };
    std::vector<Part> part_;
    std::vector<int> places_;  // different columns of each row
};

// Whether an entry stands in a constrained row or column.
bool touches_constrained(const OffPatternBlocks& extra, std::span<const std::uint8_t> constrained);

// The entries whose row and column are both free. The memory of `out` is used again.
void keep_free(const OffPatternBlocks& extra, std::span<const std::uint8_t> constrained,
               OffPatternBlocks& out);

// A with the extra blocks in it: its pattern and its blocks. For the direct solver; built from scratch.
struct MergedMatrix {
    MergedMatrix(const BlockMatrix& a, const OffPatternBlocks& extra);
    MergedMatrix(const MergedMatrix&) = delete;  // the matrix points to the pattern
    MergedMatrix& operator=(const MergedMatrix&) = delete;

    BlockPattern pattern;
    BlockMatrix matrix;
};

}  // namespace rumple
