#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <numeric>
#include <rumple/core/error.hpp>
#include <rumple/sim/writer.hpp>
#include <thread>
#include <vector>

namespace rumple {
namespace {

using namespace std::chrono_literals;

TEST(Writer, DoesJobsInOrderOnOneOtherThread) {
    std::vector<int> done, wanted(1000);
    std::iota(wanted.begin(), wanted.end(), 0);
    std::thread::id thread;
    Writer writer(3);
    for (int i : wanted)
        writer.submit([&, i] {
            if (i == 0) thread = std::this_thread::get_id();
            EXPECT_EQ(thread, std::this_thread::get_id());
            done.push_back(i);
        });
    writer.drain();
    EXPECT_EQ(done, wanted);
    EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(Writer, CallerGoesOnWhileAJobTakesItsTime) {
    std::latch caller_went_on(1);
    int done = 0;
    Writer writer(2);
    for (int i = 0; i < 3; ++i)  // one under way and two that wait: with a caller that waits this hangs
        writer.submit([&] {
            caller_went_on.wait();
            ++done;
        });
    EXPECT_EQ(writer.waited(), 0);
    caller_went_on.count_down();
    writer.drain();
    EXPECT_EQ(done, 3);
}

TEST(Writer, FullQueueMakesTheCallerWaitAndCountsIt) {
    std::latch open(1);
    std::atomic<int> handed_in = 0, done = 0;
    Writer writer(2);
    std::thread opener([&] {
        while (handed_in < 3) std::this_thread::yield();
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(handed_in, 3);  // one under way, two that wait; the fourth must wait outside
        EXPECT_EQ(done, 0);
        open.count_down();
    });
    for (; handed_in < 4; ++handed_in)
        writer.submit([&] {
            open.wait();
            ++done;
        });
    EXPECT_GE(done, 1);
    opener.join();
    EXPECT_GT(writer.waited(), 0.01);
    writer.drain();
    EXPECT_EQ(done, 4);
}

TEST(Writer, FailureComesOutAndNothingIsDoneAfterIt) {
    std::latch handed_in(1);
    bool later = false;
    Writer writer;
    writer.submit([&] {
        handed_in.wait();
        throw SimulationError("out.pc2: No space left on device");
    });
    writer.submit([&] { later = true; });
    writer.rethrow_failure();  // none yet
    handed_in.count_down();
    const auto expect_failure = [](auto&& call) {
        try {
            call();
            ADD_FAILURE() << "no exception";
        } catch (const SimulationError& error) {
            EXPECT_STREQ(error.what(), "out.pc2: No space left on device");
        }
    };
    expect_failure([&] { writer.drain(); });
    expect_failure([&] { writer.rethrow_failure(); });
    expect_failure([&] { writer.submit([&] { later = true; }); });
    expect_failure([&] { writer.drain(); });
    EXPECT_FALSE(later);
}

TEST(Writer, FailureWakesACallerThatWaitsForRoom) {
    std::latch go(1);
    Writer writer(0);
    writer.submit([&] {
        go.wait();
        throw InputError("a", "b");
    });
    std::thread later([&] {
        std::this_thread::sleep_for(10ms);
        go.count_down();
    });
    EXPECT_THROW(writer.submit([] {}), InputError);
    later.join();
}

TEST(Writer, EndsAfterTheJobsThatWereHandedInEvenWhenItsOwnerThrows) {
    int done = 0;
    try {
        Writer writer;
        for (int i = 0; i < 4; ++i) writer.submit([&] { ++done; });
        throw SimulationError("something else");
    } catch (const SimulationError&) {
    }
    EXPECT_EQ(done, 4);
    {
        Writer failing;
        failing.submit([] { throw SimulationError("nobody asks"); });
    }
    { const Writer idle; }
}

}  // namespace
}  // namespace rumple
