#include <io/sample_mesh.hpp>
#include <random>
#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

constexpr const char* kTwoByTwo = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";

std::string refusal(const std::string& text) {
    return error_of<InputError>([&] { parse_obj(text, "skirt.obj"); });
}

TEST(Obj, RoundTripKeepsEveryBit) {
    for (const TriMesh& mesh : {awkward_mesh(), awkward_mesh_with_uvs(), mesh_with_seam()})
        expect_same_mesh(parse_obj(format_obj(mesh), "mesh.obj"), mesh);
}

TEST(Obj, RoundTripKeepsRandomBitPatterns) {
    std::mt19937_64 random(7);
    TriMesh mesh;
    const auto finite = [&] {
        double value;
        do value = std::bit_cast<double>(random());
        while (!std::isfinite(value));
        return value;
    };
    for (int i = 0; i < 3000; ++i) mesh.positions.push_back({finite(), finite(), finite()});
    mesh.triangles = {{0, 1, 2}};
    expect_same_mesh(parse_obj(format_obj(mesh), "mesh.obj"), mesh);
}

TEST(Obj, FileRoundTrip) {
    const ScratchFolder folder;
    write_obj(folder / "a.obj", mesh_with_seam());
    expect_same_mesh(read_obj(folder / "a.obj"), mesh_with_seam());
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(Obj, ReadsEveryFormOfCorner) {
    const std::string head = std::string(kTwoByTwo) + "vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n";
    const Triangles one = {{0, 1, 2}};
    for (const char* face : {"f 1 2 3", "f 1//1 2//1 3//1", "f -4 -3 -2", "f +1 2 3 # a comment"}) {
        const TriMesh mesh = parse_obj(head + face, "a.obj");
        EXPECT_EQ(mesh.triangles, one) << face;
        EXPECT_FALSE(mesh.has_uvs()) << face;
        EXPECT_TRUE(mesh.uvs.empty()) << face;
    }
    for (const char* face : {"f 1/3 2/2 3/1", "f 1/3/1 2/2/1 3/1/1", "f -4/-1/-1 -3/-2/-1 -2/-3/-1"}) {
        const TriMesh mesh = parse_obj(head + face, "a.obj");
        EXPECT_EQ(mesh.triangles, one) << face;
        EXPECT_EQ(mesh.uv_triangles, (Triangles{{2, 1, 0}})) << face;
        EXPECT_EQ(mesh.uvs.size(), 3u) << face;
    }
}

TEST(Obj, NegativeIndicesCountFromWhereTheyStand) {
    const TriMesh mesh = parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 1 1 0\nf -3 -1 -2\n", "a.obj");
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
}

TEST(Obj, FacesMayStandBeforeTheirVertices) {
    EXPECT_EQ(parse_obj("f 1 2 4\n" + std::string(kTwoByTwo), "a.obj").triangles, (Triangles{{0, 1, 3}}));
}

TEST(Obj, PolygonsAreTriangulatedWithAWarning) {
    std::vector<std::string> warnings;
    const TriMesh mesh =
        parse_obj(std::string(kTwoByTwo) + "v 2 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nvt 2 2\n" +
                      "f 1/1 2/2 4/4 3/3\nf 1/1 2/2 5/5 4/4 3/3\nf 1/1 2/2 3/3\n",
                  "skirt.obj", &warnings);
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 3}, {0, 3, 2}, {0, 1, 4}, {0, 4, 3}, {0, 3, 2}, {0, 1, 2}}));
    EXPECT_EQ(mesh.uv_triangles, mesh.triangles);
    ASSERT_EQ(warnings.size(), 1u);
    expect_says(warnings[0], {"skirt.obj", "2 faces", "cut into triangles"});
}

TEST(Obj, TakesWhatOtherProgramsWrite) {
    std::vector<std::string> warnings;
    const TriMesh mesh = parse_obj(
        "\xEF\xBB\xBF# from elsewhere\\\r\nmtllib a.mtl\r\no skirt\r\n\r\nv  0 0\t0   \r\nv 1 0 0 0.5 0.5 "
        "0.5 # red\r\n"
        "v 0 1e-3 +2.5 1.0\r\ng a b\r\nusemtl none\r\ns off\r\nl 1 2\r\nf 1 2 \\\r\n  3\r\n",
        "a.obj", &warnings);
    EXPECT_EQ(mesh.positions, (std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1e-3, 2.5}}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
    EXPECT_TRUE(warnings.empty());
}

TEST(Obj, FacesWithAndWithoutUvsGiveAMeshWithoutThemAndAWarning) {
    std::vector<std::string> warnings;
    const TriMesh mesh =
        parse_obj(std::string(kTwoByTwo) + "vt 0 0\nf 1/1 2/1 3/1\nf 2 4 3\n", "skirt.obj", &warnings);
    EXPECT_EQ(mesh.triangles.size(), 2u);
    EXPECT_FALSE(mesh.has_uvs());
    EXPECT_TRUE(mesh.uvs.empty());
    ASSERT_EQ(warnings.size(), 1u);
    expect_says(warnings[0], {"skirt.obj:7", "line 6", "without UVs"});
}

TEST(Obj, BadNumbersAreRefusedWithTheirLine) {
    expect_says(refusal("v 0 0 0\nv 1 nan 0\n"), {"skirt.obj:2:", "'nan'", "not a finite number"});
    expect_says(refusal("v 0 0 0\n\nv 1 0 -inf\n"), {"skirt.obj:3:", "'-inf'", "not a finite number"});
    expect_says(refusal("v 0 0 1e999\n"), {"skirt.obj:1:", "'1e999'", "beyond the numbers"});
    expect_says(refusal("v 0 0 0,5\n"), {"skirt.obj:1:", "'0,5'", "not a number"});
    expect_says(refusal("v 0 +-1 0\n"), {"skirt.obj:1:", "'+-1'", "not a number"});
    expect_says(refusal("v 0 0\n"), {"skirt.obj:1:", "2 numbers", "v x y z"});
    expect_says(refusal("v 0 0 0 1 1\n"), {"skirt.obj:1:", "5 numbers"});
    expect_says(refusal("vt\n"), {"skirt.obj:1:", "texture coordinate", "vt u v"});
    expect_says(refusal("vt 0 inf\n"), {"skirt.obj:1:", "not a finite number"});
}

TEST(Obj, BadFacesAreRefusedWithTheirLine) {
    const std::string head = std::string(kTwoByTwo) + "vt 0 0\n";  // five lines
    expect_says(refusal(head + "f 1 2 3\nf 1 2 5\n"), {"skirt.obj:7:", "vertex 5", "has 4 vertices"});
    expect_says(refusal(head + "f 0 1 2\n"), {"skirt.obj:6:", "vertex 0", "counts from 1"});
    expect_says(refusal(head + "f 1 2 -5\n"), {"skirt.obj:6:", "vertex -5", "only 4"});
    expect_says(refusal(head + "f 1/1 2/1 3/2\n"), {"skirt.obj:6:", "texture coordinate 2", "has 1"});
    expect_says(refusal(head + "f 1 2\n"), {"skirt.obj:6:", "2 corners", "three"});
    expect_says(refusal(head + "f\n"), {"skirt.obj:6:", "0 corners"});
    expect_says(refusal(head + "f 1 2 x\n"), {"skirt.obj:6:", "'x'", "not a whole number"});
    expect_says(refusal(head + "f 1 2 3.5\n"), {"skirt.obj:6:", "'3.5'", "not a whole number"});
    expect_says(refusal(head + "f 1/1 2/1 3\n"), {"skirt.obj:6:", "only some corners"});
    expect_says(refusal(head + "f 1 2 99999999999999999999\n"), {"skirt.obj:6:", "not a whole number"});
    expect_says(refusal(head + "f 1 2 9999999999\n"), {"skirt.obj:6:", "9999999999"});
    expect_says(refusal(head + "# a\nf 1 \\\n 2 \\\n 9\n"), {"skirt.obj:7:", "vertex 9"});
}

TEST(Obj, FilesWithoutAMeshAreRefused) {
    expect_says(refusal(""), {"skirt.obj: no vertices"});
    expect_says(refusal("f 1 2 3\n"), {"skirt.obj: no vertices"});
    expect_says(refusal(kTwoByTwo), {"skirt.obj: no faces"});
    expect_says(refusal(std::string("\x7f"
                                    "ELF\0\1\2\3",
                                    8)),
                {"skirt.obj: no vertices"});
    expect_says(error_of<InputError>([] { read_obj("/nowhere/skirt.obj"); }),
                {"/nowhere/skirt.obj", "no such file"});
}

TEST(Obj, NothingThatIsNotFiniteIsWritten) {
    const ScratchFolder folder;
    TriMesh mesh = mesh_with_seam();
    write_obj(folder / "a.obj", mesh);
    const std::string before = slurp(folder / "a.obj");
    mesh.positions[2].y = std::numeric_limits<double>::quiet_NaN();
    expect_says(error_of<SimulationError>([&] { write_obj(folder / "a.obj", mesh); }), {"a.obj", "vertex 2"});
    mesh = mesh_with_seam();
    mesh.uvs[4].x = std::numeric_limits<double>::infinity();
    expect_says(error_of<SimulationError>([&] { write_obj(folder / "a.obj", mesh); }), {"a.obj", "UV 4"});
    mesh = mesh_with_seam();
    mesh.triangles[1][0] = 4;
    expect_says(error_of<std::logic_error>([&] { write_obj(folder / "a.obj", mesh); }),
                {"triangle 1", "vertex 4"});
    EXPECT_EQ(slurp(folder / "a.obj"), before);
}

}  // namespace
}  // namespace rumple
