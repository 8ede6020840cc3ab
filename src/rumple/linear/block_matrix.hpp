// A sparse symmetric matrix of 3x3 blocks whose pattern never changes: one block row a vertex.
//
// Both triangles are stored, so that a product needs no scattered writes and every row can be computed by
// any thread. Row i's blocks stand at row_begin[i] .. row_begin[i+1], sorted by column, diagonal included.
#pragma once

#include <cstddef>
#include <cstring>
#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
#include <rumple/linear/pack.hpp>
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

// One row of A x: nine running sums in vector registers, added up at the end.
inline Vec3d multiply_row(const int* row_begin, const int* column, const Mat3d* block, std::size_t row,
                          const Vec3d* x) {
    typedef double Pair __attribute__((vector_size(16)));
    using Quad = Pack<double>::Type;
    Quad low{}, high{};  // sums of entries 0-3 and 4-7 of the blocks
    double last = 0;     // of entry 8
    const int end = row_begin[row + 1];
    for (int k = row_begin[row]; k < end; ++k) {
        const double* m = block[k].m;
        const Vec3d& v = x[column[k]];
        Pair xy, yz;
        std::memcpy(&xy, &v.x, sizeof xy);
        std::memcpy(&yz, &v.y, sizeof yz);
        low += Pack<double>::load(m) * __builtin_shufflevector(xy, yz, 0, 1, 3, 0);
        high += Pack<double>::load(m + 4) * __builtin_shufflevector(xy, yz, 1, 3, 0, 1);
        last += m[8] * v.z;
    }
    return {low[0] + low[1] + low[2], low[3] + high[0] + high[1], high[2] + high[3] + last};
}

inline Vec3d multiply_row(const BlockPattern& pattern, const Mat3d* block, std::size_t row, const Vec3d* x) {
    return multiply_row(pattern.row_begin.data(), pattern.column.data(), block, row, x);
}

// y = A x
void multiply(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> x, std::span<Vec3d> y);

}  // namespace rumple
