#include <gtest/gtest.h>

#include <experiments/contact_scenes.hpp>
#include <nlohmann/json.hpp>

#include "bench_steps.hpp"

namespace rumple {
namespace {

TEST(StepsBench, ListsTheLongestStepsOfAScene) {
    nlohmann::json document = sphere_scene();
    document["cloths"][0]["mesh"]["nx"] = document["cloths"][0]["mesh"]["ny"] = 9;
    document["phases"][1]["duration"] = 0.2;
    const StepsBenchResult r = bench_steps({document, "sphere", {}}, {.threads = 1});
    EXPECT_EQ(r.name, "sphere");
    EXPECT_EQ(r.vertices, 81);
    EXPECT_EQ(r.seconds.count(), 120u);
    EXPECT_EQ(r.failure, "");
    ASSERT_EQ(r.longest.size(), 10u);
    EXPECT_EQ(r.worst.seconds, r.seconds.max());
    EXPECT_EQ(r.longest.front().seconds, r.worst.seconds);
    for (std::size_t i = 1; i < r.longest.size(); ++i)
        EXPECT_LE(r.longest[i].seconds, r.longest[i - 1].seconds);
    EXPECT_GE(r.ratio(), 1);
    EXPECT_EQ(to_json(r)["longest"].size(), 10u);
    EXPECT_NE(to_table({r}).find("sphere"), std::string::npos);
}

}  // namespace
}  // namespace rumple
