// Which 3x3 blocks of a sparse symmetric matrix exist: one block row a vertex. Plain vectors, so that Model
// can hold it without the linear algebra.
//
// The pattern lists both triangles: the entries of row i are row_begin[i] .. row_begin[i+1], sorted by
// column, diagonal included.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace rumple {

struct BlockPattern {
    int rows = 0;
    std::vector<int> row_begin;  // rows + 1
    std::vector<int> column;     // of each block
    std::vector<int> diagonal;   // index of the diagonal block of each row
};

// The symmetric closure of `couplings` (pairs of rows, in any order, repeats allowed) plus the diagonal.
BlockPattern make_block_pattern(int rows, std::span<const std::pair<int, int>> couplings);

// Index of block (row, column) in the pattern, or -1.
int find_block(const BlockPattern& pattern, int row, int column);

}  // namespace rumple
