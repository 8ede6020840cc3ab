// A sparse symmetric matrix of 3x3 blocks with a fixed pattern (block_pattern.hpp).
//
// Only the blocks on and above the diagonal are stored. A row of a product reads the others from the rows
// above it, transposed: it needs no scattered writes, so any thread can compute any row.
#pragma once

#include <cstddef>
#include <rumple/core/pack.hpp>
#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
#include <rumple/linear/block_pattern.hpp>
#include <span>
#include <utility>
#include <vector>

namespace rumple {

struct BlockMatrix {
    const BlockPattern* pattern = nullptr;
    std::vector<int> row_begin;  // rows + 1: where the blocks of each row begin, its diagonal block first
    std::vector<int> mirror;     // of each entry below the diagonal, row by row: the block to transpose
    std::vector<Mat3d> block;

    BlockMatrix() = default;
    explicit BlockMatrix(const BlockPattern& pattern);  // all zero

    Mat3d& diagonal(std::size_t row) { return block[static_cast<std::size_t>(row_begin[row])]; }
    const Mat3d& diagonal(std::size_t row) const { return block[static_cast<std::size_t>(row_begin[row])]; }
    // The block of entry k of a row: on or above the diagonal; below it, transposed.
    std::size_t place(std::size_t row, int k) const {
        const int d = pattern->diagonal[row], b = row_begin[row];
        return static_cast<std::size_t>(k >= d ? b + k - d : mirror[static_cast<std::size_t>(k - b)]);
    }
};

// Running sums of a product of blocks with vectors: nine numbers in vector registers, added up at the end.
class BlockSums {
  public:
    void add(const Mat3d& block, const Vec3d& v) {
        const auto [xy, yz] = load(v);
        low_ += load_pack<4>(block.m) * __builtin_shufflevector(xy, yz, 0, 1, 3, 0);
        high_ += load_pack<4>(block.m + 4) * __builtin_shufflevector(xy, yz, 1, 3, 0, 1);
        last_ += block.m[8] * v.z;
    }
    Vec3d sum() const {
        return {low_[0] + low_[1] + low_[2], low_[3] + high_[0] + high_[1], high_[2] + high_[3] + last_};
    }
    // The same with transposed blocks; one object takes only one kind.
    void add_transposed(const Mat3d& block, const Vec3d& v) {
        const auto [xy, yz] = load(v);
        low_ += load_pack<4>(block.m) * __builtin_shufflevector(xy, yz, 0, 0, 0, 1);
        high_ += load_pack<4>(block.m + 4) * __builtin_shufflevector(xy, yz, 1, 1, 3, 3);
        last_ += block.m[8] * v.z;
    }
    Vec3d sum_transposed() const {
        return {low_[0] + low_[3] + high_[2], low_[1] + high_[0] + high_[3], low_[2] + high_[1] + last_};
    }

  private:
    using Pair = Pack<double, 2>;
    static std::pair<Pair, Pair> load(const Vec3d& v) { return {load_pack<2>(&v.x), load_pack<2>(&v.y)}; }
    Pack<double, 4> low_{}, high_{};  // of entries 0-3 and 4-7 of the blocks
    double last_ = 0;                 // of entry 8
};

// One row of A x.
inline Vec3d multiply_row(const BlockMatrix& a, std::size_t row, const Vec3d* x) {
    const BlockPattern& p = *a.pattern;
    const int* const column = p.column.data();
    const Mat3d* const block = a.block.data();
    const int begin = a.row_begin[row], diagonal = p.diagonal[row];
    BlockSums below, above;
    const int* const mirror = a.mirror.data();
    for (int k = p.row_begin[row]; k < diagonal; ++k)
        below.add_transposed(block[mirror[k - begin]], x[column[k]]);
    const Mat3d* const upper = block + begin;
    for (int k = 0; k < p.row_begin[row + 1] - diagonal; ++k) above.add(upper[k], x[column[diagonal + k]]);
    return below.sum_transposed() + above.sum();
}

// y = A x
void multiply(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> x, std::span<Vec3d> y);

}  // namespace rumple
