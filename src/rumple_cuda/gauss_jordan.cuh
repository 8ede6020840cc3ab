// Inverse of a symmetric positive definite 48x48 matrix held in registers, a 3x3 tile a thread.
#pragma once

#include <cuda_runtime.h>

#include <rumple_cuda/hierarchy.hpp>

namespace rumple::cuda {

inline constexpr int kTiles = kDomainUnknowns / 3;  // along a side
inline constexpr int kUpperTiles = kTiles * (kTiles + 1) / 2;

struct PivotTiles {
    double pivot[9];
    double column[2][kTiles][9];  // twice: the next is written while some threads still read the last
    double scaled[kTiles][9];     // the column times the pivot's inverse
};

// 1/x within rounding: quicker than a division.
__device__ inline double reciprocal(double x) {
#ifdef RUMPLE_CUDA_EMULATED
    return 1 / x;
#else
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double e = fma(-x, r, 1.0);
    return fma(r, fma(e, e, e), r);
#endif
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

// Tile number t of the upper triangle, row by row.
__device__ inline void upper_tile(int t, int& i, int& j) {
    for (i = 0; t >= kTiles - i; ++i) t -= kTiles - i;
    j = i + t;
}

// In place, by Gauss and Jordan with tiles as pivots, in the symmetric form (Goodnight's sweep operator). A
// thread has tile (i, j) of the upper triangle, i <= j; threads with i > j take no part but call this too. No
// pivot is chosen.
__device__ inline void invert_48(double (&a)[9], int i, int j, PivotTiles& tiles) {
    for (int k = 0; k < kTiles; ++k) {
        double(*column)[9] = tiles.column[k & 1];
        const bool above = i < k && j == k, right = i == k && j > k, pivot = i == k && j == k;
#pragma unroll
        for (int e = 0; e < 9; ++e) {
            if (above) column[i][e] = a[e];
            if (right) column[j][e % 3 * 3 + e / 3] = a[e];
            if (pivot) tiles.pivot[e] = a[e];
        }
        __syncthreads();
        if (above || right || pivot) {
            double inverse[9], scaled[9];
            invert_tile(tiles.pivot, inverse);
#pragma unroll
            for (int e = 0; e < 9; ++e) {  // column times inverse, also where the tile holds its transpose
                const int r = e / 3, c = e % 3;
                const double x = right ? a[r] : a[3 * r], y = right ? a[3 + r] : a[3 * r + 1],
                             z = right ? a[6 + r] : a[3 * r + 2];
                scaled[e] = x * inverse[c] + y * inverse[3 + c] + z * inverse[6 + c];
            }
#pragma unroll
            for (int e = 0; e < 9; ++e) {
                if (!pivot) tiles.scaled[above ? i : j][e] = scaled[e];
                a[e] = pivot ? -inverse[e] : (above ? scaled[e] : scaled[e % 3 * 3 + e / 3]);
            }
        }
        __syncthreads();
        if (i == k || j == k || i > j) continue;
        double u[9], v[9];
#pragma unroll
        for (int e = 0; e < 9; ++e) {
            v[e] = tiles.scaled[i][e];
            u[e] = column[j][e];
        }
#pragma unroll
        for (int r = 0; r < 3; ++r)
#pragma unroll
            for (int c = 0; c < 3; ++c)
                a[3 * r + c] -=
                    v[3 * r] * u[3 * c] + v[3 * r + 1] * u[3 * c + 1] + v[3 * r + 2] * u[3 * c + 2];
    }
#pragma unroll
    for (int e = 0; e < 9; ++e) a[e] = -a[e];
}

}  // namespace rumple::cuda
