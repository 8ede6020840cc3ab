// Inverse of a 48x48 matrix held in registers by 8x8 threads, 6x6 numbers each.
#pragma once

#include <rumple_cuda/hierarchy.hpp>

namespace rumple::cuda {

// Row and column of the pivot, twice: the next is written while some threads still read the last.
struct PivotRows {
    double row[2][kDomainUnknowns], column[2][kDomainUnknowns];
};

// In place, by Gauss and Jordan. The matrix is positive definite: no pivot is chosen. barrier() synchronises
// the 64 threads.
template <class Barrier>
__device__ void invert_48(double (&a)[6][6], int ty, int tx, PivotRows& pivot, Barrier&& barrier) {
    for (int block = 0; block < 8; ++block) {
#pragma unroll
        for (int k = 0; k < 6; ++k) {
            const int half = k & 1;
            if (ty == block) {
#pragma unroll
                for (int c = 0; c < 6; ++c) pivot.row[half][tx * 6 + c] = a[k][c];
            }
            if (tx == block) {
#pragma unroll
                for (int r = 0; r < 6; ++r) pivot.column[half][ty * 6 + r] = a[r][k];
            }
            barrier();
            // 1/x in single precision, then two steps of Newton: quicker than a division
            const double x = pivot.row[half][block * 6 + k];
            double inverse = static_cast<double>(1.0f / static_cast<float>(x));
            inverse *= 2 - x * inverse;
            inverse *= 2 - x * inverse;
            double row[6], column[6];
#pragma unroll
            for (int c = 0; c < 6; ++c) {
                row[c] = pivot.row[half][tx * 6 + c] * inverse;
                column[c] = pivot.column[half][ty * 6 + c];
            }
#pragma unroll
            for (int r = 0; r < 6; ++r)
#pragma unroll
                for (int c = 0; c < 6; ++c) a[r][c] -= column[r] * row[c];
            if (ty == block) {
#pragma unroll
                for (int c = 0; c < 6; ++c) a[k][c] = row[c];
            }
            if (tx == block) {
#pragma unroll
                for (int r = 0; r < 6; ++r) a[r][k] = -column[r] * inverse;
            }
            if (ty == block && tx == block) a[k][k] = inverse;
        }
    }
}

}  // namespace rumple::cuda
