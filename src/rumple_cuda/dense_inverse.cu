// Multigrid: the last level. Its matrix is inverted as a dense one, by Gauss and Jordan with blocks of 48.
#include <rumple_cuda/gauss_jordan.cuh>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/multigrid.hpp>

namespace rumple::cuda {

namespace {

constexpr int B = kDomainUnknowns;
constexpr int kThreads = kTiles * kTiles;
constexpr std::size_t kSharedBytes = 3 * B * (B + 1) * sizeof(double);

// The matrix as a dense one, a thread block the six rows of a node. Beyond the last node: the identity.
__global__ void __launch_bounds__(kThreads) fill_dense(MatrixView<float> a, int padded, double* dense) {
    let_next_start();
    wait_for_previous();
    const int node = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
    double* rows = dense + static_cast<std::size_t>(node) * kModes * padded;
    for (int q = t; q < kModes * padded; q += kThreads)
        rows[q] = node >= a.nodes && q % padded == node * kModes + q / padded ? 1 : 0;
    __syncthreads();
    if (node >= a.nodes) return;
    const int first = a.slice_begin[node / kSlice], length = a.length[node];
    for (int q = t; q < length * kModes * kModes; q += kThreads) {
        const int slot = q / 36, r = q % 6, c = q % 36 / 6, place = (first + slot) * kSlice + node % kSlice;
        rows[r * padded + kModes * a.column[place] + c] = a.value[number_at<6>(place, r, c)];
    }
}

// A 48x48 matrix from the tiles of its upper triangle.
__device__ void store_symmetric(const double (&tile)[9], int ty, int tx, double* out) {
    if (ty > tx) return;
#pragma unroll
    for (int e = 0; e < 9; ++e) {
        const int r = ty * 3 + e / 3, c = tx * 3 + e % 3;
        out[r * B + c] = tile[e];
        out[c * B + r] = tile[e];
    }
}

__global__ void __launch_bounds__(kThreads) invert_first_pivot(int padded, const double* dense, double* out) {
    __shared__ PivotTiles tiles;
    let_next_start();
    wait_for_previous();
    const int ty = static_cast<int>(threadIdx.x) / kTiles, tx = static_cast<int>(threadIdx.x) % kTiles;
    double v[9];
#pragma unroll
    for (int e = 0; e < 9; ++e)
        v[e] = dense[static_cast<std::size_t>(ty * 3 + e / 3) * padded + tx * 3 + e % 3];
    invert_48(v, ty, tx, tiles);
    store_symmetric(v, ty, tx, out);
}

struct EliminationView {
    int padded, step;
    const double* from;
    double* to;
    float* result;        // of the last step; null before
    const double* pivot;  // inverse of this step's pivot block
    double* next_pivot;   // null in the last step
};

// One step of Gauss and Jordan with the inverse of pivot block `step`. A thread block makes one block of the
// result; the one that makes the next pivot block inverts it, while the others are still at work.
__global__ void __launch_bounds__(kThreads) eliminate(EliminationView v) {
    __shared__ PivotTiles tiles;
    double(*pivot)[B + 1] = reinterpret_cast<double(*)[B + 1]>(dynamic_shared());
    double(*left)[B + 1] = pivot + B;
    double(*above)[B + 1] = left + B;
    let_next_start();
    wait_for_previous();
    const int t = static_cast<int>(threadIdx.x), k = v.step, count = static_cast<int>(gridDim.x);
    // the next pivot block comes first
    const int i = (static_cast<int>(blockIdx.y) + k + 1) % count,
              j = (static_cast<int>(blockIdx.x) + k + 1) % count;
    const std::size_t stride = static_cast<std::size_t>(v.padded);
    for (int q = t; q < B * B; q += kThreads) {
        const int r = q / B, c = q % B;
        pivot[r][c] = v.pivot[q];
        left[r][c] = v.from[(i * B + r) * stride + k * B + c];
        above[r][c] = v.from[(k * B + r) * stride + j * B + c];
    }
    __syncthreads();
    const int ty = t / kTiles, tx = t % kTiles;  // this thread's tile of the result
    double sum[9] = {};
    const auto each = [&](auto&& body) {
#pragma unroll
        for (int e = 0; e < 9; ++e) body(sum[e], ty * 3 + e / 3, tx * 3 + e % 3);
    };
    if (i == k && j == k) {
        each([&](double& s, int r, int c) { s = pivot[r][c]; });
    } else if (i == k) {
        for (int q = 0; q < B; ++q) each([&](double& s, int r, int c) { s += pivot[r][q] * above[q][c]; });
    } else {
        for (int q = 0; q < B; ++q) each([&](double& s, int r, int c) { s += left[r][q] * pivot[q][c]; });
        if (j == k) {
            each([&](double& s, int, int) { s = -s; });
        } else {
            __syncthreads();
            each([&](double& s, int r, int c) {
                left[r][c] = s;
                s = v.from[(i * B + r) * stride + j * B + c];
            });
            __syncthreads();
            for (int q = 0; q < B; ++q) each([&](double& s, int r, int c) { s -= left[r][q] * above[q][c]; });
        }
    }
    each([&](double& s, int r, int c) {
        const std::size_t place = (i * B + r) * stride + j * B + c;
        if (v.result)
            v.result[place] = static_cast<float>(s);
        else
            v.to[place] = s;
    });
    if (!v.next_pivot || i != k + 1 || j != k + 1) return;
    invert_48(sum, ty, tx, tiles);
    store_symmetric(sum, ty, tx, v.next_pivot);
}

}  // namespace

void Multigrid::set_up_top(const Stream& stream) const {
    const Level& top = levels_.back();
    const unsigned blocks = static_cast<unsigned>(top_padded_ / B);
    double *from = top_work_[0].data(), *to = top_work_[1].data();
    launch(fill_dense, static_cast<unsigned>(top_padded_ / kModes), kThreads, stream, small_, top.single,
           top_padded_, from);
    if (contacts_) contacts_->add_to_dense(stream, top_padded_, from);
    launch(invert_first_pivot, 1u, kThreads, stream, small_, top_padded_, from, top_pivot_.data());
    check(cudaFuncSetAttribute(eliminate, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kSharedBytes)),
          "preparing a kernel");
    for (unsigned k = 0; k < blocks; ++k) {
        const bool last = k + 1 == blocks;
        double* const pivot = top_pivot_.data();
        const EliminationView v{top_padded_,
                                static_cast<int>(k),
                                from,
                                to,
                                last ? top_inverse_.data() : nullptr,
                                pivot + (k & 1) * B * B,
                                last ? nullptr : pivot + ((k + 1) & 1) * B * B};
        launch_shared(eliminate, dim3(blocks, blocks), kThreads, kSharedBytes, stream, true, v);
        std::swap(from, to);
    }
}

}  // namespace rumple::cuda
