// Which variants run together, without simulating any.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <rumple/sim/variant_scheduler.hpp>

namespace rumple {
namespace {

// Phases are written as "hash:steps".
VariantPlan plan(const std::vector<std::pair<std::string, int>>& phases, RunPosition start = {}) {
    VariantPlan plan;
    for (const auto& [hash, steps] : phases) {
        plan.phase_hash.push_back(hash);
        plan.steps.push_back(steps);
    }
    plan.start = start;
    return plan;
}

RunPosition after(const VariantPlan& plan, const RunSegment& segment) {
    const bool whole = segment.end_step == plan.steps[static_cast<std::size_t>(segment.begin.phase)];
    return whole ? RunPosition{segment.begin.phase + 1, 0}
                 : RunPosition{segment.begin.phase, segment.end_step};
}

// "01 p0 0-10": variants 0 and 1 take steps 0 to 10 of phase 0.
std::vector<std::string> walk(const std::vector<VariantPlan>& plans) {
    VariantScheduler scheduler(plans);
    std::vector<std::string> segments;
    while (const auto segment = scheduler.next()) {
        segments.push_back(fmt::format("{} p{} {}-{}", fmt::join(segment->variants, ""), segment->begin.phase,
                                       segment->begin.step, segment->end_step));
        scheduler.advance(*segment, after(plans[segment->leader], *segment));
        if (segments.size() > 50) break;  // a scheduler that does not end fails the comparison
    }
    return segments;
}

using Segments = std::vector<std::string>;

const std::vector<VariantPlan> kThree{plan({{"a", 10}, {"b0", 0}, {"c0", 5}}),
                                      plan({{"a", 10}, {"b1", 4}, {"c1", 5}}),
                                      plan({{"a", 10}, {"b2", 4}, {"c2", 5}})};

TEST(VariantScheduler, SharesTheBeginningAndThenGoesDepthFirst) {
    EXPECT_EQ(walk(kThree), (Segments{"012 p0 0-10", "0 p1 0-0", "0 p2 0-5", "1 p1 0-4", "1 p2 0-5",
                                      "2 p1 0-4", "2 p2 0-5"}));
    const VariantScheduler scheduler(kThree);
    EXPECT_EQ(scheduler.total_steps(), 10 + 5 + 9 + 9);
    EXPECT_EQ(scheduler.steps_to_do(), scheduler.total_steps());
}

TEST(VariantScheduler, EqualVariantsNeverPart) {
    EXPECT_EQ(walk({plan({{"a", 3}, {"b", 2}}), plan({{"a", 3}, {"b", 2}})}),
              (Segments{"01 p0 0-3", "01 p1 0-2"}));
}

TEST(VariantScheduler, ResumedVariantsMeetWhereTheLaterOneWaits) {
    const std::vector<VariantPlan> plans{plan({{"a", 10}, {"b", 2}}, {0, 3}),
                                         plan({{"a", 10}, {"c", 2}}, {0, 8})};
    EXPECT_EQ(walk(plans), (Segments{"0 p0 3-8", "01 p0 8-10", "0 p1 0-2", "1 p1 0-2"}));
    const VariantScheduler scheduler(plans);
    EXPECT_EQ(scheduler.total_steps(), 14);
    EXPECT_EQ(scheduler.steps_to_do(), 7 + 2 + 2);
}

TEST(VariantScheduler, AVariantThatLagsBehindLeadsEvenIfItIsListedLater) {
    EXPECT_EQ(walk({plan({{"a", 10}, {"b", 2}}, {1, 1}), plan({{"a", 10}, {"b", 2}}, {0, 9})}),
              (Segments{"1 p0 9-10", "1 p1 0-1", "01 p1 1-2"}));
}

TEST(VariantScheduler, VariantsWithoutHashesRunAlone) {
    std::vector<VariantPlan> plans{plan({{"", 3}, {"", 1}}), plan({{"", 3}, {"", 1}})};
    for (VariantPlan& plan : plans) plan.phase_hash.clear();
    EXPECT_EQ(walk(plans), (Segments{"0 p0 0-3", "0 p1 0-1", "1 p0 0-3", "1 p1 0-1"}));
    EXPECT_EQ(VariantScheduler(plans).total_steps(), 8);
}

TEST(VariantScheduler, AFailureEndsItsVariantsAndNoOthers) {
    VariantScheduler scheduler(kThree);
    auto segment = scheduler.next();
    scheduler.advance(*segment, {1, 0});
    segment = scheduler.next();
    EXPECT_EQ(segment->leader, 0u);
    scheduler.fail(*segment);
    EXPECT_TRUE(scheduler.ended(0));
    EXPECT_FALSE(scheduler.all_ended());
    EXPECT_EQ(scheduler.next()->leader, 1u);
}

TEST(VariantScheduler, CompleteVariantsNeedNothing) {
    VariantScheduler scheduler({plan({{"a", 3}}, {1, 0})});
    EXPECT_TRUE(scheduler.all_ended());
    EXPECT_FALSE(scheduler.next().has_value());
    EXPECT_EQ(scheduler.steps_to_do(), 0);
    EXPECT_EQ(scheduler.total_steps(), 3);
}

}  // namespace
}  // namespace rumple
