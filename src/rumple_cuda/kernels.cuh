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

#ifdef __CUDACC__

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

// Sum over a thread block of whole warps, known to all its threads. The order is fixed.
template <int Threads>
__device__ double block_sum(double value) {
    static_assert(Threads % 32 == 0);
    __shared__ double warp_sum[Threads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    __syncthreads();
    if (threadIdx.x % 32 == 0) warp_sum[threadIdx.x / 32] = value;
    __syncthreads();
    double sum = 0;
    for (int w = 0; w < Threads / 32; ++w) sum += warp_sum[w];
    return sum;
}
template <int Threads>
__device__ double block_max(double value) {
    static_assert(Threads % 32 == 0);
    __shared__ double warp_max[Threads / 32];
    for (int offset = 16; offset > 0; offset /= 2) value = fmax(value, __shfl_down_sync(~0u, value, offset));
    __syncthreads();
    if (threadIdx.x % 32 == 0) warp_max[threadIdx.x / 32] = value;
    __syncthreads();
    double largest = warp_max[0];
    for (int w = 1; w < Threads / 32; ++w) largest = fmax(largest, warp_max[w]);
    return largest;
}

// True in the thread block that comes here last: it sees what all others wrote before, and can add their
// partial sums in a fixed order. The counter is 0 again afterwards.
__device__ inline bool is_last_block(unsigned* counter) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

// Partial sums of all thread blocks, added by one of them.
template <int Threads>
__device__ double sum_of_parts(const double* part, int count) {
    double sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += Threads) sum += __ldcg(part + i);
    return block_sum<Threads>(sum);
}
template <int Threads>
__device__ double max_of_parts(const double* part, int count) {
    double largest = 0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += Threads)
        largest = fmax(largest, __ldcg(part + i));
    return block_max<Threads>(largest);
}

#endif

}  // namespace rumple::cuda
