#include <fstream>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/generators.hpp>
#include <set>
#include <sstream>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

class Commands : public ::testing::Test {
  protected:
    std::string say(const std::vector<std::string>& arguments) {
        const Ended ended = run_program(arguments, folder.path());
        EXPECT_EQ(ended.status, 0) << ended.err;
        return ended.out;
    }
    void expect_in(const std::string& text, std::initializer_list<const char*> parts) {
        for (const char* part : parts)
            EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
    }
    // A finished run in out/
    void run_twist() {
        spill(folder / "twist.json", small_twist_document().dump());
        say({"run", "twist.json", "--out", "out", "--quiet"});
    }

    ScratchFolder folder;
};

TEST_F(Commands, HelpAndVersionAreNoErrors) {
    expect_in(say({"--help"}), {"run", "check", "info", "materials", "measure", "convert"});
    expect_in(say({"run", "--help"}),
              {"SCENE", "--out", "--set", "--threads", "--resume", "--quiet", "--variant"});
    expect_in(say({"--version"}), {"rumple "});
}

TEST_F(Commands, CheckTellsWhatWouldRunAndRunsNothing) {
    spill(folder / "three.json", three_variants_document().dump());
    expect_in(say({"check", "three.json"}),
              {"scene small-twist", "128 vertices", "variant held", "holds 500 s", "68 steps instead of 94"});
    EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(Commands, BuiltInScenesCheck) {
    expect_in(say({"check", "twist"}), {"scene twist", "1792 vertices"});
    for (const char* name : {"sphere", "fall", "wring", "wring-cylinder", "sleeve"}) {
        const std::string said = say({"check", name});
        expect_in(said, {"scene ", name, "contact "});
        EXPECT_EQ(said.find("warning"), std::string::npos) << said;
    }
    expect_in(say({"check", "crumple"}),
              {"1681 vertices", "a rigid body of 1 kg", "not active at first", "variant weight-held"});
    expect_in(
        say({"check", "crumple", "--set", "cloths.sheet.mesh.nx=141", "--set", "cloths.sheet.mesh.ny=141"}),
        {"19881 vertices"});
    expect_in(say({"experiments"}), {"twist", "crumple"});
    expect_in(say({"experiments", "sleeve"}), {"\"arm\"", "cylinder"});
}

TEST_F(Commands, InfoKnowsEveryKindOfFile) {
    run_twist();
    expect_in(say({"info", "out/cache/tube.obj"}), {"mesh", "128", "224", "box"});
    expect_in(say({"info", "out/cache/tube.pc2"}), {"PC2", "128", "11", "0 to 10 frames"});
    expect_in(say({"info", "out/checkpoint/latest"}), {"checkpoint", "steps          33", "500.28 s"});
    expect_in(say({"info", "out"}), {"checkpoint"});
    expect_refused(run_program({"info", "."}, folder.path()), {"name one of the runs in it: ./out"});
    say({"convert", "out/final/tube.obj", "still.glb"});
    expect_in(say({"info", "still.glb"}), {"glTF", "128", "224", "box", "does not move"});
    expect_in(say({"info", "twist.json"}), {"scene small-twist", "33 steps"});
}

TEST_F(Commands, InfoGuessesTheUnitOfAPerson) {
    std::ofstream(folder / "person.obj") << "v 0 0 0\nv 400 0 0\nv 0 1730 0\nv 0 0 200\n"
                                            "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    expect_in(say({"info", "person.obj"}), {"millimetres, Y up", "scale 0.001"});
}

TEST_F(Commands, MaterialsHaveUnits) {
    std::istringstream table(say({"materials"}));
    std::set<std::size_t> widths;
    for (std::string line; std::getline(table, line) && line.find("explains") == line.npos;)
        widths.insert(line.size());
    EXPECT_EQ(widths.size(), 1u) << "columns do not line up";
    expect_in(say({"materials"}), {"cotton", "denim-garment", "kg/m", "N/m", "eps_inf"});
    expect_in(say({"materials", "denim"}), {"denim", "0.25"});
    const auto cotton = nlohmann::json::parse(say({"materials", "cotton", "--json"}));
    EXPECT_EQ(cotton["density"], 0.06);
    EXPECT_EQ(nlohmann::json::parse(say({"materials", "--json"})).size(), 7u);
}

// A strip bent to an arc of radius R: bending content is 1/R^2, up to the facets.
TEST_F(Commands, MeasureGivesTheCurvatureOfAnArc) {
    TriMesh flat = make_grid(41, 5, 0.2, 0.02, Layout::right), bent = flat;
    const double radius = 0.1;
    for (Vec3d& x : bent.positions)
        x = {radius * std::sin(x.x / radius), x.y, radius * std::cos(x.x / radius)};
    write_obj(folder / "flat.obj", flat);
    write_obj(folder / "bent.obj", bent);
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--rest", "flat.obj"}}) {
        std::vector<std::string> arguments{"measure", "bent.obj", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto json = nlohmann::json::parse(say(arguments));
        EXPECT_NEAR(json["measures"]["bending_content"]["value"].get<double>(), 100, 3);
        EXPECT_EQ(json["measures"]["bending_content"]["unit"], "1/m^2");
    }
    expect_in(say({"measure", "bent.obj", "--rest", "flat.obj"}), {"bending_content", "1/m^2", "flat.obj"});
}

TEST_F(Commands, MeasureOfTheFinalMeshAgreesWithTheSummary) {
    run_twist();
    const auto summary = nlohmann::json::parse(slurp(folder / "out/summary.json"));
    const auto json = nlohmann::json::parse(
        say({"measure", "out/final/tube.obj", "--rest", "out/cache/tube.obj", "--json"}));
    for (const char* name : {"bending_content", "angle_change_rms", "sharpness", "roughness"})
        EXPECT_EQ(json["measures"][name]["value"], summary["final"]["tube"][name]) << name;
}

TEST_F(Commands, ConvertMeshThereAndBackLosesNothing) {
    const TriMesh mesh = make_grid(5, 4, 0.1, 0.2, Layout::alternating);
    write_obj(folder / "a.obj", mesh);
    say({"convert", "a.obj", "a.ply"});
    say({"convert", "a.ply", "b.obj"});
    const TriMesh back = read_mesh(folder / "b.obj");
    EXPECT_EQ(back.positions, mesh.positions);
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.has_uvs(), mesh.has_uvs());
}

TEST_F(Commands, ConvertCacheThereAndBackLosesNothing) {
    run_twist();
    say({"convert", "out/cache/tube.pc2", "tube.mdd"});
    EXPECT_NEAR(PointCacheReader(folder / "tube.mdd").sample_times()[10], 1.0 / 3, 1e-7);
    say({"convert", "tube.mdd", "back.pc2"});
    EXPECT_TRUE(slurp(folder / "back.pc2") == slurp(folder / "out/cache/tube.pc2"));
    EXPECT_FALSE(fs::exists(folder / "back.pc2.part"));
}

TEST_F(Commands, ConvertRefusesTimesThatPc2CannotKeep) {
    const std::vector<double> times{0, 0.1, 0.5};
    const std::vector<std::vector<Vec3d>> frames(3, std::vector<Vec3d>(4));
    write_mdd(folder / "uneven.mdd", times, frames);
    expect_refused(run_program({"convert", "uneven.mdd", "a.pc2"}, folder.path()), {"uneven.mdd", "evenly"});
    EXPECT_FALSE(fs::exists(folder / "a.pc2"));
}

TEST_F(Commands, ConvertWritesWholeAnimationsAsRunDoes) {
    spill(folder / "twist.json", small_twist_document().dump());
    say({"run", "twist.json", "--out", "out", "--quiet", "--set", "output.formats=[\"glb\",\"usda\"]"});
    for (const char* name : {"animation.glb", "animation.usda"}) {
        say({"convert", "out", name});
        EXPECT_TRUE(slurp(folder / name) == slurp(folder / "out" / name)) << name;
    }
    say({"convert", "out/cache/tube.pc2", "half.usda", "--every", "2", "--fps", "25"});
    expect_in(slurp(folder / "half.usda"),
              {"timeCodesPerSecond = 25", "\n            2: [", "def Mesh \"tube\""});
    EXPECT_EQ(slurp(folder / "half.usda").find("\n            1: ["), std::string::npos);
    say({"convert", "out/final/tube.obj", "still.glb"});
    expect_refused(run_program({"convert", "out", "x.glb", "--frame", "1"}, folder.path()), {"--frame"});
    expect_refused(run_program({"convert", "out", "x.obj", "--every", "2"}, folder.path()), {"--every"});
    expect_refused(run_program({"convert", "nowhere", "x.glb"}, folder.path()), {"nowhere"});
    expect_refused(run_program({"convert", ".", "x.glb"}, folder.path()), {"not the folder of a run"});
    EXPECT_FALSE(fs::exists(folder / "x.glb"));
}

TEST_F(Commands, ConvertTakesAFrameOfACache) {
    run_twist();
    say({"convert", "out/cache/tube.pc2", "last.obj"});
    say({"convert", "out/cache/tube.pc2", "first.obj", "--frame", "0"});
    const TriMesh final = read_mesh(folder / "out/final/tube.obj"), last = read_mesh(folder / "last.obj"),
                  first = read_mesh(folder / "first.obj"), start = read_mesh(folder / "out/cache/tube.obj");
    EXPECT_EQ(last.triangles, final.triangles);
    EXPECT_NEAR(norm(last.positions[60] - final.positions[60]), 0, 1e-8);
    EXPECT_NEAR(norm(first.positions[0] - start.positions[0]), 0, 1e-8);  // held: without an imperfection
    EXPECT_LT(norm(first.positions[60] - start.positions[60]), 2e-5);
    expect_refused(run_program({"convert", "out/cache/tube.pc2", "x.obj", "--frame", "11"}, folder.path()),
                   {"tube.pc2", "frame 11"});
    fs::copy_file(folder / "out/cache/tube.pc2", folder / "lone.pc2");
    expect_refused(run_program({"convert", "lone.pc2", "x.obj"}, folder.path()), {"lone.pc2", "--mesh"});
    say({"convert", "lone.pc2", "x.obj", "--mesh", "out/cache/tube.obj"});
}

}  // namespace
}  // namespace rumple
