// Writes what a run leaves on a thread of its own, so that the disk does not hold up the steps.
//
// Jobs are done one at a time, in the order in which they were handed in: a checkpoint comes after the frames
// that it counts on, and jobs need no locks among themselves. What a job needs of the simulation it carries
// as a copy; few jobs wait at a time, so that a disk slower than the steps costs time and not memory.
//
//   simulating thread   step  submit(frame)  step  step  submit(frame)  submit(checkpoint) ...  drain()
//   writer                         [ frame ]                  [ frame ][ checkpoint, fsync ]
//
// The first job that throws is the last that is done: nothing is written that counts on what is missing. Its
// exception comes out of the next call here. The thread starts with the first job.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace rumple {

class Writer {
  public:
    explicit Writer(std::size_t most_waiting = 4) : most_waiting_(most_waiting) {}
    // Does the jobs that were handed in, then ends. An exception of theirs is lost: drain() first.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Waits while `most_waiting` jobs wait besides the one that is being done.
    void submit(std::function<void()> job);
    // Waits until everything is done.
    void drain();
    // Waits for nothing.
    void rethrow_failure();

    // Seconds that the caller has spent waiting in submit() and drain().
    double waited() const { return waited_; }

  private:
    void work();
    template <class Condition>
    void wait_until(std::unique_lock<std::mutex>& lock, Condition condition);

    const std::size_t most_waiting_;
    double waited_ = 0;
    std::mutex mutex_;  // for everything below
    std::condition_variable handed_in_, done_;
    std::deque<std::function<void()>> jobs_;  // the first is being done, and stays until it is
    std::exception_ptr failure_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace rumple
