// Workers that wait for loops: the inside of Threads. Private.
//
// A step of conjugate gradients is a dozen loops of some ten microseconds each, so what counts is how soon
// all threads are at work and how soon the last one is done. Workers look out for the next loop for a while
// before they go to sleep. Each thread first takes its own range of the pieces, the same one in every loop
// over as many, so that what it needs is still in its caches; then it takes pieces of the others.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rumple {

class WorkerPool {
  public:
    explicit WorkerPool(int threads);  // the caller's included
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Calls piece(i) for each i in [0, pieces). A call from within one, or while another thread's is under
    // way, runs on the caller alone. If a piece throws, the others still run, and the exception is thrown
    // here.
    void run(std::size_t pieces, const std::function<void(std::size_t)>& piece);

  private:
    // Which pieces of a thread's range are left, in one word: number of the loop, next piece, end. Whoever
    // takes a piece of loop k finds k there; so one who is late for a loop takes nothing of the next.
    struct alignas(64) Range {
        std::atomic<std::uint64_t> word{0};
    };
    void work(std::uint32_t loop, std::size_t self);
    void serve(std::size_t self);
    bool take(Range& range, std::uint32_t loop, std::size_t& first, std::size_t& last);
    void run_pieces(std::size_t first, std::size_t last);

    std::vector<Range> ranges_;                       // one a thread
    alignas(64) std::atomic<std::uint32_t> loop_{0};  // number of the last one
    alignas(64) std::atomic<std::size_t> left_{0};    // pieces that are not done
    alignas(64) std::atomic<bool> busy_{false};
    bool stop_ = false;                    // this and what follows: written before a loop is announced
    std::size_t pieces_ = 0, stride_ = 1;  // pieces; pieces that are taken at a time
    const std::function<void(std::size_t)>* piece_ = nullptr;
    std::exception_ptr failure_;
    std::mutex failure_mutex_;
    std::vector<std::thread> workers_;
};

}  // namespace rumple
