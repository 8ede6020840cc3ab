// What kernels share: launches that may overlap the kernel before, sums in a fixed order.
#pragma once

#include <cuda_runtime.h>

#include <rumple_cuda/device.hpp>

namespace rumple::cuda {

inline unsigned blocks_for(std::size_t work, unsigned per_block) {
    return static_cast<unsigned>((work + per_block - 1) / per_block);
}

// Launches a kernel. `overlap`: it may start while the kernel before is still running (programmatic dependent
// launch); it must call wait_for_previous() before it reads anything that earlier kernels of the same kind
// wrote.
template <class... Parameters, class... Arguments>
void launch_shared(void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t shared_bytes,
                   cudaStream_t stream, bool overlap, Arguments&&... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = overlap ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launching a kernel");
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, unsigned threads, cudaStream_t stream, bool overlap,
            Arguments&&... arguments) {
    launch_shared(kernel, grid, threads, 0, stream, overlap, std::forward<Arguments>(arguments)...);
}

#if defined(__CUDACC__) || defined(RUMPLE_CUDA_EMULATED)

// The next kernel may start; it still waits for the end of this one before it reads its results.
__device__ __forceinline__ void let_next_start() {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// Shared memory of the size that the launch asks for.
__device__ __forceinline__ double* dynamic_shared() {
#ifdef RUMPLE_CUDA_EMULATED
    return static_cast<double*>(emulation::dynamic_shared_memory());
#else
    extern __shared__ double memory[];
    return memory;
#endif
}

// Reduces several numbers over a thread block of whole warps, in a fixed order: sums, and of the last `Max`
// of them the largest. All threads get the results.
template <int Threads, int Max = 0, int N>
__device__ void block_reduce(double (&value)[N]) {
    static_assert(Threads % 32 == 0);
    constexpr int kWarps = Threads / 32;
    __shared__ double warp_value[kWarps][N];
    const auto combine = [](int i, double a, double b) { return i < N - Max ? a + b : fmax(a, b); };
    for (int offset = 16; offset > 0; offset /= 2)
#pragma unroll
        for (int i = 0; i < N; ++i) value[i] = combine(i, value[i], __shfl_down_sync(~0u, value[i], offset));
    __syncthreads();
    if (threadIdx.x % 32 == 0)
#pragma unroll
        for (int i = 0; i < N; ++i) warp_value[threadIdx.x / 32][i] = value[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; ++i) {
        value[i] = warp_value[0][i];
        for (int w = 1; w < kWarps; ++w) value[i] = combine(i, value[i], warp_value[w][i]);
    }
}

// The same over all thread blocks: each leaves its part, the one that comes last combines them in a fixed
// order. True in that one. The counter is 0 again afterwards. Anything else that blocks wrote may not be
// visible yet.
template <int Threads, int Max = 0, int N>
__device__ bool grid_reduce(double (&value)[N], double* part, unsigned* counter) {
    __shared__ bool last;
    block_reduce<Threads, Max>(value);
    if (threadIdx.x == 0) {
        for (int i = 0; i < N; ++i) part[i * gridDim.x + blockIdx.x] = value[i];
        __threadfence();
        last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return false;
    __threadfence();
#pragma unroll
    for (int i = 0; i < N; ++i) value[i] = 0;  // the largest of sizes: none is negative
    for (unsigned b = threadIdx.x; b < gridDim.x; b += Threads)
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const double other = __ldcg(part + i * gridDim.x + b);
            value[i] = i < N - Max ? value[i] + other : fmax(value[i], other);
        }
    block_reduce<Threads, Max>(value);
    return true;
}

#endif

}  // namespace rumple::cuda
