// rumple run --events: what programs that drive this one read.
#include <rumple/io/point_cache.hpp>
#include <sstream>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

using Json = nlohmann::json;

class Events : public ::testing::Test {
  protected:
    // Each line of the standard output is one JSON object with a kind.
    std::vector<Json> run(const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"run"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        all.emplace_back("--events");
        ended = run_program(all, folder.path());
        std::vector<Json> events;
        std::istringstream lines(ended.out);
        for (std::string line; std::getline(lines, line);) {
            const Json event = Json::parse(line, nullptr, false);
            EXPECT_TRUE(event.is_object() && event.contains("event")) << line;
            if (event.is_object()) events.push_back(event);
        }
        return events;
    }
    static std::vector<Json> of(const std::vector<Json>& events, const std::string& kind) {
        std::vector<Json> some;
        for (const Json& event : events)
            if (event["event"] == kind) some.push_back(event);
        return some;
    }
    // A corner of a sheet is pulled away faster than cloth can follow.
    static Json pulled_sheet() {
        return Json::parse(R"({"rumple": 1, "name": "pulled", "gravity": [0, 0, 0],
            "cloths": [{"name": "calm", "material": "cotton", "mesh": {"generator": "grid", "nx": 3, "ny": 3,
                        "width": 0.1, "height": 0.1}, "place": {"translate": [1, 0, 0]}},
                       {"name": "sheet", "material": "cotton", "mesh": {"generator": "grid", "nx": 5, "ny": 5,
                        "width": 0.1, "height": 0.1}}],
            "handles": [{"name": "corner", "cloth": "sheet", "select": {"near": {"point": [0, 0, 0]}}}],
            "phases": [{"name": "pull", "duration": 0.02,
                        "motions": {"corner": {"translate": [0, 0, 1000]}}}]})");
    }

    ScratchFolder folder;
    Ended ended;
};

TEST_F(Events, TellTheCourseOfARun) {
    spill(folder / "three.json", three_variants_document().dump());
    const std::vector<Json> events = run({"three.json", "--out", "out"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    ASSERT_GE(events.size(), 4u);

    const Json& start = events.front();
    EXPECT_EQ(start["event"], "start");
    EXPECT_EQ(start["scene"], "small-twist");
    EXPECT_EQ(start["out"], "out");
    EXPECT_FALSE(start["rumple"].get<std::string>().empty());
    EXPECT_EQ(start["source"].get<std::string>().size(), 16u);
    ASSERT_EQ(start["variants"].size(), 3u);
    EXPECT_EQ(start["variants"][1]["name"], "held");
    EXPECT_EQ(start["variants"][1]["frames"], 11);
    EXPECT_EQ(start["variants"][1]["folder"], "out/held");

    const Json& done = events.back();
    EXPECT_EQ(done["event"], "done");
    EXPECT_EQ(done["status"], 0);
    EXPECT_EQ(done["folders"], (std::vector<std::string>{"out/brief", "out/held", "out/control"}));

    const auto progress = of(events, "progress");
    ASSERT_FALSE(progress.empty());
    EXPECT_EQ(progress.back()["fraction"], 1.0);
    EXPECT_EQ(progress.back()["steps_done"], 68);
    EXPECT_EQ(progress.back()["steps_to_do"], 68);
    EXPECT_EQ(progress.back()["phase"], "settle");
    EXPECT_EQ(progress.back()["variants"], (std::vector<std::string>{"control"}));
    EXPECT_EQ(progress.back()["seconds_left"], 0.0);
    EXPECT_GT(progress.back()["seconds"].get<double>(), 0);

    const auto phases = of(events, "phase");
    EXPECT_EQ(phases.front()["state"], "begin");
    EXPECT_EQ(phases.front()["phase"], "twist");
    EXPECT_EQ(phases.front()["variants"].size(), 3u);
    EXPECT_EQ(phases.back()["state"], "end");
    EXPECT_EQ(phases.back()["index"], 4);
    EXPECT_EQ(phases.size(), 2u * (2 + 3 * 3));  // two that all share, three of each variant's own
}

TEST_F(Events, FramesAreOnTheDiskWhenTheyAreReported) {
    spill(folder / "twist.json", small_twist_document().dump());
    const std::vector<Json> frames = of(run({"twist.json", "--out", "out"}), "frame");
    ASSERT_EQ(frames.size(), 11u);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(frames[i]["frame"], i);
        EXPECT_EQ(frames[i]["variant"], "");
        EXPECT_EQ(frames[i]["files"], (std::vector<std::string>{"out/cache/tube.pc2", "out/metrics.csv"}));
    }
    EXPECT_EQ(PointCacheReader(folder / "out/cache/tube.pc2").frame_count(), 11u);
    EXPECT_TRUE(of(run({"twist.json", "--out", "out", "--resume"}), "frame").empty());  // complete already
}

TEST_F(Events, ProgressIsLimitedToTenASecond) {
    spill(folder / "three.json", three_variants_document().dump());
    const std::vector<Json> progress =
        of(run({"three.json", "--out", "out", "--set", "phases.settle.duration=1"}), "progress");
    ASSERT_FALSE(progress.empty());
    EXPECT_LE(static_cast<double>(progress.size()), 10 * progress.back()["seconds"].get<double>() + 2);
}

TEST_F(Events, BadInputGivesKindClothAndVertices) {
    spill(folder / "cloth.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0.1 0.1 0\nf 1 2 3\nf 2 4 4\n");
    Json scene = pulled_sheet();
    scene["cloths"][1]["mesh"] = {{"file", "cloth.obj"}};
    spill(folder / "bad.json", scene.dump());
    const std::vector<Json> events = run({"bad.json", "--out", "out"});
    EXPECT_EQ(ended.status, 2);
    ASSERT_EQ(events.size(), 2u) << ended.out;
    EXPECT_EQ(events[0]["event"], "error");
    EXPECT_EQ(events[0]["kind"], "input");
    EXPECT_NE(events[0]["text"].get<std::string>().find("cloth.obj"), std::string::npos);
    EXPECT_EQ(events[0]["cloth"], "sheet");
    EXPECT_EQ(events[0]["vertices"], (std::vector<int>{1, 3, 3}));
    EXPECT_EQ(events[1]["event"], "done");
    EXPECT_EQ(events[1]["status"], 2);
    EXPECT_EQ(events[1]["folders"].size(), 0u);
    EXPECT_EQ(ended.err.rfind("rumple: ", 0), 0u) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(Events, FailedStepGivesKindClothAndVerticesOfTheCloth) {
    spill(folder / "pulled.json", pulled_sheet().dump());
    const std::vector<Json> events = run({"pulled.json", "--out", "out"});
    EXPECT_EQ(ended.status, 3) << ended.err;
    const auto errors = of(events, "error");
    ASSERT_EQ(errors.size(), 1u) << ended.out;
    EXPECT_EQ(errors[0]["kind"], "simulation");
    EXPECT_EQ(errors[0]["cloth"], "sheet");
    ASSERT_EQ(errors[0]["vertices"].size(), 1u);
    EXPECT_LT(errors[0]["vertices"][0].get<int>(), 25);  // of the sheet alone: 'calm' has nine before it
    EXPECT_EQ(errors[0]["text"], Json::parse(slurp(folder / "out/summary.json"))["failure"]);
    EXPECT_EQ(events.back()["event"], "done");
    EXPECT_EQ(events.back()["status"], 3);
    EXPECT_EQ(events.back()["folders"], (std::vector<std::string>{"out"}));
}

TEST_F(Events, EachFailedVariantIsNamed) {
    Json scene = pulled_sheet();
    scene["variants"] = {
        {{"name", "far"}},
        {{"name", "near"}, {"set", {{"phases.pull.motions.corner.translate", {0, 0, 0.001}}}}},
        {{"name", "down"}, {"set", {{"phases.pull.motions.corner.translate", {0, 0, -1000}}}}}};
    spill(folder / "pulled.json", scene.dump());
    const auto errors = of(run({"pulled.json", "--out", "out"}), "error");
    EXPECT_EQ(ended.status, 3) << ended.err;
    ASSERT_EQ(errors.size(), 2u) << ended.out;
    EXPECT_EQ(errors[0]["variant"], "far");
    EXPECT_EQ(errors[1]["variant"], "down");
}

// Of two variants one has a mesh that looks as if it were made in centimetres.
TEST_F(Events, WarningsOfEveryVariantAppearOnceAndNameTheirVariants) {
    Json scene = small_twist_document();
    scene["variants"] = {{{"name", "plain"}},
                         {{"name", "large"},
                          {"set",
                           {{"cloths.tube.mesh.radius", 40},
                            {"cloths.tube.mesh.height", 100},
                            {"handles.top.select.ring.at", 100}}}}};
    spill(folder / "scene.json", scene.dump());
    const std::vector<std::string> shorten{"scene.json", "--out",     "out",  "--variant",
                                           "plain",      "--variant", "large"};
    const auto warnings = of(run(shorten), "warning");
    ASSERT_EQ(warnings.size(), 1u) << ended.out << ended.err;
    EXPECT_EQ(warnings[0]["text"].get<std::string>().rfind("variant large: ", 0), 0u) << warnings[0];

    Ended checked = run_program({"check", "scene.json"}, folder.path());
    EXPECT_NE(checked.out.find("warning: variant large: "), std::string::npos) << checked.out;
}

}  // namespace
}  // namespace rumple
