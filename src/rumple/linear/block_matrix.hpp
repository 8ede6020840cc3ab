// A sparse symmetric matrix of 3x3 blocks whose pattern never changes: one block row a vertex.
//
// Both triangles are stored, so that a product needs no scattered writes and every row can be computed by
// any thread. Row i's blocks stand at row_begin[i] .. row_begin[i+1], sorted by column, diagonal included.
#pragma once

#include <cstddef>
#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
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

struct BlockMatrix {
    const BlockPattern* pattern = nullptr;
    std::vector<Mat3d> block;  // one for each entry of pattern->column
};

// One row of A x. Nine running sums, added up at the end: the compiler keeps them in vector registers.
inline Vec3d multiply_row(const BlockPattern& pattern, const Mat3d* block, std::size_t row, const Vec3d* x) {
    double s[9] = {};
    const int end = pattern.row_begin[row + 1];
    for (int k = pattern.row_begin[row]; k < end; ++k) {
        const double* m = block[k].m;
        const Vec3d& v = x[pattern.column[static_cast<std::size_t>(k)]];
        const double w[9] = {v.x, v.y, v.z, v.x, v.y, v.z, v.x, v.y, v.z};
        for (int e = 0; e < 9; ++e) s[e] += m[e] * w[e];
    }
    return {s[0] + s[1] + s[2], s[3] + s[4] + s[5], s[6] + s[7] + s[8]};
}

// y = A x
void multiply(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> x, std::span<Vec3d> y);

}  // namespace rumple
