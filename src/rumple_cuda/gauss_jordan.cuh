// Inverse of a 48x48 matrix held in registers by 16x16 threads, a 3x3 tile each.
#pragma once

#include <rumple_cuda/hierarchy.hpp>

namespace rumple::cuda {

inline constexpr int kTiles = kDomainUnknowns / 3, kTileThreads = kTiles * kTiles;

struct PivotTiles {
    double pivot[9];
    double column[2][kTiles][9];  // twice: the next is written while some threads still read the last
    double row[kTiles][9];
};

// 1/x within rounding: quicker than a division.
__device__ inline double reciprocal(double x) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double e = fma(-x, r, 1.0);
    return fma(r, fma(e, e, e), r);
}

// Inverse of a symmetric positive definite tile: its first row is eliminated, the rest is 2x2. (By cofactors
// of the whole tile, an ill-conditioned one would lose twice the digits.)
__device__ inline void invert_tile(const double* p, double* out) {
    const double first = reciprocal(p[0]), u1 = p[1] * first, u2 = p[2] * first;
    const double s11 = p[4] - p[1] * u1, s12 = p[5] - p[2] * u1, s22 = p[8] - p[2] * u2;
    const double d = reciprocal(s11 * s22 - s12 * s12);
    const double q11 = s22 * d, q12 = -s12 * d, q22 = s11 * d;
    const double v1 = -(q11 * u1 + q12 * u2), v2 = -(q12 * u1 + q22 * u2);
    out[0] = first - (u1 * v1 + u2 * v2);
    out[1] = out[3] = v1;
    out[2] = out[6] = v2;
    out[4] = q11;
    out[5] = out[7] = q12;
    out[8] = q22;
}

// In place, by Gauss and Jordan with tiles as pivots. The matrix is positive definite: no pivot is chosen.
// Called by all kTileThreads threads of a thread block; (ty, tx) says which tile a thread holds.
__device__ inline void invert_48(double (&a)[9], int ty, int tx, PivotTiles& tiles) {
    for (int k = 0; k < kTiles; ++k) {
        const int half = k & 1;
        if (tx == k) {
#pragma unroll
            for (int e = 0; e < 9; ++e) tiles.column[half][ty][e] = a[e];
        }
        if (ty == k && tx == k) {
#pragma unroll
            for (int e = 0; e < 9; ++e) tiles.pivot[e] = a[e];
        }
        __syncthreads();
        if (ty == k) {  // the pivot's row, times the pivot's inverse
            double inverse[9], row[9];
            invert_tile(tiles.pivot, inverse);
#pragma unroll
            for (int r = 0; r < 3; ++r)
#pragma unroll
                for (int c = 0; c < 3; ++c)
                    row[3 * r + c] =
                        inverse[3 * r] * a[c] + inverse[3 * r + 1] * a[3 + c] + inverse[3 * r + 2] * a[6 + c];
#pragma unroll
            for (int e = 0; e < 9; ++e) {
                a[e] = tx == k ? inverse[e] : row[e];
                tiles.row[tx][e] = a[e];
            }
        }
        __syncthreads();
        if (ty == k) continue;
        double column[9], row[9];
#pragma unroll
        for (int e = 0; e < 9; ++e) {
            column[e] = tiles.column[half][ty][e];
            row[e] = tiles.row[tx][e];
        }
#pragma unroll
        for (int r = 0; r < 3; ++r)
#pragma unroll
            for (int c = 0; c < 3; ++c)
                a[3 * r + c] = (tx == k ? 0.0 : a[3 * r + c]) - column[3 * r] * row[c] -
                               column[3 * r + 1] * row[3 + c] - column[3 * r + 2] * row[6 + c];
    }
}

}  // namespace rumple::cuda
