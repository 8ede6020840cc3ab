// The language of kernels for g++: qualifiers, indices, vector types, barriers, warps.
//
// The threads of a thread block are fibers of one thread of the processor. A barrier or a shuffle is a
// rendezvous: the fiber waits, another one runs. Threads that wait at different barriers, or return while
// others wait, fail the launch. What lies out of range is left to the address sanitizer.
#pragma once

#include <math.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "cuda_runtime_api.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// One thread block runs at a time. Shared memory keeps what the block before left there, as on a device.
#define __shared__ static

struct uint3 {
    unsigned x = 0, y = 0, z = 0;
};
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};

namespace emulation {

// Where a kernel is: set for every thread before it goes on.
struct Place {
    uint3 thread, block;
    dim3 block_size, grid_size;
};
extern Place place;

struct Launch {
    const void* kernel;
    dim3 grid, block;
    std::size_t shared_bytes;
};
// Runs every thread of every thread block.
cudaError_t run_kernel(const Launch& launch, const std::function<void()>& thread);
void allow_shared_memory(const void* kernel, int bytes);
void* dynamic_shared_memory();

void wait_for_block(const char* file, int line);
// Every lane of the warp leaves a number; returns that of `lane`, once all have left theirs.
std::uint64_t exchange(std::uint64_t own, int lane, const char* file, int line);

template <class T>
T shuffle(unsigned mask, T value, int lane, const char* file, int line) {
    static_assert(sizeof(T) <= 8);
    if (mask != ~0u) set_fault("a shuffle of part of a warp is not emulated");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = exchange(bits, lane, file, line);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
inline int lane_below(int offset, int width = 32) {
    const int lane = static_cast<int>(place.thread.x) % 32;
    return lane % width + offset < width ? lane + offset : lane;
}

}  // namespace emulation

inline constexpr uint3 &threadIdx = emulation::place.thread, &blockIdx = emulation::place.block;
inline constexpr dim3 &blockDim = emulation::place.block_size, &gridDim = emulation::place.grid_size;

#define __syncthreads() emulation::wait_for_block(__FILE__, __LINE__)
#define __shfl_sync(mask, value, lane) emulation::shuffle(mask, value, lane, __FILE__, __LINE__)
#define __shfl_down_sync(mask, value, ...) \
    emulation::shuffle(mask, value, emulation::lane_below(__VA_ARGS__), __FILE__, __LINE__)

using std::max;
using std::min;

template <class T>
T __ldcg(const T* from) {
    return *from;
}
inline void __threadfence() {}
inline unsigned atomicInc(unsigned* counter, unsigned last) {
    const unsigned before = *counter;
    *counter = before >= last ? 0 : before + 1;
    return before;
}

enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned numAttrs = 0;
};

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    const emulation::Launch launch{reinterpret_cast<const void*>(kernel), config->gridDim, config->blockDim,
                                   config->dynamicSmemBytes};
    return emulation::enqueue(config->stream,
                              [launch, kernel, values = std::tuple<Parameters...>(arguments...)] {
                                  return emulation::run_kernel(launch, [&] { std::apply(kernel, values); });
                              });
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute, int bytes) {
    emulation::allow_shared_memory(reinterpret_cast<const void*>(kernel), bytes);
    return cudaSuccess;
}
