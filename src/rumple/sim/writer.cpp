#include <rumple/core/stopwatch.hpp>
#include <rumple/sim/writer.hpp>
#include <utility>

namespace rumple {

Writer::~Writer() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    submitted_.notify_one();
    thread_.join();
}

void Writer::submit(std::function<void()> job) {
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    {
        std::unique_lock lock(mutex_);
        wait_until(lock, [this] { return jobs_.size() <= max_waiting_; });
        jobs_.push_back(std::move(job));
    }
    submitted_.notify_one();
}

void Writer::drain() {
    std::unique_lock lock(mutex_);
    wait_until(lock, [this] { return jobs_.empty(); });
}

void Writer::rethrow_failure() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
}

// A failure ends every wait.
template <class Condition>
void Writer::wait_until(std::unique_lock<std::mutex>& lock, Condition condition) {
    if (!condition() && !failure_) {
        const Stopwatch watch(waited_);
        done_.wait(lock, [&] { return condition() || failure_ != nullptr; });
    }
    if (failure_) std::rethrow_exception(failure_);
}

void Writer::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        submitted_.wait(lock, [this] { return !jobs_.empty() || ending_; });
        if (jobs_.empty()) return;
        const auto& job = jobs_.front();  // push_back moves no other element of a deque
        lock.unlock();
        std::exception_ptr failure;
        try {
            job();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        if (failure_)
            jobs_.clear();
        else
            jobs_.pop_front();
        done_.notify_one();
        if (failure_) return;
    }
}

}  // namespace rumple
