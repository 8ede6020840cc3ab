// The dense kernels of the block Cholesky factorisation and its solves, on column-major panels.
//
// The work is in products C -= X Y^T of a tall X with a few rows of Y: a tile of C stays in vector registers.
// Vectors are read and written in whole packs, so columns must be longer than their height by up to kOverrun.
#pragma once

#include <cmath>
#include <cstddef>
#include <rumple/core/pack.hpp>

namespace rumple {

constexpr int kOverrun = 15;

template <class T>
constexpr int kPanelPack = 32 / static_cast<int>(sizeof(T));  // numbers in a pack
template <class T>
Pack<T, kPanelPack<T>> load_panel(const T* from) {
    return load_pack<kPanelPack<T>>(from);
}

enum class Into { fresh, existing };  // C = -X Y^T or C -= X Y^T

template <int W, int Packs, Into into, class T>
inline void subtract_tile(int depth, const T* x, std::size_t ldx, const T* y, std::size_t ldy, T* c,
                          std::size_t ldc) {
    using P = Pack<T, kPanelPack<T>>;
    P sum[W][Packs] = {};
    for (int k = 0; k < depth; ++k, x += ldx, y += ldy)
        for (int w = 0; w < W; ++w)
            for (int p = 0; p < Packs; ++p) sum[w][p] += load_panel(x + p * kPanelPack<T>) * y[w];
    for (int w = 0; w < W; ++w)
        for (int p = 0; p < Packs; ++p) {
            T* at = c + static_cast<std::size_t>(w) * ldc + p * kPanelPack<T>;
            store_pack(at, into == Into::fresh ? -sum[w][p] : load_panel(at) - sum[w][p]);
        }
}

// C (height x W) minus X (height x depth) Y^T, Y being W x depth.
template <int W, Into into, class T>
inline void subtract_product(int height, int depth, const T* x, std::size_t ldx, const T* y, std::size_t ldy,
                             T* c, std::size_t ldc) {
    constexpr int kSize = kPanelPack<T>;
    int i = 0;
    for (; i + kSize < height; i += 2 * kSize)
        subtract_tile<W, 2, into>(depth, x + i, ldx, y, ldy, c + i, ldc);
    if (i < height) subtract_tile<W, 1, into>(depth, x + i, ldx, y, ldy, c + i, ldc);
}

// The W x W head of some columns: a lower triangle, with reciprocals on the diagonal once it is factored.
template <int W, class T>
struct PanelHead {
    T l[W][W];

    void load(const T* a, std::size_t ld) {
        for (std::size_t c = 0; c < W; ++c)
            for (std::size_t r = c; r < W; ++r) l[r][c] = a[r + c * ld];
    }
    void store(T* a, std::size_t ld) const {
        for (std::size_t c = 0; c < W; ++c)
            for (std::size_t r = c; r < W; ++r) a[r + c * ld] = l[r][c];
    }
    // Cholesky. False when a pivot is not positive.
    bool factor() {
        for (int c = 0; c < W; ++c)
            for (int r = c; r < W; ++r) {
                T sum = l[r][c];
                for (int d = 0; d < c; ++d) sum -= l[r][d] * l[c][d];
                if (r == c && !(sum > 0)) return false;
                l[r][c] = r == c ? 1 / std::sqrt(sum) : sum * l[c][c];
            }
        return true;
    }
    // Rows [first, height) become X L^{-T}, a whole pack at a time.
    void scale(int first, int height, T* a, std::size_t ld) const {
        using P = Pack<T, kPanelPack<T>>;
        for (int i = first; i < height; i += kPanelPack<T>) {
            P x[W];
            for (int c = 0; c < W; ++c) {
                T* at = a + i + static_cast<std::size_t>(c) * ld;
                x[c] = load_panel(at);
                for (int d = 0; d < c; ++d) x[c] -= x[d] * l[c][d];
                x[c] *= l[c][c];
                store_pack(at, x[c]);
            }
        }
    }
};

// Factors the head of a panel of `height` rows and scales the rows below. False when a pivot is not positive.
template <int W, class T>
inline bool factor_columns(int height, T* a, std::size_t ld) {
    PanelHead<W, T> head;
    head.load(a, ld);
    if (!head.factor()) return false;
    head.store(a, ld);
    head.scale(W, height, a, ld);
    return true;
}

// The same where the head begins at row `head_row`, and nothing after row `height` may change: packs are
// counted from row 0. Rows before the head may change.
template <int W, class T>
inline bool factor_columns_within(int head_row, int height, T* a, std::size_t ld) {
    PanelHead<W, T> head;
    head.load(a + head_row, ld);
    if (!head.factor()) return false;
    head.scale((head_row + W) / kPanelPack<T> * kPanelPack<T>, height, a, ld);
    head.store(a + head_row, ld);
    return true;
}

// One block column of L v = y: v[0..W) is solved, v[W..height) reduced by it.
template <int W, class T>
inline void solve_forward(int height, const T* a, std::size_t ld, T* v) {
    using P = Pack<T, kPanelPack<T>>;
    T x[W];
    for (int c = 0; c < W; ++c) {
        x[c] = v[c];
        for (int d = 0; d < c; ++d)
            x[c] -= a[static_cast<std::size_t>(c) + static_cast<std::size_t>(d) * ld] * x[d];
        x[c] *= a[static_cast<std::size_t>(c) * (ld + 1)];
    }
    for (int c = 0; c < W; ++c) v[c] = x[c];
    for (int i = W; i < height; i += kPanelPack<T>) {
        P even = load_panel(v + i), odd{};  // two chains: additions wait for each other
        for (int c = 0; c < W; c += 2) even -= load_panel(a + i + static_cast<std::size_t>(c) * ld) * x[c];
        for (int c = 1; c < W; c += 2) odd -= load_panel(a + i + static_cast<std::size_t>(c) * ld) * x[c];
        store_pack(v + i, even + odd);
    }
}

// One block column of L^T v = y: v[0..W) is solved with the known v[W..height), which is followed by zeros.
template <int W, class T>
inline void solve_backward(int height, const T* a, std::size_t ld, T* v) {
    using P = Pack<T, kPanelPack<T>>;
    P sum[W] = {};
    for (int i = W; i < height; i += kPanelPack<T>) {
        const P known = load_panel(v + i);
        for (int c = 0; c < W; ++c) sum[c] += load_panel(a + i + static_cast<std::size_t>(c) * ld) * known;
    }
    for (int c = W; c-- > 0;) {
        T x = v[c];
        for (int k = 0; k < kPanelPack<T>; ++k) x -= sum[c][k];
        for (int d = c + 1; d < W; ++d)
            x -= a[static_cast<std::size_t>(d) + static_cast<std::size_t>(c) * ld] * v[d];
        v[c] = x * a[static_cast<std::size_t>(c) * (ld + 1)];
    }
}

}  // namespace rumple
