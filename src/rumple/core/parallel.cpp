#include <rumple/core/parallel.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#ifdef RUMPLE_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace rumple {

namespace {
int resolve(int count) {
    return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
}  // namespace

#ifdef RUMPLE_WITH_TBB

struct Threads::Impl {
    // TBB has no more workers than the machine has cores, and says so on the standard error when asked for
    // more.
    explicit Impl(int count) : arena(std::min(count, tbb::info::default_concurrency())) {}
    tbb::task_arena arena;
};

Threads::Threads(int count) : count_(resolve(count)), impl_(std::make_unique<Impl>(count_)) {}
Threads::~Threads() = default;

void Threads::for_pieces(std::size_t n, std::size_t grain,
                         const std::function<void(std::size_t, std::size_t)>& body) const {
    if (n == 0) return;
    const std::size_t pieces = (n + grain - 1) / grain;
    auto run = [&](std::size_t p) { body(p * grain, std::min(n, (p + 1) * grain)); };
    if (pieces == 1 || count_ == 1) {
        for (std::size_t p = 0; p < pieces; ++p) run(p);
        return;
    }
    impl_->arena.execute([&] { tbb::parallel_for(std::size_t{0}, pieces, run); });
}

#else

// Without oneTBB threads are started for each call: slow for small loops, right for all.
struct Threads::Impl {};

Threads::Threads(int count) : count_(resolve(count)) {}
Threads::~Threads() = default;

void Threads::for_pieces(std::size_t n, std::size_t grain,
                         const std::function<void(std::size_t, std::size_t)>& body) const {
    const std::size_t pieces = (n + grain - 1) / grain;
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto work = [&] {
        try {
            for (std::size_t p; (p = next++) < pieces;) body(p * grain, std::min(n, (p + 1) * grain));
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < std::min<std::size_t>(pieces, static_cast<std::size_t>(count_)); ++t)
        helpers.emplace_back(work);
    work();
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
}

#endif

}  // namespace rumple
