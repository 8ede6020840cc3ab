// The library belongs to its caller: several simulators run side by side in threads of the caller's, none
// knows of the others, and nothing is printed.
#include <gtest/gtest.h>

#include <rumple/sim/run.hpp>
#include <thread>

#include "sim/folder_contents.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

nlohmann::json drop_document(double height) {
    nlohmann::json document = nlohmann::json::parse(R"({
        "rumple": 1, "name": "drop", "contact": {"thickness": 0.002},
        "cloths": [{"name": "sheet", "material": "cotton",
                    "mesh": {"generator": "grid", "nx": 9, "ny": 9, "width": 0.1, "height": 0.1}}],
        "obstacles": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.05, "edge": 0.02}}],
        "phases": [{"name": "fall", "duration": 0.25}]})");
    document["cloths"][0]["place"]["translate"] = {0, 0, height};
    return document;
}

SimState run_to_the_end(const nlohmann::json& document, int threads) {
    const Scene scene = scene_of(document);
    Simulator sim(scene, threads);
    while (!sim.done()) sim.step();
    return sim.sim_state();
}

TEST(SeveralThreads, SimulatorsSideBySideGiveWhatEachGivesAlone) {
    const std::vector<nlohmann::json> documents{small_twist_document(), drop_document(0.053),
                                                drop_document(0.06), small_twist_document()};
    std::vector<SimState> alone, together(documents.size());
    for (const auto& document : documents) alone.push_back(run_to_the_end(document, 1));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < documents.size(); ++i)
            threads.emplace_back([&, i] { together[i] = run_to_the_end(documents[i], i % 2 == 0 ? 1 : 7); });
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    for (std::size_t i = 0; i < documents.size(); ++i) EXPECT_TRUE(alone[i] == together[i]) << i;
}

TEST(SeveralThreads, WholeRunsSideBySideWriteWhatEachWritesAlone) {
    const ScratchFolder folder;
    const auto run = [&](const std::string& name, double height) {
        const std::vector<Scene> scenes = scenes_of(drop_document(height));
        RunOptions options;
        options.out = folder / name;
        options.threads = 2;
        run_scenes(scenes, options);
    };
    run("alone-a", 0.053);
    run("alone-b", 0.06);
    {
        std::jthread a([&] { run("a", 0.053); }), b([&] { run("b", 0.06); });
    }
    expect_same_files(folder / "alone-a", folder / "a");
    expect_same_files(folder / "alone-b", folder / "b");
}

}  // namespace
}  // namespace rumple
