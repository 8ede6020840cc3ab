// Runs kernels: one thread block after the other, its threads as fibers that change places at barriers.
#include <sys/mman.h>

#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime.h"

#ifndef __x86_64__
#error \
    "The emulation of a device changes stacks with instructions of x86-64; add those of this processor here."
#endif

// Leaves the stack it runs on, whose pointer goes to *from, and continues where another was left.
extern "C" void rumple_emulation_switch(void** from, void* to);
asm(R"(
.text
.globl rumple_emulation_switch
.type rumple_emulation_switch, @function
rumple_emulation_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size rumple_emulation_switch, .-rumple_emulation_switch
)");

namespace emulation {

Place place;

namespace {

// Not a power of two: the stacks' upper ends would share their places in the caches.
constexpr std::size_t kStackBytes = (std::size_t{1} << 18) + 17 * 64;
constexpr unsigned kMaxThreads = 1024, kWarp = 32, kMaxGridY = 65535;
constexpr int kSharedBytes = 48 << 10;  // without asking for more

// A stack. It runs threads one after the other; the caller of the kernel has one too.
struct Fiber {
    void* pointer = nullptr;  // where it was left
    char* stack = nullptr;
};

struct Barrier {
    const char* file = nullptr;  // of the first who came
    int line = 0;
    std::vector<unsigned> waiting;
};

struct Thread {
    Fiber* fiber = nullptr;  // null: it has not begun
    unsigned exchanges = 0;
};

class Block {
  public:
    // False: the threads got stuck.
    bool run(const std::function<void()>& body, unsigned threads, unsigned seed);
    void wait(Barrier& barrier, std::size_t wanted, const char* file, int line);
    void wait_for_all(const char* file, int line) { wait(block_barrier_, count_, file, line); }
    std::uint64_t exchange(std::uint64_t own, int lane, const char* file, int line);

  private:
    static void enter();
    Fiber& free_fiber();
    void switch_to(Fiber& fiber);
    bool take_next();
    [[noreturn]] void fail(const std::string& what);

    const std::function<void()>* body_ = nullptr;
    unsigned count_ = 0, left_ = 0, current_ = 0;
    bool shuffled_ = false, failed_ = false;
    std::vector<Thread> thread_;
    std::vector<unsigned> ready_;  // to go on, in this order
    std::size_t next_ = 0;         // of them
    Barrier block_barrier_;
    std::vector<Barrier> warp_barrier_;
    std::vector<std::uint64_t> exchanged_[2];  // by each thread; twice: some still read the last
    std::vector<std::unique_ptr<Fiber>> all_;
    std::vector<Fiber*> free_;
    Fiber caller_;
    Fiber* running_ = &caller_;
    std::mt19937 random_;
};

Block block;

void Block::switch_to(Fiber& fiber) {
    Fiber* const from = std::exchange(running_, &fiber);
    rumple_emulation_switch(&from->pointer, fiber.pointer);
}

// One that waits in enter() for a thread that has not begun.
Fiber& Block::free_fiber() {
    if (free_.empty()) {
        all_.push_back(std::make_unique<Fiber>());
        all_.back()->stack = static_cast<char*>(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        free_.push_back(all_.back().get());
    }
    Fiber& fiber = *free_.back();
    free_.pop_back();
    if (!fiber.pointer) {  // as if it had been left at the beginning of enter()
        void** top = reinterpret_cast<void**>(fiber.stack + kStackBytes / 64 * 64);
        *--top = nullptr;  // enter() never returns
        *--top = reinterpret_cast<void*>(&Block::enter);
        for (int i = 0; i < 6; ++i) *--top = nullptr;
        fiber.pointer = top;
    }
    return fiber;
}

bool Block::run(const std::function<void()>& body, unsigned threads, unsigned seed) {
    body_ = &body;
    count_ = left_ = threads;
    failed_ = false;
    shuffled_ = seed > 0;
    random_.seed(seed);
    thread_.assign(threads, {});
    warp_barrier_.resize((threads + kWarp - 1) / kWarp);
    for (auto& numbers : exchanged_) numbers.resize(threads);
    ready_.resize(threads);
    std::iota(ready_.begin(), ready_.end(), 0u);
    if (shuffled_) std::shuffle(ready_.begin(), ready_.end(), random_);
    next_ = 0;
    take_next();
    switch_to(free_fiber());
    if (!failed_) return true;
    free_.clear();  // threads that will never go on: their stacks begin anew
    for (const auto& fiber : all_) {
        fiber->pointer = nullptr;
        free_.push_back(fiber.get());
    }
    block_barrier_ = {};
    warp_barrier_.clear();
    return false;
}

bool Block::take_next() {
    if (next_ == ready_.size()) return false;
    current_ = ready_[next_++];
    place.thread.x = current_;
    return true;
}

void Block::fail(const std::string& what) {
    failed_ = true;
    set_fault(what.c_str());
    switch_to(caller_);
    std::abort();  // nobody comes back here
}

void Block::enter() {
    for (Block& b = block;;) {
        (*b.body_)();
        --b.left_;
        if (!b.block_barrier_.waiting.empty() || !b.warp_barrier_[b.current_ / kWarp].waiting.empty())
            b.fail("a thread returns while others of its block wait for it");
        if (b.left_ == 0) {
            b.free_.push_back(b.running_);
            b.switch_to(b.caller_);
        } else if (!b.take_next()) {
            b.fail("threads of a block wait for others that have returned");
        } else if (Fiber* const other = b.thread_[b.current_].fiber) {
            b.free_.push_back(b.running_);
            b.switch_to(*other);
        }
    }
}

void Block::wait(Barrier& barrier, std::size_t wanted, const char* file, int line) {
    const unsigned own = current_;
    thread_[own].fiber = running_;
    if (barrier.waiting.empty()) {
        barrier.file = file;
        barrier.line = line;
    } else if (barrier.line != line || std::strcmp(barrier.file, file) != 0) {
        fail("threads of a block wait at different places: " + std::string(barrier.file) + ":" +
             std::to_string(barrier.line) + " and " + file + ":" + std::to_string(line));
    }
    barrier.waiting.push_back(own);
    if (barrier.waiting.size() == wanted) {
        if (shuffled_) std::shuffle(barrier.waiting.begin(), barrier.waiting.end(), random_);
        if (next_ == ready_.size()) {
            ready_.clear();
            next_ = 0;
        }
        ready_.insert(ready_.end(), barrier.waiting.begin(), barrier.waiting.end());
        barrier.waiting.clear();
    }
    if (!take_next()) fail("threads of a block wait for others that never come");
    if (current_ == own) return;
    Fiber* const other = thread_[current_].fiber;
    switch_to(other ? *other : free_fiber());
}

std::uint64_t Block::exchange(std::uint64_t own, int lane, const char* file, int line) {
    const unsigned thread = current_, warp = thread / kWarp;
    std::vector<std::uint64_t>& numbers = exchanged_[thread_[thread].exchanges++ % 2];
    numbers[thread] = own;
    wait(warp_barrier_[warp], kWarp, file, line);
    return numbers[warp * kWarp + static_cast<unsigned>(lane)];
}

unsigned seed = 0;
std::map<const void*, int> shared_limit;
std::vector<double> shared;

cudaError_t refuse(const char* what) {
    set_fault(what);
    return cudaErrorLaunchFailure;
}

}  // namespace

void shuffle_order(unsigned new_seed) { seed = new_seed; }
unsigned order_seed() { return seed; }

void allow_shared_memory(const void* kernel, int bytes) { shared_limit[kernel] = bytes; }
void* dynamic_shared_memory() { return shared.data(); }

void wait_for_block(const char* file, int line) { block.wait_for_all(file, line); }
std::uint64_t exchange(std::uint64_t own, int lane, const char* file, int line) {
    return block.exchange(own, lane, file, line);
}

cudaError_t run_kernel(const Launch& launch, const std::function<void()>& thread) {
    const dim3 grid = launch.grid, threads = launch.block;
    if (grid.x == 0 || grid.y == 0 || grid.z != 1 || grid.y > kMaxGridY || threads.x == 0 ||
        threads.x > kMaxThreads || threads.y != 1 || threads.z != 1)
        return refuse("a kernel is launched with a grid or a block that devices do not take");
    const auto limit = shared_limit.find(launch.kernel);
    if (launch.shared_bytes >
        static_cast<std::size_t>(limit == shared_limit.end() ? kSharedBytes : limit->second))
        return refuse("a kernel is launched with more shared memory than it was allowed");
    std::vector<unsigned> order(std::size_t{grid.x} * grid.y);
    std::iota(order.begin(), order.end(), 0u);
    if (seed > 0) std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    place.block_size = threads;
    place.grid_size = grid;
    for (const unsigned number : order) {
        shared.assign(launch.shared_bytes / sizeof(double), NAN);
        place.block = {number % grid.x, number / grid.x, 0};
        if (!block.run(thread, threads.x, seed == 0 ? 0 : seed + number)) return cudaErrorLaunchFailure;
    }
    return cudaSuccess;
}

}  // namespace emulation
