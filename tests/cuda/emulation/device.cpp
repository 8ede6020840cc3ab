// Emulated device: memory, streams, events, graphs.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

namespace emulation {

struct Event {
    int recorded = 0, reached = 0;  // how often queued, how often run
    Stream* stream = nullptr;       // that recorded it last
    std::chrono::steady_clock::time_point time;
};
struct Graph {
    std::vector<Work> work;
};
struct Stream {
    std::deque<Work> queue;
    std::shared_ptr<Graph> capture;  // null: work is queued
};

namespace {

constexpr int kGarbage = 0xA5;  // what new memory holds

std::map<void*, std::size_t> device_memory;
std::map<const void*, std::size_t> host_memory;  // of the host that the device reads directly
std::size_t allocated = 0;
cudaError_t last_error = cudaSuccess;
std::string fault;
bool lost = false;
long work_left = -1;  // until the device is lost; negative: it is not
Machine machine;

cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

bool is_pinned(const void* memory) {
    const auto next = host_memory.upper_bound(memory);
    if (next == host_memory.begin()) return false;
    const auto& [begin, bytes] = *std::prev(next);
    return static_cast<const char*>(memory) < static_cast<const char*>(begin) + bytes;
}

// Runs what a stream has queued, until `done` says so.
template <class Done>
cudaError_t run(Stream& stream, Done&& done) {
    while (!stream.queue.empty() && !done()) {
        const Work work = std::move(stream.queue.front());
        stream.queue.pop_front();
        if (work_left >= 0 && work_left-- == 0) lost = true;
        if (const cudaError_t error = lost ? cudaErrorDeviceLost : work(); error != cudaSuccess)
            return result(error);
    }
    return cudaSuccess;
}
cudaError_t run_all(Stream& stream) {
    return run(stream, [] { return false; });
}

void* allocate(std::size_t bytes) {
    void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(memory, kGarbage, bytes);
    return memory;
}

}  // namespace

void set_fault(const char* what) { fault = what; }
void lose_device(bool now) {
    lost = now;
    work_left = -1;
}
void lose_device_after(long work) { work_left = work; }
void pretend(const Machine& now) { machine = now; }

cudaError_t enqueue(Stream* stream, Work work) {
    if (!stream) return result(work());  // the default stream waits for no other here
    if (stream->capture)
        stream->capture->work.push_back(std::move(work));
    else
        stream->queue.push_back(std::move(work));
    return cudaSuccess;
}

}  // namespace emulation

using namespace emulation;

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaErrorLaunchFailure:
            return fault.empty() ? "unspecified launch failure" : fault.c_str();
        case cudaErrorMemoryAllocation:
            return "out of memory";
        case cudaErrorDeviceLost:
            return "the device is lost";
        case cudaErrorNoDevice:
            return "no CUDA-capable device is detected";
        case cudaErrorInvalidConfiguration:
            return "invalid configuration argument";
        default:
            return error == cudaSuccess ? "no error" : "invalid argument";
    }
}
cudaError_t cudaGetLastError() {
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = machine.driver;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = machine.devices;
    return machine.devices > 0 ? cudaSuccess : result(cudaErrorNoDevice);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
    *value = machine.capability;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    std::strcpy(properties->name, "emulated device");
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *total = machine.memory;
    *free = machine.memory - std::min(machine.memory, allocated);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    if (lost) return result(cudaErrorDeviceLost);
    if (allocated + bytes > machine.memory) return result(cudaErrorMemoryAllocation);
    *memory = emulation::allocate(bytes);
    device_memory[*memory] = bytes;
    allocated += bytes;
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    if (!memory) return cudaSuccess;
    const auto found = device_memory.find(memory);
    if (found == device_memory.end()) return result(cudaErrorInvalidValue);
    allocated -= found->second;
    device_memory.erase(found);
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
    *memory = emulation::allocate(bytes);
    host_memory[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
    host_memory.erase(memory);
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
// From ordinary memory of the host a copy is taken at once; to it, the call waits.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const auto copy = [to, from, bytes] {
        std::memcpy(to, from, bytes);
        return cudaSuccess;
    };
    if (kind == cudaMemcpyHostToDevice && !is_pinned(from)) {
        const char* begin = static_cast<const char*>(from);
        return enqueue(stream, [to, bytes, kept = std::vector<char>(begin, begin + bytes)] {
            std::memcpy(to, kept.data(), bytes);
            return cudaSuccess;
        });
    }
    if (const cudaError_t error = enqueue(stream, copy); error != cudaSuccess) return error;
    return kind == cudaMemcpyDeviceToHost && !is_pinned(to) ? cudaStreamSynchronize(stream) : cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    return enqueue(stream, [=] { return cudaMemset(memory, value, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = new Stream;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (!stream) return cudaSuccess;
    return stream->capture ? result(cudaErrorStreamCaptureInvalidated) : run_all(*stream);
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new Event;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    event->stream = stream;
    ++event->recorded;
    if (stream->capture) return cudaSuccess;  // a graph runs in the order in which it was recorded
    return enqueue(stream, [event] {
        ++event->reached;
        event->time = std::chrono::steady_clock::now();
        return cudaSuccess;
    });
}
// A stream that waits for one that is being recorded is recorded too, into the same graph.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    if (event->stream->capture) {
        stream->capture = event->stream->capture;
        return cudaSuccess;
    }
    return enqueue(stream, [event, wanted = event->recorded, of = event->stream] {
        return run(*of, [&] { return event->reached >= wanted; });
    });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    *ms = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    stream->capture = std::make_shared<Graph>();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = new Graph(*stream->capture);
    stream->capture->work.clear();
    stream->capture.reset();
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned) {
    *executable = new Graph(*graph);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return cudaGraphDestroy(graph); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    for (const Work& work : graph->work)
        if (const cudaError_t error = enqueue(stream, work); error != cudaSuccess) return error;
    return cudaSuccess;
}
