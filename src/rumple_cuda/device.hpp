// The CUDA runtime behind a few small classes: errors as sentences, arrays that free themselves, streams,
// graphs. No kernel is launched from here, so that files of the host compiler can use it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <rumple/core/error.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rumple::cuda {

// The device failed while it was computing: one sentence. The run can be resumed from its last checkpoint, on
// the CPU too.
class DeviceError : public SimulationError {
  public:
    using SimulationError::SimulationError;
};

[[noreturn]] void fail(cudaError_t error, const char* doing);
inline void check(cudaError_t error, const char* doing) {
    if (error != cudaSuccess) fail(error, doing);
}

// Why no device can be used; empty: one can.
std::string device_fault();
std::string device_name();
std::size_t allocated_bytes();  // of all arrays on the device

void* allocate(std::size_t bytes);  // zeroed
void release(void* memory, std::size_t bytes) noexcept;

// An array on the device. Not copyable; zero at first.
template <class T>
class DeviceArray {
  public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t count)
        : count_(count), data_(static_cast<T*>(allocate(count * sizeof(T)))) {}
    explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { upload(values); }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(std::span<const T>(values)) {}
    DeviceArray(DeviceArray&& other) noexcept { swap(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DeviceArray() { release(data_, count_ * sizeof(T)); }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }

    // Both return when the copy is done; for set-up and tests.
    void upload(std::span<const T> values) {
        if (values.empty()) return;
        check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying to the device");
    }
    std::vector<T> download() const {
        std::vector<T> values(count_);
        if (count_ > 0)
            check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
                  "copying from the device");
        return values;
    }

  private:
    void swap(DeviceArray& other) noexcept {
        std::swap(count_, other.count_);
        std::swap(data_, other.data_);
    }
    std::size_t count_ = 0;
    T* data_ = nullptr;
};

// Memory of the host that the device reads and writes directly.
template <class T>
class PinnedArray {
  public:
    PinnedArray() = default;
    explicit PinnedArray(std::size_t count) : count_(count) {
        if (count > 0)
            check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)),
                  "allocating host memory for the device");
        for (std::size_t i = 0; i < count; ++i) data_[i] = T{};
    }
    PinnedArray(PinnedArray&& other) noexcept { swap(other); }
    PinnedArray& operator=(PinnedArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~PinnedArray() { cudaFreeHost(data_); }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) const { return data_[i]; }

  private:
    void swap(PinnedArray& other) noexcept {
        std::swap(count_, other.count_);
        std::swap(data_, other.data_);
    }
    std::size_t count_ = 0;
    T* data_ = nullptr;
};

class Stream {
  public:
    Stream();
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void synchronize() const;

  private:
    cudaStream_t stream_ = nullptr;
};

class Event {
  public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return event_; }

  private:
    cudaEvent_t event_ = nullptr;
};

// Work recorded once and replayed: one launch for many kernels.
class Graph {
  public:
    Graph() = default;
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    template <class Body>
    void record(const Stream& stream, Body&& body) {
        begin(stream);
        try {
            body();
        } catch (...) {
            abandon(stream);
            throw;
        }
        end(stream);
    }
    void launch(const Stream& stream) const;

  private:
    void begin(const Stream& stream);
    void end(const Stream& stream);
    static void abandon(const Stream& stream);
    cudaGraphExec_t graph_ = nullptr;
};

}  // namespace rumple::cuda
