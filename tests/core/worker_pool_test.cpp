#include <gtest/gtest.h>

#include <atomic>
#include <rumple/core/find_first.hpp>
#include <rumple/core/worker_pool.hpp>
#include <stdexcept>

namespace rumple {
namespace {

TEST(WorkerPool, RunsEveryPieceOnceInEveryLoop) {
    for (const int threads : {1, 2, 5}) {
        WorkerPool pool(threads);
        for (std::size_t loop = 0; loop < 3000; ++loop) {
            std::vector<int> runs(loop % 70, 0);
            pool.run(runs.size(), [&](std::size_t i) { ++runs[i]; });
            ASSERT_EQ(runs, std::vector<int>(loop % 70, 1)) << threads << " threads, loop " << loop;
        }
    }
}

TEST(WorkerPool, ThrowsWhatAPieceThrowsAndGoesOn) {
    WorkerPool pool(3);
    std::atomic<int> others = 0;
    const auto piece = [&](std::size_t i) {
        if (i == 5) throw std::runtime_error("five");
        ++others;
    };
    EXPECT_THROW(pool.run(20, piece), std::runtime_error);
    EXPECT_EQ(others, 19);
    pool.run(5, piece);
    EXPECT_EQ(others, 24);
}

TEST(WorkerPool, LoopsWithinPiecesAndOfOtherThreadsRunToo) {
    WorkerPool pool(3);
    std::atomic<int> runs = 0;
    const auto nested = [&](std::size_t) { pool.run(7, [&](std::size_t) { ++runs; }); };
    std::thread other([&] { pool.run(50, nested); });
    pool.run(50, nested);
    other.join();
    EXPECT_EQ(runs, 700);
}

TEST(WorkerPool, TakesMorePiecesThanFitIntoAWord) {
    WorkerPool pool(2);
    constexpr std::size_t kPieces = (std::size_t{1} << 21) + 3;
    std::vector<std::uint8_t> runs(kPieces, 0);
    pool.run(kPieces, [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), static_cast<std::ptrdiff_t>(kPieces));
}

TEST(FindFirst, FindsTheFirstOrNothing) {
    const Threads threads(2);
    for (const std::size_t n : {0, 1, 100}) {
        EXPECT_EQ(find_first(threads, n, 7, [](std::size_t) { return false; }), n);
        for (const std::size_t first : {0, 6, 7, 99})
            EXPECT_EQ(find_first(threads, n, 7, [&](std::size_t i) { return i >= first; }),
                      std::min(n, first));
    }
}

}  // namespace
}  // namespace rumple
