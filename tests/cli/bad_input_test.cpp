#include <rumple/io/obj.hpp>
#include <rumple/mesh/generators.hpp>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

// Every refusal also leaves nothing behind.
class BadInput : public ::testing::Test {
  protected:
    void TearDown() override { EXPECT_FALSE(fs::exists(folder / "out")); }
    Ended run(const std::vector<std::string>& arguments) { return run_program(arguments, folder.path()); }
    // `rumple run` of the small twist with a change.
    template <class Change>
    Ended run_changed(Change&& change) {
        nlohmann::json document = small_twist_document();
        change(document);
        spill(folder / "scene.json", document.dump());
        return run({"run", "scene.json"});
    }
    Ended run_mesh(const std::string& obj, const std::string& rest = "auto") {
        spill(folder / "cloth.obj", obj);
        return run_changed([&](nlohmann::json& scene) {
            scene["cloths"][0] = {
                {"name", "tube"}, {"material", "cotton"}, {"mesh", {{"file", "cloth.obj"}}}, {"rest", rest}};
            scene["handles"] = nlohmann::json::array();
            for (auto& phase : scene["phases"]) phase.erase("motions");
        });
    }

    ScratchFolder folder;
};

TEST_F(BadInput, WordsOnTheCommandLine) {
    spill(folder / "scene.json", small_twist_document().dump());
    expect_refused(run({}), {"rumple --help"});
    expect_refused(run({"rnu"}), {"rumple --help"});
    expect_refused(run({"run"}), {"SCENE", "rumple run --help"});
    expect_refused(run({"run", "scene.json", "--outt", "x"}), {"--outt", "rumple run --help"});
    expect_refused(run({"run", "scene.json", "--threads", "many"}), {"--threads"});
    expect_refused(run({"run", "scene.json", "--threads", "-1"}), {"--threads"});
    expect_refused(run({"run", "scene.json", "--set", "step.h"}), {"--set step.h", "path=value"});
    expect_refused(run({"run", "scene.json", "--set", "phases.hold.stesp=3"}),
                   {"phases[2]", "stesp", "steps"});
    expect_refused(run({"run", "scene.json", "--set", "phases.hodl.steps=3"}),
                   {"--set phases.hodl.steps=3", "hold"});
    expect_refused(run({"run", "scene.json", "--variant", "held"}), {"scene.json", "no variants"});
}

TEST_F(BadInput, SceneFiles) {
    expect_refused(run({"run", "missing.json"}), {"missing.json"});
    expect_refused(run({"run", "twits"}), {"twits", "twist"});
    expect_refused(run({"run", "."}), {"."});
    spill(folder / "empty.json", "");
    expect_refused(run({"run", "empty.json"}), {"empty.json", "empty"});
    spill(folder / "broken.json", "{\n  \"rumple\": 1,\n  oops\n}");
    expect_refused(run({"run", "broken.json"}), {"broken.json:3"});
    expect_refused(run({"check", "broken.json"}), {"broken.json:3"});
}

TEST_F(BadInput, UnknownKeyWithTheNearestOne) {
    expect_refused(run_changed([](auto& s) {
                       s["gravitty"] = {0, 0, 0};
                   }),
                   {"scene.json", "gravitty", "gravity"});
    expect_refused(run_changed([](auto& s) { s["phases"][2]["stesp"] = 3; }),
                   {"scene.json", "phases[2]", "steps"});
    expect_refused(run_changed([](auto& s) { s["cloths"][0]["material"] = "coton"; }),
                   {"scene.json", "cloths[0].material", "cotton"});
}

TEST_F(BadInput, WrongUnitOrRange) {
    expect_refused(run_changed([](auto& s) { s["step"]["h"] = -0.01; }), {"scene.json", "step.h"});
    expect_refused(run_changed([](auto& s) {
                       s["cloths"][0]["material"] = {{"preset", "cotton"}, {"density", 60}};  // g/m^2
                   }),
                   {"scene.json", "density", "kg/m"});
    expect_refused(run_changed([](auto& s) { s["phases"][0]["duration"] = "long"; }),
                   {"scene.json", "phases[0].duration"});
}

TEST_F(BadInput, HandleThatSelectsNothing) {
    expect_refused(run_changed([](auto& s) { s["handles"][1]["select"]["ring"]["at"] = 7; }),
                   {"scene.json", "handles[1]"});
}

TEST_F(BadInput, RelaxationAndDirections) {
    const auto material = [](nlohmann::json changes) {
        changes["preset"] = "cotton";
        return [changes](auto& s) { s["cloths"][0]["material"] = changes; };
    };
    expect_refused(run_changed(material({{"relaxation", {{"share", 0.91}}}})), {"relaxation.share", "0.9"});
    expect_refused(
        run_changed(material({{"relaxation", {{"share", 0.5}, {"tau_min", 100}, {"tau_max", 10}}}})),
        {"tau_min", "tau_max"});
    expect_refused(run_changed(material({{"bending", {{"warp", 8e-6}, {"weft", 0}, {"bias", 5e-6}}}})),
                   {"bending", "weft 0"});
    expect_refused(run_changed(material({{"bending", {{"warp", 9e-6}, {"weft", 9e-6}, {"bias", 1e-6}}}})),
                   {"bending"});
}

TEST_F(BadInput, RunsToBeginFrom) {
    const auto from = [](const std::string& run) { return [run](auto& s) { s["from"] = run; }; };
    expect_refused(run_changed(from("yesterday")), {"scene.json", "from", "there is no folder"});
    spill(folder / "scene.json", small_twist_document().dump());
    ASSERT_EQ(run({"run", "scene.json", "--out", "yesterday", "--set", "cloths.tube.mesh.around=12"}).status,
              0);
    expect_refused(run_changed(from("yesterday")), {"from", "another mesh", "96 and 128 vertices"});
    fs::remove(folder / "yesterday/checkpoint/latest");
    expect_refused(run_changed(from("yesterday")), {"from", "has no checkpoint"});
}

TEST_F(BadInput, Meshes) {
    const std::string square = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\n";
    expect_refused(run_mesh("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"), {"cloth.obj:2"});
    expect_refused(run_mesh(square + "v 0 0 0.1\nf 1 2 3\nf 1 3 4\nf 3 1 5\n"), {"cloth.obj", "edge"});
    expect_refused(run_mesh(square + "f 1 2 3\nf 1 3 4\nf 1 2 2\n"), {"cloth.obj"});
    expect_refused(run_mesh(square + "f 1 2 3\nf 1 3 4\nf 2 3 1\n"), {"cloth.obj"});
    expect_refused(run_mesh(""), {"cloth.obj", "empty"});
    expect_refused(run_mesh(square), {"cloth.obj"});
    // UVs of the unit square for a cloth of 10 cm
    expect_refused(run_mesh(square + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n", "uv"),
                   {"cloth.obj", "metres"});
    spill(folder / "scene.json", small_twist_document().dump());
    expect_refused(run({"run", "scene.json", "--set", "cloths.tube.mesh={\"file\": \"none.obj\"}"}),
                   {"none.obj"});
}

TEST_F(BadInput, OfTheOtherCommands) {
    spill(folder / "a.obj", format_obj(make_grid(3, 3, 0.1, 0.1, Layout::right)));
    spill(folder / "b.obj", format_obj(make_grid(4, 3, 0.1, 0.1, Layout::right)));
    spill(folder / "text.txt", "hello");
    expect_refused(run({"measure", "missing.obj"}), {"missing.obj"});
    expect_refused(run({"measure", "a.obj", "--rest", "b.obj"}), {"b.obj", "12 vertices", "a.obj"});
    expect_refused(run({"materials", "coton"}), {"coton", "cotton"});
    expect_refused(run({"info", "missing.obj"}), {"missing.obj"});
    expect_refused(run({"info", "text.txt"}), {"text.txt", "not known"});
    expect_refused(run({"info", "."}), {".", "folder"});
    expect_refused(run({"convert", "a.obj", "a.stl"}), {"a.stl", "PLY"});
    expect_refused(run({"convert", "a.obj", "a.pc2"}), {"a.pc2", "OBJ or PLY"});
    expect_refused(run({"convert", "text.txt", "a.ply"}), {"text.txt"});
    expect_refused(run({"convert", "a.obj", "b.ply", "--frame", "3"}), {"--frame"});
    expect_refused(run({"convert", "a.obj", "nowhere/b.ply"}), {"nowhere/b.ply"});
    spill(folder / "c.pc2", "POINTCACHE2");
    expect_refused(run({"info", "c.pc2"}), {"c.pc2"});
    EXPECT_FALSE(fs::exists(folder / "b.ply"));
}

}  // namespace
}  // namespace rumple
