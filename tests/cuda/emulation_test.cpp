// Does the emulated device notice what a device would not forgive?
#include <gtest/gtest.h>

#include <rumple_cuda/device.hpp>
#include <rumple_cuda/kernels.cuh>
#include <string>

namespace rumple::cuda {
namespace {

// Restores the order of threads.
struct Order {
    explicit Order(unsigned seed) { emulation::shuffle_order(seed); }
    ~Order() { emulation::shuffle_order(0); }
};

template <class... Parameters, class... Arguments>
std::string fault_of(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                     Arguments... arguments) {
    const Stream stream;
    launch(kernel, blocks, threads, stream, false, arguments...);
    try {
        stream.synchronize();
    } catch (const DeviceError& error) {
        return error.what();
    }
    return "";
}

void sum_of_block(double* out, int count) {
    double value[2] = {0, 0};
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
        value[0] += 1.0 / (1 + i);
        value[1] = std::max(value[1], static_cast<double>(i));
    }
    block_reduce<128, 1>(value);
    if (threadIdx.x == 0) {
        out[0] = value[0];
        out[1] = value[1];
    }
}

TEST(CudaEmulation, ReducesOverABlockInAnyOrder) {
    double sum = 0;
    for (int i = 0; i < 1000; ++i) sum += 1.0 / (1 + i);
    double first = 0;
    for (const unsigned seed : {0u, 1u, 2u, 3u}) {
        const Order order(seed);
        const DeviceArray<double> out(2);
        EXPECT_EQ(fault_of(sum_of_block, 1, 128, out.data(), 1000), "");
        EXPECT_NEAR(out.data()[0], sum, 1e-13);
        EXPECT_EQ(out.data()[1], 999);
        if (seed == 0) first = out.data()[0];
        EXPECT_EQ(out.data()[0], first);
    }
}

void barrier_in_a_branch() {
    if (threadIdx.x < 32) __syncthreads();
}
void two_barriers() {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
}
void lanes_that_left() {
    if (threadIdx.x == 7) return;
    __shfl_down_sync(~0u, 1.0, 1);
}

TEST(CudaEmulation, FailsWhereThreadsWaitForOthersThatDoNotCome) {
    EXPECT_NE(fault_of(barrier_in_a_branch, 1, 64).find("while others"), std::string::npos);
    EXPECT_NE(fault_of(two_barriers, 1, 64).find("wait at different places"), std::string::npos);
    EXPECT_NE(fault_of(lanes_that_left, 1, 32), "");
    EXPECT_EQ(fault_of(barrier_in_a_branch, 1, 32), "");  // and works again afterwards
}

// Each thread reads what its neighbour wrote, with and without a barrier between.
template <bool Barrier>
void pass_on(int* out) {
    __shared__ int share[64];
    const unsigned t = threadIdx.x;
    share[t] = static_cast<int>(blockIdx.x * 64 + t);
    if (Barrier) __syncthreads();
    out[blockIdx.x * 64 + t] = share[(t + 1) % 64];
    if (Barrier) __syncthreads();
}

TEST(CudaEmulation, AMissingBarrierShows) {
    const auto wrong = [](auto* kernel) {
        const DeviceArray<int> out(128);
        EXPECT_EQ(fault_of(kernel, 2, 64, out.data()), "");
        int count = 0;
        for (int i = 0; i < 128; ++i) count += out.data()[i] != i / 64 * 64 + (i + 1) % 64;
        return count;
    };
    EXPECT_EQ(wrong(pass_on<true>), 0);
    EXPECT_GT(wrong(pass_on<false>), 0);
    const Order order(5);
    EXPECT_EQ(wrong(pass_on<true>), 0);
    EXPECT_GT(wrong(pass_on<false>), 0);
}

void nothing() {}

TEST(CudaEmulation, RefusesLaunchesThatDevicesRefuse) {
    EXPECT_NE(fault_of(nothing, 0, 64), "");
    EXPECT_NE(fault_of(nothing, 1, 2048), "");
    const Stream stream;
    launch_shared(nothing, 1, 32, 100000, stream, false);
    EXPECT_THROW(stream.synchronize(), DeviceError);
}

void write(int* to, int value) { *to = value; }

// What a host reads before it has waited is not there yet.
TEST(CudaEmulation, StreamsAreLazyAndGraphsReplay) {
    const Stream stream, side;
    const PinnedArray<int> result(1);
    launch(write, 1, 1, stream, false, result.data(), 3);
    EXPECT_EQ(result[0], 0);
    stream.synchronize();
    EXPECT_EQ(result[0], 3);

    const Event forked, joined;
    Graph graph;
    graph.record(stream, [&] {
        launch(write, 1, 1, stream, false, result.data(), 4);
        check(cudaEventRecord(forked, stream), "");
        check(cudaStreamWaitEvent(side, forked, 0), "");
        launch(write, 1, 1, side, false, result.data(), 5);
        check(cudaEventRecord(joined, side), "");
        check(cudaStreamWaitEvent(stream, joined, 0), "");
    });
    stream.synchronize();
    EXPECT_EQ(result[0], 3);
    for (int i = 0; i < 2; ++i) {
        result[0] = 0;
        graph.launch(stream);
        stream.synchronize();
        EXPECT_EQ(result[0], 5);
    }
}

}  // namespace
}  // namespace rumple::cuda
