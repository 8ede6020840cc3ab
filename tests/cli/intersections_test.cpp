// rumple measure RUN --intersections: finds what crosses in the frames of a run, and nothing where nothing
// does.
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace rumple {
namespace {

// Two sheets; the upper one rests over the lower one, or begins across it, and contact may be off.
void write_scene(const std::filesystem::path& file, double tilt, bool self) {
    auto scene = nlohmann::json::parse(R"({
        "rumple": 1, "gravity": [0, 0, 0], "contact": {},
        "cloths": [
            {"name": "lower", "material": "cotton",
             "mesh": {"generator": "grid", "nx": 5, "ny": 5, "width": 0.05, "height": 0.05}},
            {"name": "upper", "material": "cotton",
             "mesh": {"generator": "grid", "nx": 5, "ny": 5, "width": 0.05, "height": 0.05},
             "place": {"translate": [0, 0, 0.005]}}],
        "phases": [{"name": "wait", "duration": 0.1}]
    })");
    scene["cloths"][1]["place"]["rotate"] = {{"axis", {1, 0, 0}}, {"degrees", tilt}};
    scene["contact"]["self"] = self;
    std::ofstream(file) << scene.dump();
}

TEST(MeasureIntersections, CountsByFrame) {
    const ScratchFolder folder;
    const auto count = [&](double tilt, bool self) {
        write_scene(folder / "scene.json", tilt, self);
        std::filesystem::remove_all(folder / "out");
        EXPECT_EQ(run_program({"run", "scene.json", "--out", "out", "--quiet"}, folder / "").status, 0);
        const Ended ended = run_program({"measure", "out", "--intersections", "--json"}, folder / "");
        EXPECT_EQ(ended.status, 0) << ended.err;
        return nlohmann::json::parse(ended.out);
    };
    const auto apart = count(0, true);
    EXPECT_GT(apart["frames"].get<int>(), 2);
    EXPECT_EQ(apart["cloth"], 0);
    EXPECT_EQ(apart["intersecting"].size(), 0u);
    const auto across = count(45, false);
    EXPECT_EQ(across["intersecting"].size(), across["frames"].get<std::size_t>());
    EXPECT_GT(across["intersecting"][0]["cloth"].get<int>(), 4);
    EXPECT_EQ(across["obstacles"], 0);
}

TEST(MeasureIntersections, AsksForTheFolderOfARun) {
    const ScratchFolder folder;
    expect_refused(run_program({"measure", "nothing", "--intersections"}, folder / ""),
                   {"nothing", "folder"});
    std::filesystem::create_directory(folder / "empty");
    expect_refused(run_program({"measure", "empty", "--intersections"}, folder / ""),
                   {"empty", "summary.json"});
}

}  // namespace
}  // namespace rumple
