#include <rumple/core/parallel.hpp>

#include <rumple/core/worker_pool.hpp>
#include <thread>

namespace rumple {

namespace {
int resolve(int count) {
    return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
}  // namespace

// No more workers than the machine has cores: they would only wait for each other.
struct Threads::Impl {
    explicit Impl(int count) : pool(std::min(count, resolve(0))) {}
    WorkerPool pool;
};

Threads::Threads(int count) : count_(resolve(count)), impl_(std::make_unique<Impl>(count_)) {}
Threads::~Threads() = default;

void Threads::for_pieces(std::size_t n, std::size_t grain,
                         const std::function<void(std::size_t, std::size_t)>& body) const {
    impl_->pool.run((n + grain - 1) / grain,
                    [&](std::size_t p) { body(p * grain, std::min(n, (p + 1) * grain)); });
}

}  // namespace rumple
