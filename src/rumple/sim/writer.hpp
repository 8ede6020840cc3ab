// Writes the files of a run on a thread of its own, so that the steps do not wait for the disk.
//
// Jobs are done one at a time, in the order of submit(): a checkpoint comes after the frames that it counts
// on, and jobs need no locks among themselves. A job has a copy of what it needs of the simulation. The queue
// is short, so that a disk slower than the steps costs time and not memory.
//
//   simulating thread   step  submit(frame)  step  step  submit(frame)  submit(checkpoint) ...  drain()
//   writer                         [ frame ]                  [ frame ][ checkpoint, fsync ]
//
// No job is done after one that throws: nothing is written that counts on what is missing. The next call here
// rethrows its exception. The thread starts with the first job.
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
    explicit Writer(std::size_t max_waiting = 4) : max_waiting_(max_waiting) {}
    // Does the jobs that were submitted, then ends. An exception of theirs is lost: drain() first.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Waits while `max_waiting` jobs wait besides the one that is being done.
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

    const std::size_t max_waiting_;
    double waited_ = 0;
    std::mutex mutex_;  // for everything below
    std::condition_variable submitted_, done_;
    std::deque<std::function<void()>> jobs_;  // the first is being done, and stays until it is
    std::exception_ptr failure_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace rumple
