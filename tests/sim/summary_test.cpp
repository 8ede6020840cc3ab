// What runs write about themselves.
#include <gtest/gtest.h>

#include <rumple/sim/summary.hpp>

namespace rumple {
namespace {

TEST(Timing, IsReadAsItWasWritten) {
    RunTiming written;
    written.step.evaluate = 1;
    written.step.assemble = 2;
    written.step.solve = 3;
    written.step.advance = 4;
    written.step.contact_broad = 5;
    written.step.contact_narrow = 6;
    written.step.contact_response = 7;
    written.output = 8;
    written.output_wait = 9;
    written.writing = 10;
    written.total = 40;
    const std::string text = timing_text(written, {}, 1);
    EXPECT_EQ(timing_text(parse_timing(text), {}, 1), text);
    EXPECT_EQ(parse_timing(text).step.contact_narrow, 6);
}

TEST(Timing, OfAFileThatIsNoneIsZero) { EXPECT_EQ(parse_timing("{\"seconds\": 3}").total, 0); }

}  // namespace
}  // namespace rumple
