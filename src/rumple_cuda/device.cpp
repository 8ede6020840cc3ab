#include <fmt/format.h>

#include <atomic>
#include <rumple_cuda/device.hpp>

namespace rumple::cuda {

namespace {

std::atomic<std::size_t> allocated = 0;

}  // namespace

void fail(cudaError_t error, const char* doing) {
    if (error == cudaErrorMemoryAllocation) {
        std::size_t free = 0, total = 0;
        cudaGetLastError();
        cudaMemGetInfo(&free, &total);
        throw DeviceError(fmt::format(
            "the device has too little memory ({:.1f} GiB in use here, {:.1f} of {:.1f} GiB free); "
            "use a coarser mesh or the CPU backend",
            std::ldexp(static_cast<double>(allocated_bytes()), -30),
            std::ldexp(static_cast<double>(free), -30), std::ldexp(static_cast<double>(total), -30)));
    }
    throw DeviceError(
        fmt::format("the device failed while {}: {}; resume from the last checkpoint, on the CPU if "
                    "the device is lost",
                    doing, cudaGetErrorString(error)));
}

std::string device_fault() {
    int driver = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no NVIDIA driver is installed; use the CPU backend";
    if (driver < CUDART_VERSION / 1000 * 1000)
        return fmt::format(
            "the NVIDIA driver supports CUDA {}.{} and this build needs {}; update the driver, or use "
            "the CPU backend",
            driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000);
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        cudaGetLastError();
        return fmt::format("no CUDA device can be used ({}); use the CPU backend",
                           error == cudaSuccess ? "none is installed" : cudaGetErrorString(error));
    }
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (major < 9)
        return fmt::format(
            "device {} has compute capability {} and this backend needs 9; use the CPU backend",
            device_name(), major);
    return "";
}

std::string device_name() {
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "unknown";
}

std::size_t allocated_bytes() { return allocated; }

void* allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "allocating memory");
    allocated += bytes;
    check(cudaMemset(memory, 0, bytes), "clearing memory");
    check(cudaStreamSynchronize(nullptr), "clearing memory");  // other streams do not wait for it
    return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
    if (!memory) return;
    cudaFree(memory);
    allocated -= bytes;
}

Stream::Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream"); }
Stream::~Stream() {
    if (stream_) cudaStreamDestroy(stream_);
}
void Stream::synchronize() const { check(cudaStreamSynchronize(stream_), "computing a step"); }

Event::Event() { check(cudaEventCreate(&event_), "creating an event"); }
Event::~Event() {
    if (event_) cudaEventDestroy(event_);
}

Graph::~Graph() {
    if (graph_) cudaGraphExecDestroy(graph_);
}
void Graph::begin(const Stream& stream) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a graph");
}
void Graph::end(const Stream& stream) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "recording a graph");
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(error, "instantiating a graph");
}
void Graph::abandon(const Stream& stream) {
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph) cudaGraphDestroy(graph);
    cudaGetLastError();
}
void Graph::launch(const Stream& stream) const {
    check(cudaGraphLaunch(graph_, stream), "launching a graph");
}

}  // namespace rumple::cuda
