// What runs write about themselves.
#include <gtest/gtest.h>

#include <rumple/sim/run_summary.hpp>
#include <rumple/sim/run_timing.hpp>

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
    StepCounts counts;
    counts.steps = 12;
    const std::string text = timing_text({written, counts, 3});
    EXPECT_EQ(timing_text(parse_timing(text)), text);
    EXPECT_EQ(parse_timing(text).timing.step.contact_narrow, 6);
    EXPECT_EQ(parse_timing(text).counts.steps, 12);
    EXPECT_EQ(parse_timing(text).threads, 3);
}

TEST(Timing, OfAFileThatIsNoneIsZero) {
    EXPECT_EQ(parse_timing("{\"seconds\": 3}").timing.total, 0);
    EXPECT_EQ(parse_timing("").timing.total, 0);
}

RunSummary full_summary() {
    RunSummary s;
    s.program = {"0.2.0", "0123456789abcdef", "cpu"};
    s.scene = "twist";
    s.variant = "held";
    s.scene_hash = "0123456789abcdef";
    s.failure = "phase 'fold', step 3 of 4: the step failed";
    s.cloths = {{"tube", "cotton", 4, 5, 6}, {"a patch", "denim", 7, 8, 9}};
    s.obstacles = {{"ball", "sphere", 10, 11, true, 1.5, std::vector<std::string>{"fold", "hold"}},
                   {"floor", "plane", 12, 13, false, 0, std::vector<std::string>{}}};
    s.cameras = {{"behind", 1, {}, {}, {0, 0, 1}, 24}};
    s.output_rate = 24;
    s.frames = 17;
    s.time = 0.1;
    s.material_time = 500;
    s.counts = {1, 2, 3, 4, 5, 6, {}};
    s.retries = {{1, 2, 4, "cloth turned too far"}};
    s.contact = {true, 1e-3, 0.4, {1, 2, 3, 4, 5, 6, 0.5, 0.25}, {{3, 1, 0, 2, 0.125}}};
    s.counts.contact = s.contact->counts;
    WrinkleMeasures some, all;
    some.bending_content = 12.5;
    all.sharpness = 0.1 + 0.2;
    all.roughness = 0;
    all.anchor_rms = 3e300;
    s.at_end = {{"tube", some}, {"a patch", all}};
    s.regions = {{"tube", {{"seat", {1, 2, 3, 4}}, {"knee", {5, 6, 7, 8}}}}};
    s.recovery = {"hold", {{"tube", all}}, {{"tube", 0.25}, {"a patch", std::nullopt}}};
    s.warnings = {"one", "two"};
    return s;
}

TEST(Summary, IsReadAsItWasWritten) {
    const std::string text = summary_text(full_summary());
    const auto read = parse_summary(text);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(summary_text(*read), text);
    EXPECT_EQ(read->at_end[1].measures, full_summary().at_end[1].measures);
    EXPECT_EQ(read->at_end[0].measures.roughness, std::nullopt);
    EXPECT_EQ(read->counts, full_summary().counts);
    EXPECT_EQ(read->recovery->value, full_summary().recovery->value);
}

TEST(Summary, OfAVersionWithOldKeysIsUnderstood) {
    const auto read = parse_summary(R"({"rumple": "0.1.0", "contact": {"most_pairs": 5, "most_touching": 6,
        "held_back": 3, "trouble": [{"frame": 2, "held_back": 1}]}})");  // alias:
    ASSERT_TRUE(read && read->contact);
    EXPECT_EQ(read->contact->counts.max_pairs, 5);
    EXPECT_EQ(read->contact->counts.max_touching, 6);
    EXPECT_EQ(read->contact->counts.rolled_back, 3);
    EXPECT_EQ(read->contact->trouble.at(0).rolled_back, 1);
}

TEST(Summary, DamagedTextIsNothingOrReadAsFarAsItGoes) {
    EXPECT_FALSE(parse_summary("").has_value());
    EXPECT_FALSE(parse_summary("[1, 2]").has_value());
    const auto read = parse_summary(R"({"scene": 3, "cloths": [7, {"name": "tube"}], "obstacles": {}})");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->scene, "");
    EXPECT_EQ(read->cloths.size(), 2u);
    EXPECT_EQ(read->cloths[1].name, "tube");
    EXPECT_EQ(read->output_rate, 30);
}

}  // namespace
}  // namespace rumple
