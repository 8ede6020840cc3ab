// Blocks of a symmetric matrix outside its fixed pattern, e.g. of cloth that touches cloth: they join
// vertices far apart in the mesh, and other ones in every solve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rumple/linear/block_matrix.hpp>

namespace rumple {

// Both (row, column) and (column, row) are stored, each the transpose of the other, sorted by row, then by
// column, each place once.
struct ExtraBlocks {
    std::vector<int> row_begin;  // rows + 1, or empty: there are none
    std::vector<int> column;
    std::vector<Mat3d> block;
    bool empty() const { return column.empty(); }
};

// One block, for the place (row, column) and its transpose for (column, row); for the diagonal it counts
// once.
struct ExtraEntry {
    int row, column;
    Mat3d block;
};

// Puts entries into rows. Entries of one place are added in the order of the list, so that the numbers depend
// on the list alone, and the two triangles agree to the bit. Memory is kept between calls.
class ExtraBlocksBuilder {
  public:
    void assemble(const Threads& threads, int rows, std::span<const ExtraEntry> entries, ExtraBlocks& out);

  private:
    struct Item {
        int column;
        int entry;  // as it is: its index; transposed: the index's complement
    };
    std::vector<int> begin_;   // of each row in item_
    std::vector<int> places_;  // different columns of each row
    std::vector<Item> item_;
};

// Whether an entry stands in a constrained row or column.
bool touches_constrained(const ExtraBlocks& extra, std::span<const std::uint8_t> constrained);

// The entries whose row and column are both free. The memory of `out` is used again.
void keep_free(const ExtraBlocks& extra, std::span<const std::uint8_t> constrained, ExtraBlocks& out);

// A with the extra blocks in it: its pattern and its blocks. For the direct solver; every call builds anew.
struct MergedMatrix {
    BlockPattern pattern;
    std::vector<Mat3d> block;
};
MergedMatrix merge(const BlockMatrix& a, const ExtraBlocks& extra);

}  // namespace rumple
