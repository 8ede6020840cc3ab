#include <algorithm>
#include <rumple/core/worker_pool.hpp>
#include <utility>

namespace rumple {

namespace {

constexpr int kLoopBits = 24, kPieceBits = 20;
constexpr std::uint64_t kLoopMask = (std::uint64_t{1} << kLoopBits) - 1;
constexpr std::uint64_t kPieceMask = (std::uint64_t{1} << kPieceBits) - 1;
// Looks at the next loop, with a pause between: some ten microseconds, longer than what stands between the
// loops of a solve.
constexpr int kLooks = 2000;

std::uint64_t word(std::uint64_t loop, std::uint64_t next, std::uint64_t end) {
    return (loop & kLoopMask) << (2 * kPieceBits) | next << kPieceBits | end;
}

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

}  // namespace

WorkerPool::WorkerPool(int threads) : ranges_(static_cast<std::size_t>(std::max(1, threads))) {
    for (std::size_t self = 1; self < ranges_.size(); ++self)
        workers_.emplace_back([this, self] { serve(self); });
}

WorkerPool::~WorkerPool() {
    stop_ = true;
    loop_.fetch_add(1, std::memory_order_release);
    loop_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run(std::size_t pieces, const std::function<void(std::size_t)>& piece) {
    if (pieces == 0) return;
    if (pieces == 1 || workers_.empty() || busy_.exchange(true, std::memory_order_acquire)) {
        for (std::size_t i = 0; i < pieces; ++i) piece(i);
        return;
    }
    piece_ = &piece;
    pieces_ = pieces;
    stride_ = pieces / kPieceMask + 1;
    const std::size_t takes = (pieces + stride_ - 1) / stride_, threads = ranges_.size();
    const std::uint32_t loop = loop_.load(std::memory_order_relaxed) + 1;
    left_.store(pieces, std::memory_order_relaxed);
    for (std::size_t t = 0; t < threads; ++t)
        ranges_[t].word.store(word(loop, t * takes / threads, (t + 1) * takes / threads),
                              std::memory_order_release);
    loop_.store(loop, std::memory_order_release);
    loop_.notify_all();
    work(loop, 0);
    for (int looks = 0; left_.load(std::memory_order_acquire) != 0; ++looks)
        looks < kLooks ? pause() : std::this_thread::yield();
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    busy_.store(false, std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
}

void WorkerPool::serve(std::size_t self) {
    std::uint32_t seen = 0;
    for (;;) {
        std::uint32_t loop = loop_.load(std::memory_order_acquire);
        for (int looks = 0; loop == seen && looks < kLooks; ++looks) {
            pause();
            loop = loop_.load(std::memory_order_acquire);
        }
        if (loop == seen) {
            loop_.wait(seen, std::memory_order_acquire);
            continue;
        }
        seen = loop;
        if (stop_) return;
        work(loop, self);
    }
}

// Its own range first, then those of the others.
void WorkerPool::work(std::uint32_t loop, std::size_t self) {
    std::size_t done = 0;
    for (std::size_t k = 0, first = 0, last = 0; k < ranges_.size(); ++k)
        while (take(ranges_[(self + k) % ranges_.size()], loop, first, last)) {
            run_pieces(first, last);
            done += last - first;
        }
    if (done > 0) left_.fetch_sub(done, std::memory_order_acq_rel);
}

bool WorkerPool::take(Range& range, std::uint32_t loop, std::size_t& first, std::size_t& last) {
    std::uint64_t seen = range.word.load(std::memory_order_acquire);
    for (;;) {
        const std::uint64_t next = seen >> kPieceBits & kPieceMask, end = seen & kPieceMask;
        if (seen >> (2 * kPieceBits) != (loop & kLoopMask) || next >= end) return false;
        if (!range.word.compare_exchange_weak(seen, word(loop, next + 1, end), std::memory_order_acquire))
            continue;
        first = next * stride_;
        last = std::min(pieces_, first + stride_);
        return true;
    }
}

void WorkerPool::run_pieces(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        try {
            (*piece_)(i);
        } catch (...) {
            const std::lock_guard lock(failure_mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }
}

}  // namespace rumple
