// How rows of blocks lie in the device's memory: slices of 32 rows, each as wide as its longest row.
//
// Numbers of one block of each row of a slice lie together: of 3x3 blocks number (r, c) of all rows side by
// side, for kernels with a thread a row; of 6x6 blocks column c of all rows, for kernels with a thread a
// scalar row. Either way a warp reads consecutive addresses. The diagonal block is the first of its row, the
// others follow by column. "Place" numbers blocks: (first of the slice + number in the row) * 32 + row % 32.
#pragma once

#include <rumple/core/hd.hpp>
#include <rumple/core/index.hpp>
#include <rumple/linear/block_pattern.hpp>
#include <vector>

namespace rumple::cuda {

inline constexpr int kSlice = 32;  // rows

// Where number (r, c) of the block at `place` lies.
template <int D>
RUMPLE_HD constexpr std::size_t number_at(int place, int r, int c) {
    const int within = D == 3 ? (c * D + r) * kSlice + place % kSlice : (c * kSlice + place % kSlice) * D + r;
    return static_cast<std::size_t>(place / kSlice) * (D * D * kSlice) + static_cast<std::size_t>(within);
}

struct BlockLayout {
    std::vector<int> slice_begin;  // slices + 1
    std::vector<int> length;       // blocks of each row
    std::vector<int> column;       // of each place; the row itself where nothing is stored

    BlockLayout() = default;
    explicit BlockLayout(const BlockPattern& pattern);

    std::size_t places() const { return column.size(); }
    // Place of block number `slot` of a row, the diagonal being number 0.
    int place(int row, int slot) const {
        return (slice_begin[at(row / kSlice)] + slot) * kSlice + row % kSlice;
    }
    // Place of entry k of the pattern.
    int place_of_entry(const BlockPattern& pattern, int row, int k) const {
        const int diagonal = pattern.diagonal[at(row)], before = k - pattern.row_begin[at(row)];
        return place(row, k == diagonal ? 0 : (k < diagonal ? before + 1 : before));
    }
};

}  // namespace rumple::cuda
